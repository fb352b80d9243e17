#!/bin/sh
# Inputs that are no regular files: what comes through pipes is as what is in files, for every
# command and kind of input, or refused in one line; devices and folders are refused; texts
# have lines of bounded length.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/inputs
data=$root/tests/data
cd "$scratch" || exit 1
mkdir in

cp "$data/small.ptr" "$data/heat2d_600.ptr.gz" "$data/ring.ti" "$data/machine-full.xml" in
cp "$data/measure-transfer.csv" "$data/detours.txt" in
cp "$data/machine-noise.xml" noise.xml
"$program" convert in/ring.ti in/ring.goal 2>/dev/null
"$program" convert in/ring.ti in/ring.pdt
"$program" convert --to goal-binary in/ring.ti in/ring.bin 2>/dev/null
"$program" convert in/ring.ti in/ring.otf2
printf '#DIMEMAS:"x":1,0:2(1,1),0\n1:0:0:0.5\n1:1:0:0.5\n' >in/a.dim
"$program" run in/ring.ti -q --xml in/r.xml --db in/r.sqlite
cp in/r.xml in/other.xml
"$program" sweep in/heat2d_600.ptr.gz -m mvs1000 -n 1,2 --dry-run >in/study.xml
printf 'procs\n1\n2\n' >in/list.csv
printf 'heat2d.fdv:11 sizes axis 1 = 300 300\n' >in/blocks
printf 'cluster = x;\n' >in/x.cfg

# The columns: name, the input, what becomes of a pipe (same, or what is said), and the
# command, in which F is the input.
cat >rows <<'END'
dvm-run|small.ptr|same|run F -m mvs1000 -n 2
dvm-check|small.ptr|same|check F
dvm-info|small.ptr|same|info F
dvm-gzip|heat2d_600.ptr.gz|same|run F -m mvs1000 -n 2
dvm-advise|heat2d_600.ptr.gz|same|advise F -m mvs1000 -n 4
dvm-sweep|heat2d_600.ptr.gz|expected a regular file|sweep F -m mvs1000 -n 1,2 --db x.db -q
ti-run|ring.ti|same|run F -m mvs1000
ti-check|ring.ti|same|check F
ti-info|ring.ti|same|info F
ti-convert|ring.ti|same|convert F - --to text
ti-analyse|ring.ti|same|analyse F -m mvs1000
goal-run|ring.goal|same|run F -m loggops:L=1us,o=1us,g=1us,G=1ns
binary-run|ring.bin|same|run F -m loggops:L=1us,o=1us,g=1us,G=1ns
binary-check|ring.bin|same|check F
text-check|ring.pdt|same|check F
dim-check|a.dim|same|check F
otf2-check|ring.otf2|name its .otf2 file|check F
machine-run|machine-full.xml|same|run in/heat2d_600.ptr.gz -m F -n 2
machine-show|machine-full.xml|same|machine show F
machine-sweep|machine-full.xml|expected a regular file|sweep in/heat2d_600.ptr.gz -m F -n 1,2 --db x.db -q
import|x.cfg|same|machine import F
noise|detours.txt|same|run in/ring.ti -m noise.xml --set noise/kind=trace --set noise/file=F
study|study.xml|same|sweep F --db x.db -q
list|list.csv|same|sweep in/heat2d_600.ptr.gz --list F --db x.db -q
compare|r.xml|same|compare F in/other.xml
report|r.sqlite|expected a regular file|report F
fit|measure-transfer.csv|same|machine fit F -o y.xml
blocks|blocks|same|run in/heat2d_600.ptr.gz -m mvs1000 --blocks F -n 2
END

# run_row INPUT: the command of the row on INPUT, which is not named in what it prints
run_row () {
  rm -f x.db y.xml
  # shellcheck disable=SC2046,SC2086
  set -- "$1" $(echo "$command" | sed "s|F|$1|")
  said_as=$1
  shift
  timeout 300 "$program" "$@" >out 2>err
  status=$?
  cat out err | sed -e "s|$said_as|INPUT|g" -e '/^ *Command/d' -e '/^ *Input/d' -e '/^ *Machine/d'
}

while IFS='|' read -r name file meant command; do
  run_row "in/$file" >plain
  expected=$status
  rm -f pipe
  mkfifo pipe
  cat "in/$file" >pipe 2>writer.err &
  writer=$!
  run_row pipe >piped
  # /dev/fd/N, as <(COMMAND) of a shell
  if [ "$meant" = same ]; then
    [ $status = $expected ] && cmp -s plain piped
    result $? "$area/$name/pipe" "status $status, expected $expected: $(diff plain piped | head -n 5)"
    cat "in/$file" | { run_row /dev/fd/9 9<&0 </dev/null >piped; [ $status = $expected ] && cmp -s plain piped; }
    result $? "$area/$name/descriptor" "$(diff plain piped | head -n 5)"
  else
    [ $status = 1 ] && grep -qF -e "$meant" err out
    result $? "$area/$name/pipe" "status $status: $(cat err)"
  fi
  kill $writer 2>writer.err
  wait
  for input in /dev/zero in; do
    run_row $input >said
    [ $status = 1 ] && [ "$(grep -c '' err)" = 1 ] && [ ! -e x.db ]
    result $? "$area/$name/$(basename $input)" "status $status: $(head -n 5 err)"
  done
done <rows

# ---- a folder of predictor record stands for its archive, wherever a trace is

mkdir app.recorded one.recorded
"$program" convert "$data/imbalance.txt" app.recorded/traces.otf2
printf 'predictor-trace 1\nranks 1\n0 compute 100ms\n0 barrier took=1us\n' >one.txt
"$program" convert one.txt one.recorded/traces.otf2
cat >rows <<'END'
run|app|run F -m mvs1000
check|app|check F
check-second|app|check in/ring.ti F
info|app|info F
info-second|app|info in/ring.ti F
convert|app|convert F - --to text
analyse|app|analyse F
analyse-predicted|app|analyse F -m mvs1000
analyse-single|one|analyse app.recorded --single F
compare-first|app|compare F in/r.xml
compare-second|app|compare in/r.xml F
advise|app|advise F -m mvs1000 -m gigabit-smp
sweep|app|sweep F -m mvs1000 --vary flops=1Gf,2Gf --db x.db
sweep-second|app|sweep in/ring.ti F -m mvs1000 --db x.db
END
while IFS='|' read -r name file command; do
  for input in $file.recorded/traces.otf2 $file.recorded; do
    run_row "$input" | sed 's|INPUT/traces.otf2|INPUT|g' >"said-$(echo "$input" | tr -d /)"
  done
  cmp -s "said-$file.recordedtraces.otf2" "said-$file.recorded" && ! grep -q 'it is a folder' "said-$file.recorded"
  result $? "$area/folder/$name" "$(diff "said-$file.recordedtraces.otf2" "said-$file.recorded" | head -n 5)"
done <rows

# ---- bounds: endless lines, compressed to nearly nothing

# long NAME FIRST BYTE: FIRST, then 70 MB of BYTE
long () {
  { printf '%b' "$2"; head -c 70000000 /dev/zero | tr '\0' "$3"; } | gzip -1 >long.gz
  fails "line-$1" 1 ' more than ' timeout 300 "$program" check long.gz
  in_file "place-$1" 'long.gz:' "$scratch/stderr"
}

long dvm "$(sed '/^call_crtda_/q' in/small.ptr)\n" x
long dvm-record "$(sed '/^call_crtda_/q' in/small.ptr)\n" '\n'
long text 'predictor-trace 1\nranks 1\n' x
long ti '0 init\n0 compute ' 1
long goal 'num_ranks 1\nrank 0 {\n l1: calc ' 1
long dim '#DIMEMAS:"x":1,0:2(1,1),0\n2:0:0:1' 1
rm -f pipe
mkfifo pipe
head -c 1100000000 /dev/zero >pipe 2>writer.err &
fails endless-pipe 1 'more than 1 GiB' timeout 300 "$program" check pipe
wait

tap_done

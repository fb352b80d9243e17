#!/bin/sh
# Timelines of runs as Paraver traces and OTF2 archives, from outside: archives of
# message-passing programs are predicted and analysed again.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/timeline-files
data=$PWD/tests/data
cd "$scratch" || exit 1
machine=myrinet:startup=7us,per-byte=4ns
cp "$data/imbalance.txt" "$data/ring.ti" "$data/heat2d_600.ptr.gz" "$data"/graphs/cpus-rendezvous.goal .

# writes NAME FILE ARGUMENTS...: a run, with its timeline in FILE.
writes () {
  name=$1 file=$2
  shift 2
  "$program" "$@" --timeline "$file" -q >stdout 2>stderr
  [ $? = 0 ] && [ ! -s stderr ] && [ -s "$file" ]
  result $? "/timeline-files/$name" "$(cat stderr)"
}

# ---- Paraver

# last TIME of a .prv, and the run time, in ns
check_prv () {
  awk -F: '
    NR == 1 { split ($3, end, "_"); if ($0 !~ /^#Paraver \(01\/01\/1970 at 00:00\):[0-9]+_ns:/) bad = 1; next }
    { if ($6 < last) bad = 1; last = $6; n[$1]++ }
    $1 == 1 { if ($6 != seen[$4 "." $5] + 0 || $7 <= $6) bad = 1; seen[$4 "." $5] = $7; if ($7 > end[1]) bad = 1 }
    END {
      for (thread in seen) if (seen[thread] != end[1]) bad = 1
      print n[1] + 0, n[2] + 0, n[3] + 0; exit bad || n[1] == 0
    }' "$1"
}

# paraver NAME FILE ARGUMENTS...
paraver () {
  writes "$@" || return
  check_prv "$2" >counts
  result $? "/timeline-files/$1/records" "$(head -n 3 "$2")"
  base=${2%.prv}
  grep -q '^EVENT_TYPE' "$base.pcf" && grep -q '^LEVEL THREAD SIZE' "$base.row"
  result $? "/timeline-files/$1/labels"
}

paraver paraver-dvm heat.prv run heat2d_600.ptr.gz -m mvs1000 -n 2x2
grep -q '^LEVEL NODE SIZE 2$' heat.row && grep -q ':2(2,2):1:4(1:1,1:1,1:2,1:2)$' heat.prv
result $? /timeline-files/paraver-nodes "$(head -n 1 heat.prv)"
paraver paraver-mp mp.prv run imbalance.txt -m mvs1000
[ "$(cut -d ' ' -f 3 counts)" = 1 ]
result $? /timeline-files/paraver-messages "$(cat counts)"
paraver paraver-graph graph.prv run cpus-rendezvous.goal -m mvs1000
paraver paraver-recorded recorded.prv analyse imbalance.txt
"$program" run heat2d_600.ptr.gz -m mvs1000 -n 2x2 -q --timeline again.prv >/dev/null
cmp heat.prv again.prv && cmp heat.pcf again.pcf && cmp heat.row again.row
result $? /timeline-files/paraver-same-bytes
paraver paraver-window window.prv run heat2d_600.ptr.gz -m mvs1000 -n 2x2 --timeline-window 1ms:2ms --timeline-ranks 1,2
head -n 1 window.prv | grep -q ':2000000_ns:'
result $? /timeline-files/paraver-window/end "$(head -n 1 window.prv)"

# ---- OTF2

# prints NAME ARCHIVE: otf2-print reads it; what is entered is left, what is sent received.
prints () {
  command -v otf2-print >/dev/null 2>&1 || { skip "/timeline-files/$1" "otf2-print is absent"; return; }
  otf2-print "$2" >print 2>print.err
  status=$?
  awk '{ n[$1]++ } END { print n["ENTER"], n["LEAVE"], n["MPI_SEND"] + 0, n["MPI_RECV"] + 0
                         exit n["ENTER"] == 0 || n["ENTER"] != n["LEAVE"] || n["MPI_SEND"] != n["MPI_RECV"] }' print >balance
  [ $? = 0 ] && [ $status = 0 ] && [ ! -s print.err ]
  result $? "/timeline-files/$1" "status $status: $(cat balance print.err | head -n 5)"
}

writes otf2-dvm heat.otf2 run heat2d_600.ptr.gz -m mvs1000 -n 2x2
prints otf2-dvm/print heat.otf2
writes otf2-graph graph.otf2 run cpus-rendezvous.goal -m mvs1000
prints otf2-graph/print graph.otf2
writes otf2-window window.otf2 run imbalance.txt -m mvs1000 --timeline-window 10ms:100ms
prints otf2-window/print window.otf2
refused otf2-exists 1 "remove it first" "$program" run imbalance.txt -m mvs1000 --timeline heat.otf2 -q
refused otf2-no-name 1 "ends with .otf2" "$program" run imbalance.txt -m mvs1000 --timeline .otf2 -q

# Nothing stays of an archive that cannot be put in its place, or that the disk has no room for.
mkdir blocked.otf2 slashed.otf2
refused otf2-blocked 1 "blocked.otf2: cannot be written" "$program" run imbalance.txt -m mvs1000 --timeline blocked.otf2 -q
refused otf2-blocked/dvm 1 "blocked.otf2: cannot be written" "$program" run heat2d_600.ptr.gz -m mvs1000 -n 2x2 --timeline blocked.otf2 -q
[ ! -e blocked ] && [ ! -e blocked.def ]
result $? /timeline-files/otf2-blocked/nothing "$(ls -d blocked*)"
refused otf2-slash 1 "slashed.otf2: cannot be written" "$program" run imbalance.txt -m mvs1000 --timeline slashed.otf2/ -q
[ -z "$(ls -A slashed.otf2)" ]
result $? /timeline-files/otf2-slash/nothing "$(ls -A slashed.otf2)"
(
  trap '' XFSZ
  ulimit -f 2 # blocks, of 512 or 1024 bytes
  "$program" run heat2d_600.ptr.gz -m mvs1000 -n 1 --timeline full.otf2 -q >stdout 2>stderr
)
status=$?
[ $status = 1 ] && grep -q 'full.otf2: cannot be written' stderr && [ ! -e full ] && [ ! -e full.otf2 ]
result $? /timeline-files/otf2-full "status $status: $(cat stderr; ls -d full*)"

# ---- what is written beside the file

refused beside-row 2 "would be written twice" "$program" run imbalance.txt -m mvs1000 --timeline twice.prv --csv twice.row
refused beside-pcf 2 "would be written twice" "$program" run imbalance.txt -m mvs1000 --timeline twice.prv --html twice.pcf
refused beside-def 2 "would be written twice" "$program" run imbalance.txt -m mvs1000 --timeline twice.otf2/ --csv twice.def
cp imbalance.txt read.row
refused beside-input 2 "is both an input and an output" "$program" analyse read.row --timeline read.prv
refused limit-none 2 "expected 1 to" "$program" run imbalance.txt -m mvs1000 --timeline none.json --timeline-limit 0

# figures COMMAND...: what an analysis says, but for where it comes from
figures () {
  "$program" "$@" --json | sed '/"messages"/,$!{ /"command_line"\|"machine\|"name"\|"sha256"/d; }'
}

# again ARCHIVE TRACE OPTION...: the archive of a prediction is predicted as the trace is, as fast
# as it says, and its analysis is that of the prediction.
again () {
  archive=$1 trace=$2
  shift 2
  writes "otf2-$archive" "$archive.otf2" run "$trace" -m $machine "$@"
  prints "otf2-$archive/print" "$archive.otf2"
  "$program" run "$trace" -m $machine "$@" --json >first.json
  "$program" run "$archive.otf2" -m $machine --json >second.json
  seconds=$(grep -m 1 '"execution_time"' first.json)
  [ -n "$seconds" ] && [ "$seconds" = "$(grep -m 1 '"execution_time"' second.json)" ]
  result $? "/timeline-files/otf2-$archive/predicted-again" "$seconds, $(grep -m 1 '"execution_time"' second.json)"
  "$program" run "$archive.otf2" -m $machine --reproduce >reproduced
  [ $? = 0 ] && grep -q 'Error%' reproduced && ! sed -n '/Error%/,$p' reproduced | grep -E '[+-][0-9]+\.[0-9]+$' | grep -vqE '[+-]0\.00$'
  result $? "/timeline-files/otf2-$archive/reproduced" "$(tail -n 8 reproduced)"
}

sed '/^site/d; s/ site=[01]//' imbalance.txt >plain.txt
again mp plain.txt
again ring ring.ti --flops 1Gf
writes otf2-mp-analysed analysed.otf2 analyse imbalance.txt -m $machine
writes otf2-mp-recorded recorded.otf2 analyse imbalance.txt
# same_figures NAME ARCHIVE ARGUMENTS...
same_figures () {
  name=$1 file=$2
  shift 2
  figures analyse "$@" >expected
  figures analyse "$file" >figures
  [ -s expected ] && diff expected figures >difference
  result $? "/timeline-files/otf2-figures/$name" "$(head -n 20 difference)"
}

same_figures run mp.otf2 plain.txt -m $machine
same_figures analysed analysed.otf2 imbalance.txt -m $machine
grep -q halo.c figures
result $? /timeline-files/otf2-figures/sites
same_figures recorded recorded.otf2 imbalance.txt

# ---- pages

"$program" run heat2d_600.ptr.gz -m mvs1000 -n 1,2x2 -q --html page.html
[ $? = 0 ] && grep -q '"run2-timeline"' page.html && grep -q '"run2-matrix"' page.html && grep -q '"run1-timeline"' page.html
result $? /timeline-files/page-dvm
"$program" run imbalance.txt -m mvs1000 -q --html page.html --timeline both.prv
[ $? = 0 ] && grep -q '"run1-matrix"' page.html && check_prv both.prv >/dev/null
result $? /timeline-files/page-and-file
"$program" analyse imbalance.txt --html page.html >/dev/null
[ $? = 0 ] && grep -q '"run1-timeline"' page.html
result $? /timeline-files/page-analysed

tap_done

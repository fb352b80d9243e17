#!/bin/sh
# Bad message-passing traces, machines and command lines: the documented status,
# one line that says what is wrong, and nothing half-written.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
data=$PWD/tests/data
mkdir "$scratch/in" "$scratch/said"
cd "$scratch/in" || exit 1

cp "$data/ring.ti" "$data/dimemas.cfg" .
cp "$data/heat2d_600.ptr.gz" heat.gz
printf 'num_ranks 1\nrank 0 {\ncalc 5 cpu 1\n}\n' >cpus.goal
"$program" convert ring.ti ring.goal >/dev/null 2>&1
"$program" convert --to goal-binary ring.ti ring.bin >/dev/null 2>&1
"$program" convert ring.ti ring.pdt >/dev/null 2>&1
"$program" convert ring.ti ring.otf2 >/dev/null 2>&1
: >empty
mkdir folder
printf 'GIF89a\001\002\003\377\376\000\001' >binary
printf '\n\n' >blank
printf '# a comment\n' >comment
gzip -nc ring.ti | head -c 60 >cut.gz
head -c 70 ring.goal >cut.goal
head -c 50 ring.bin >cut.bin
sed "s/isend/frob/" ring.pdt >word.pdt
cp ring.otf2 lost.otf2
printf '#DIMEMAS:"x"' >head.dim
printf '#DIMEMAS:"x":1,0:2(1,1),0\n2:0:0:1:8:0:0:0\n1:0:0:0.5\n' >short.dim
printf '0 init\n0 send 5 0 8 6\n' >target.ti
printf '0 init\n0 send 0 0 -8 6\n' >negative.ti
printf '0 init\n0 frobnicate 3\n' >word.ti
printf '0 init\n0 compute nan\n' >nan.ti
printf '99999999999 init\n' >rank.ti
printf '0 init\n0 wait 0 0 3\n' >wait.ti
printf 'r0.txt\nr1.txt\n' >list.ti
printf 'num_ranks 1000000000000\n' >huge.goal
printf 'num_ranks 2\nrank 0 {\n l1: send 8b to 7\n}\n' >peer.goal
printf 'num_ranks 2\nrank 0 {\n l1: calc 8\n l1 requires l9\n}\n' >label.goal
printf 'num_ranks 1\nrank 0 {\n l1: calc -3\n}\n' >calc.goal
printf '%01000d' 0 >zeros
ls -R >../before

# The columns: name, status, what is said, and the command line after |.
cat >../rows <<'END'
empty 1 empty | run empty
empty-check 1 empty | check empty
folder 1 folder | run folder
binary 1 binary | run binary
blank 1 format | run blank
comment 1 format | info comment
zeros 1 format | info zeros
missing 1 absent | run absent
missing-check 1 absent | check absent
below-a-file 1 ring.ti/x | info ring.ti/x
cut-gz 1 cut.gz | run cut.gz
cut-goal 1 cut.goal: | run cut.goal -m MACHINE
cut-goal-check 1 cut.goal: | check cut.goal
cut-binary 1 offset | check cut.bin
cut-text 1 cut.pdt | check cut.pdt
lost-otf2 1 lost | run lost.otf2
dim-head 1 head.dim:1 | run head.dim
dim-short 1 short.dim: | run short.dim
ti-target 1 target.ti:2 | run target.ti
ti-negative 1 negative.ti:2 | run negative.ti
ti-word 1 frobnicate | run word.ti
ti-nan 1 nan.ti:2 | run nan.ti
ti-rank 1 99999999999 | run rank.ti
ti-list 1 r0.txt | run list.ti
goal-huge 1 1000000000000 | run huge.goal
goal-peer 1 peer.goal:3 | run peer.goal
goal-label 1 l9 | run label.goal
goal-calc 1 calc.goal:3 | run calc.goal
machine-as-trace 1 format | run dimemas.cfg
trace-as-machine 1 machine | run ring.ti -m ring.ti
machine-missing 1 nosuch | run ring.ti -m nosuch
machine-empty 1 empty | run ring.ti -m empty
machine-folder 1 folder | run ring.ti -m folder
machine-key 1 'Q' | run ring.ti -m loggops:Q=3
machine-negative 1 negative | run ring.ti -m loggops:L=-1us
machine-topology 1 moebius | run ring.ti -m flow:topology=moebius
machine-small 1 needed | run ring.ti -m myrinet:startup=1us,per-byte=1ns,nodes=2
graph-log 2 --log | run cpus.goal -m MACHINE,compat=loggopsim --log -
graph-reproduce 1 --reproduce | run ring.goal -m MACHINE --reproduce
graph-count 2 ranks | run ring.goal -m MACHINE -n 3
count-zero 2 count | run ring.ti -n 0
count-more 2 ranks | run ring.ti -n 5
count-grid 2 ranks | run ring.ti -n 4x1
setting 1 network/foo | run ring.ti --set network/foo=1
map-short 1 needed | run ring.ti --map 0,1
map-twice 1 twice | run ring.ti --map 0,0,0,0
flops-negative 2 --flops | run ring.ti --flops -1Gf
ratio-zero 2 --cpu-ratio | run ring.ti --cpu-ratio 0
ratio-nowhere 1 nowhere.c | run ring.ti --cpu-ratio nowhere.c:1=2
blocks 2 --blocks | run ring.ti --blocks empty
startup 2 --startup | run ring.ti --startup keep
two-traces 2 one | run ring.ti ring.goal
no-trace 2 trace | run
unknown-option 2 --frob | run ring.ti --frob
over-input 2 ring.ti | run ring.ti --xml ring.ti
over-input-log 2 ring.ti | run ring.ti --log ring.ti
written-twice 2 twice | run ring.ti --xml x --csv x
documents-two 2 document | run ring.ti --xml - --json
documents-mixed 2 document | run ring.ti --csv - --html -
db-printed 2 --db | run ring.ti --db -
into-nowhere 1 nowhere/x | run ring.ti -o nowhere/x
over-folder 1 folder | run ring.ti --html folder
full-disk 1 /dev/full | run ring.ti --xml /dev/full
foreign-database 1 binary | run ring.ti --db binary
log-folder 1 folder | run ring.ti --log folder
log-list 2 --log-procs | run ring.ti --log - --log-procs a
reproduce 1 --reproduce | run ring.ti --reproduce
convert-one 2 OUT | convert ring.ti
convert-suffix 2 --to | convert ring.ti out.xyz
convert-format 2 frob | convert ring.ti out --to frob
convert-unwritable 2 dim | convert ring.ti out --to dim
convert-over-input 2 ring.ti | convert ring.ti ring.ti
convert-nowhere 1 nowhere | convert ring.ti nowhere/out.ti
convert-full 1 /dev/full | convert ring.ti /dev/full --to text
convert-missing 1 absent | convert absent out.ti
convert-bad 1 frobnicate | convert word.ti out.pdt
convert-graph 1 GOAL | convert ring.goal out.ti
convert-graph-otf2 1 graph | convert ring.goal out.otf2
convert-dvm 1 DVM | convert heat.gz out.ti
convert-set 2 --collectives | convert ring.ti out.goal --collectives frob
convert-flops 2 --flops | convert ring.ti out.goal --flops fast
advise 2 choose | advise ring.ti
advise-graph 2 choose | advise ring.goal
report 1 ring.ti | report ring.ti
import 1 ring.ti | machine import ring.ti
END

while read -r name expected text bar arguments; do
  [ "$bar" = '|' ] || exit 1
  arguments=$(echo "$arguments" | sed 's/MACHINE/loggops:L=2us,o=1us,g=1us,G=6ns/')
  # shellcheck disable=SC2086
  timeout 300 "$program" $arguments >../said/out 2>../said/err </dev/null
  status=$?
  [ "$status" = "$expected" ]
  result $? "/mp-bad/$name/status" "status $status: $(cat ../said/err)"
  grep -v -e '^Try ' -e ' note: ' -e ' warning: ' ../said/err >../said/lines
  [ "$(wc -l <../said/lines)" -eq 1 ] && grep -qF -e "$text" ../said/lines
  result $? "/mp-bad/$name/line" "one line with '$text' expected: $(cat ../said/err)"
  ls -R >../after
  cmp -s ../before ../after
  result $? "/mp-bad/$name/nothing-left" "$(diff ../before ../after)"
  cp ../after ../before
done <../rows

cmp -s ring.ti "$data/ring.ti"
result $? /mp-bad/input-kept
printf 'GIF89a\001\002\003\377\376\000\001' | cmp -s binary
result $? /mp-bad/foreign-kept

tap_done

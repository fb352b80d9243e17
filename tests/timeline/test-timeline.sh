#!/bin/sh
# --timeline from outside: files of run and analyse, selection, the guard, and what is
# refused. What is in the files, tests/test-timeline-*.c look at.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/timeline
cp tests/data/ring.ti tests/data/imbalance.txt tests/data/exchange.ti "$scratch"
cp tests/data/heat2d_600.ptr.gz "$scratch/heat2d.ptr.gz"
cp tests/data/graphs/overlap-rendezvous.goal "$scratch/graph.goal"
cp tests/data/graphs/cpus-rendezvous.goal "$scratch/cpus.goal"
cd "$scratch" || exit 1

# missing NAME FILE: nor is a part of it there
missing () {
  [ ! -e "$2" ] && [ -z "$(find . -name "$2*")" ]
  result $? "/timeline/$1" "$(ls)"
}

# ---- what is written

gives run 0 "$program" run ring.ti -m mvs1000 --timeline ring.json
[ -s stdout ]
result $? /timeline/run/report
in_file run/program '"otherData":{"program":"ring.ti","machine":"mvs1000","command":"predictor run ring.ti' ring.json
counted run/ranks 4 '"thread_name"' ring.json
counted run/messages 4 '"ph":"f","pid"' ring.json
cp ring.json first.json
gives again 0 "$program" run ring.ti -m mvs1000 --timeline ring.json
cmp -s ring.json first.json
result $? /timeline/again/same

gives compressed 0 "$program" run ring.ti -m mvs1000 --timeline ring.json.gz -q
zcat ring.json.gz | sed 1,3d >a
sed 1,3d ring.json >b
cmp -s a b && [ -s a ]
result $? /timeline/compressed/same

# it is a copy of no other option's doing
gives together 0 "$program" run ring.ti -m mvs1000 --timeline ring.json -q --pop --sensitivity --xml ring.xml --log ring.log
sed 1,3d ring.json >a
cmp -s a b
result $? /timeline/together/same

gives one-step 0 "$program" run ring.ti -m mvs1000 --timeline ring.json -q --one-step
sed 1,3d ring.json >a
cmp -s a b
result $? /timeline/one-step/same

gives dvm 0 "$program" run heat2d.ptr.gz -m mvs1000 -n 2x2 --timeline heat.json -q
counted dvm/ranks 4 '"thread_name"' heat.json
in_file dvm/intervals '"cat":"interval","name":"PAR heat2d.fdv:' heat.json
in_file dvm/waits '"cat":"wait"' heat.json
# viewers take the slice before the begin of a message for its call
strays=$(awk '/"ph":"X"/ { call = $0 } /"ph":"s"/ && call !~ /"cat":"send"/' heat.json)
grep -q '"ph":"s"' heat.json && [ -z "$strays" ]
result $? /timeline/dvm/calls-of-messages "$strays"

# What all processors compute alike is the time of sequential parts; one processor repeats nothing.
repeated () {
  awk -F '[:,]' '/"cat":"repeated"/ { for (i = 1; i < NF; i++) if ($i == "\"dur\"") sum += $(i + 1) } END { printf "%.6f\n", sum / 1e6 }' "$1"
}
sequential=$("$program" run heat2d.ptr.gz -m mvs1000 -n 2x2 --json | sed -n 's/.*"cpu_time_seq": \([0-9.]*\).*/\1/p' | head -n 1)
[ "$(repeated heat.json)" = "$(printf '%.6f' "$sequential")" ]
result $? /timeline/dvm/repeated "$(repeated heat.json), not $sequential"
gives dvm/one 0 "$program" run heat2d.ptr.gz -m mvs1000 -n 1 --timeline one.json -q
[ "$(repeated one.json)" = 0.000000 ]
result $? /timeline/dvm/one/repeated "$(repeated one.json)"

gives graph 0 "$program" run graph.goal -m flow:topology=crossbar,latency=1us,bandwidth=1GB/s --timeline graph.json -q
in_file graph/calc '"cat":"compute","name":"calc"' graph.json

gives measured 0 "$program" analyse imbalance.txt --timeline measured.json -q
in_file measured/program '"otherData":{"program":"imbalance.txt","command":"predictor analyse' measured.json
in_file measured/interval '"cat":"interval","name":"loop"' measured.json
gives analysed 0 "$program" analyse imbalance.txt -m mvs1000 --timeline analysed.json -q
in_file analysed/machine '"program":"imbalance.txt","machine":"mvs1000"' analysed.json
gives predicted 0 "$program" run imbalance.txt -m mvs1000 --timeline predicted.json -q
sed 1,3d analysed.json >a
sed 1,3d predicted.json >b
cmp -s a b
result $? /timeline/analysed/same

# ---- selection

gives window 0 "$program" run ring.ti -m mvs1000 --timeline part.json -q --timeline-window 1ms:1.2ms
in_file window/head '"window_us":[1000,1200]' part.json
early=$(grep -c '"ph":"X".*"ts":[0-9]\{1,3\}[.,]' part.json)
[ "$early" = 0 ]
result $? /timeline/window/begin "$early slices begin before it"
gives ranks 0 "$program" run ring.ti -m mvs1000 --timeline part.json -q --timeline-ranks 1,3-9
counted ranks/threads 2 '"thread_name"' part.json
in_file ranks/head '"ranks":4,"ranks_selected":2' part.json
in_file ranks/left-out '"messages_left_out":4' part.json

# ---- the guard: the report is there, the file is not, or is the old one

gives limit 1 "$program" run ring.ti -m mvs1000 --timeline many.json --timeline-limit 10
grep -q 'the timeline has [0-9]* events.*more than 10: select.*--timeline-window 0s:.*--timeline-ranks 0-' stderr
result $? /timeline/limit/says "$(cat stderr)"
grep -q Execution_time stdout
result $? /timeline/limit/report
missing limit/file many.json
echo old >many.json
gives limit/old 1 "$program" run ring.ti -m mvs1000 --timeline many.json --timeline-limit 10 -q
[ "$(cat many.json)" = old ]
result $? /timeline/limit/kept
gives behind 1 "$program" run ring.ti -m mvs1000 --timeline x.json -q --timeline-window 1h:
gives nobody 1 "$program" analyse imbalance.txt --timeline x.json -q --timeline-ranks 70
gives no-folder 1 "$program" run ring.ti --timeline nowhere/x.json -q
gives deadlock 3 "$program" run exchange.ti -m ideal --timeline x.json -q
gives kernel 2 "$program" run cpus.goal -m loggops:L=1us,o=1us,g=1us,G=1ns,compat=loggopsim --timeline x.json -q
missing failures x.json

# ---- what is refused before anything is predicted

gives suffix 2 "$program" run ring.ti --timeline x.txt
in_file suffix/known '.json.gz' stderr
gives window/alone 2 "$program" run ring.ti --timeline-window 1ms:
gives ranks/alone 2 "$program" analyse imbalance.txt --timeline-ranks 1
gives limit/alone 2 "$program" run ring.ti --timeline-limit 5
gives window/wrong 2 "$program" run ring.ti --timeline x.json --timeline-window 2ms:1ms
gives window/units 2 "$program" run ring.ti --timeline x.json --timeline-window 1:2
gives ranks/wrong 2 "$program" run ring.ti --timeline x.json --timeline-ranks 5-4
gives limit/negative 2 "$program" run ring.ti --timeline x.json --timeline-limit=-1
gives limit/large 2 "$program" run ring.ti --timeline x.json --timeline-limit 3000000000
gives grids 2 "$program" run heat2d.ptr.gz -n 1,2 --timeline x.json
gives twice 2 "$program" run ring.ti --timeline x.json --html x.json
cp ring.ti ring.ti.json
gives input 2 "$program" run ring.ti.json --timeline ring.ti.json
cmp -s ring.ti ring.ti.json
result $? /timeline/input/kept
missing refused x.json

tap_done

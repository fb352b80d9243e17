#!/bin/sh
# --timeline from outside: files of run and analyse, selection, the guard, and what is
# refused. What is in the files, tests/test-timeline-*.c look at.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C SOURCE_DATE_EPOCH=0 PREDICTOR_DATADIR="$PWD"
cp tests/data/ring.ti tests/data/imbalance.txt tests/data/exchange.ti "$scratch"
cp tests/data/heat2d_600.ptr.gz "$scratch/heat2d.ptr.gz"
cp tests/data/graphs/overlap-rendezvous.goal "$scratch/graph.goal"
cp tests/data/graphs/cpus-rendezvous.goal "$scratch/cpus.goal"
cd "$scratch" || exit 1

# gives STATUS NAME COMMAND...
gives () {
  expected=$1 name=$2
  shift 2
  "$@" >stdout 2>stderr
  status=$?
  [ "$status" = "$expected" ]
  result $? "/timeline/$name" "status $status: $(cat stderr)"
}

# in_file NAME FILE WORD
in_file () {
  grep -qF -e "$3" "$2"
  result $? "/timeline/$1" "no '$3' in $2"
}

# count NAME FILE PATTERN NUMBER: so many lines
count () {
  n=$(grep -c -e "$3" "$2")
  [ "$n" = "$4" ]
  result $? "/timeline/$1" "$n lines, expected $4"
}

# absent NAME FILE
absent () {
  [ ! -e "$2" ] && [ -z "$(find . -name "$2*")" ]
  result $? "/timeline/$1" "$(ls)"
}

# ---- what is written

gives 0 run "$program" run ring.ti -m mvs1000 --timeline ring.json
[ -s stdout ]
result $? /timeline/run/report
in_file run/program ring.json '"otherData":{"program":"ring.ti","machine":"mvs1000","command":"predictor run ring.ti'
count run/ranks ring.json '"thread_name"' 4
count run/messages ring.json '"ph":"f","pid"' 4
cp ring.json first.json
gives 0 again "$program" run ring.ti -m mvs1000 --timeline ring.json
cmp -s ring.json first.json
result $? /timeline/again/same

gives 0 compressed "$program" run ring.ti -m mvs1000 --timeline ring.json.gz -q
zcat ring.json.gz | sed 1,3d >a
sed 1,3d ring.json >b
cmp -s a b && [ -s a ]
result $? /timeline/compressed/same

# it is a copy of no other option's doing
gives 0 together "$program" run ring.ti -m mvs1000 --timeline ring.json -q --pop --sensitivity --xml ring.xml --log ring.log
sed 1,3d ring.json >a
cmp -s a b
result $? /timeline/together/same

gives 0 one-step "$program" run ring.ti -m mvs1000 --timeline ring.json -q --one-step
sed 1,3d ring.json >a
cmp -s a b
result $? /timeline/one-step/same

gives 0 dvm "$program" run heat2d.ptr.gz -m mvs1000 -n 2x2 --timeline heat.json -q
count dvm/ranks heat.json '"thread_name"' 4
in_file dvm/intervals heat.json '"cat":"interval","name":"PAR heat2d.fdv:'
in_file dvm/waits heat.json '"cat":"wait"'

gives 0 graph "$program" run graph.goal -m flow:topology=crossbar,latency=1us,bandwidth=1GB/s --timeline graph.json -q
in_file graph/calc graph.json '"cat":"compute","name":"calc"'

gives 0 measured "$program" analyse imbalance.txt --timeline measured.json -q
in_file measured/program measured.json '"otherData":{"program":"imbalance.txt","command":"predictor analyse'
in_file measured/interval measured.json '"cat":"interval","name":"loop"'
gives 0 analysed "$program" analyse imbalance.txt -m mvs1000 --timeline analysed.json -q
in_file analysed/machine analysed.json '"program":"imbalance.txt","machine":"mvs1000"'
gives 0 predicted "$program" run imbalance.txt -m mvs1000 --timeline predicted.json -q
sed 1,3d analysed.json >a
sed 1,3d predicted.json >b
cmp -s a b
result $? /timeline/analysed/same

# ---- selection

gives 0 window "$program" run ring.ti -m mvs1000 --timeline part.json -q --timeline-window 1ms:1.2ms
in_file window/head part.json '"window_us":[1000,1200]'
early=$(grep -c '"ph":"X".*"ts":[0-9]\{1,3\}[.,]' part.json)
[ "$early" = 0 ]
result $? /timeline/window/begin "$early slices begin before it"
gives 0 ranks "$program" run ring.ti -m mvs1000 --timeline part.json -q --timeline-ranks 1,3-9
count ranks/threads part.json '"thread_name"' 2
in_file ranks/head part.json '"ranks":4,"ranks_selected":2'
in_file ranks/left-out part.json '"messages_left_out":4'

# ---- the guard: the report is there, the file is not, or is the old one

gives 1 limit "$program" run ring.ti -m mvs1000 --timeline many.json --timeline-limit 10
grep -q 'the timeline has [0-9]* events.*more than 10: select.*--timeline-window 0s:.*--timeline-ranks 0-' stderr
result $? /timeline/limit/says "$(cat stderr)"
grep -q Execution_time stdout
result $? /timeline/limit/report
absent limit/file many.json
echo old >many.json
gives 1 limit/old "$program" run ring.ti -m mvs1000 --timeline many.json --timeline-limit 10 -q
[ "$(cat many.json)" = old ]
result $? /timeline/limit/kept
gives 1 behind "$program" run ring.ti -m mvs1000 --timeline x.json -q --timeline-window 1h:
gives 1 nobody "$program" analyse imbalance.txt --timeline x.json -q --timeline-ranks 70
gives 1 no-folder "$program" run ring.ti --timeline nowhere/x.json -q
gives 3 deadlock "$program" run exchange.ti -m ideal --timeline x.json -q
gives 2 kernel "$program" run cpus.goal -m loggops:L=1us,o=1us,g=1us,G=1ns --timeline x.json -q
absent failures x.json

# ---- what is refused before anything is predicted

gives 2 suffix "$program" run ring.ti --timeline x.txt
in_file suffix/known stderr '.json.gz'
gives 2 window/alone "$program" run ring.ti --timeline-window 1ms:
gives 2 ranks/alone "$program" analyse imbalance.txt --timeline-ranks 1
gives 2 limit/alone "$program" run ring.ti --timeline-limit 5
gives 2 window/wrong "$program" run ring.ti --timeline x.json --timeline-window 2ms:1ms
gives 2 window/units "$program" run ring.ti --timeline x.json --timeline-window 1:2
gives 2 ranks/wrong "$program" run ring.ti --timeline x.json --timeline-ranks 5-4
gives 2 limit/negative "$program" run ring.ti --timeline x.json --timeline-limit=-1
gives 2 limit/large "$program" run ring.ti --timeline x.json --timeline-limit 3000000000
gives 2 grids "$program" run heat2d.ptr.gz -n 1,2 --timeline x.json
gives 2 twice "$program" run ring.ti --timeline x.json --html x.json
cp ring.ti ring.ti.json
gives 2 input "$program" run ring.ti.json --timeline ring.ti.json
cmp -s ring.ti ring.ti.json
result $? /timeline/input/kept
absent refused x.json

tap_done

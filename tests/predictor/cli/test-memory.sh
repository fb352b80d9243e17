#!/bin/sh
# Memory: who asks for more than the limit ends with one line and status 1, never with an
# abort, leaves no temporary file, and a database as it was; programs that are started have
# their own limits. Documents that would take long are refused before.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/memory
data=$root/tests/data
cd "$scratch" || exit 1

awk 'BEGIN {
  print "0 init\n1 init"
  for (i = 0; i < 300000; i++) print "0 compute " i "\n0 send 1 " i " 100 6\n1 recv 0 " i " 100 6"
  print "0 finalize\n1 finalize"
}' >big.ti
"$program" run "$data/ring.ti" -q --db results.sqlite
"$program" report results.sqlite -r 1 >first
mkdir made
cd made || exit 1

if "$program" --max-memory 64MiB run "$data/heat2d_600.ptr.gz" -q -n 100x1000 >../out 2>../err; then
  skip "$area/limit" 'no limit where memory is checked by a sanitizer'
else
  for size in 33 35 38 42 47 53 60; do
    for command in 'run ../big.ti -q -m mvs1000 --timeline t.otf2 --db ../results.sqlite --xml o.xml' \
      'run ../big.ti -q -m mvs1000 --timeline t.json --csv o.csv' 'convert ../big.ti o.pdt' 'convert ../big.ti o.goal'; do
      # shellcheck disable=SC2086
      ran 1 "$program" $command --max-memory ${size}MiB
      [ $status = 0 ] || { [ $status = 1 ] && [ "$(grep -c '' ../stderr)" = 1 ] && [ -z "$(ls -A)" ] \
        && grep -q "^predictor [a-z]*: out of memory: the limit is $size MiB" ../stderr; }
      told $? "$(echo "$command" | cut -c1-3)-$(echo "$command" | sed 's/.* \(.*\)$/\1/')-$size"
      rm -rf ./*
    done
  done
  ran 1 "$program" check ../big.ti --max-memory=33MiB
  told $? said-with-equals
  refused ranks 1 'out of memory: the limit is 256 MiB' \
    "$program" run "$data/heat2d_600.ptr.gz" -m myrinet:startup=1us,per-byte=1ns -n 1000000 --max-memory 256MiB
fi
"$program" report ../results.sqlite -r 1 >../after
[ -s ../first ]
result $? "$area/database"
same database-kept ../first ../after
refused too-little 2 'at least 32 MiB' "$program" run "$data/ring.ti" --max-memory 1MB
refused no-size 2 'at least 32 MiB' "$program" run "$data/ring.ti" --max-memory much
refused no-value 2 'Missing argument' "$program" run "$data/ring.ti" --max-memory
has not-ours 1 'unlimited' "$program" record --max-memory 64MiB --mpi mpich -o rec -- sh -c 'ulimit -S -d'

# ---- a comparison of each attribute with each would take half a minute

awk 'BEGIN { for (i = 0; i < 200000; i++) printf " a%d=\"1\"", i }' >../attributes
printf '<machine name="x" version="1">\n<network type="ideal" %s/></machine>\n' "$(cat ../attributes)" >../m.xml
printf '<study version="1">\n<axis name="procs" values="1,2" %s/></study>\n' "$(cat ../attributes)" >../s.xml
fails attributes-machine 1 'm.xml:2: an element with more than 1000 attributes' "$program" machine check ../m.xml
fails attributes-study 1 's.xml:2: an element with more than 1000 attributes' "$program" sweep ../s.xml --db x.db

tap_done

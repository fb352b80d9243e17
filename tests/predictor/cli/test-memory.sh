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
  # ---- grids: refused before anything is allocated, if the processors alone are too many

  heat=$data/heat2d_600.ptr.gz
  refused grid-grows 1 'out of memory: the limit is 256 MiB' \
    "$program" run "$heat" -m myrinet:startup=1us,per-byte=1ns -n 700000 --max-memory 256MiB
  huge='processors need at least'
  refused grid 1 "4000000 $huge" "$program" run "$heat" -m ideal -n 4000000 --max-memory 256MiB
  refused grid-of-two 1 "16000000 $huge" "$program" run "$heat" -m ideal -n 4000x4000 --max-memory 256MiB
  refused grid-second 1 "4000000 $huge" "$program" run "$heat" -m ideal -n 2,4000000 -q --max-memory 256MiB
  refused samples 1 "4000000 $huge" \
    "$program" run "$heat" -m ideal --set noise/kind=normal --set noise/sigma=0.1 --samples 4 -n 4000000 --max-memory 256MiB
  refused advise 1 "4000000 $huge" "$program" advise "$heat" -m ideal -n 2,4000000 --max-memory 256MiB
  has sweep 0 "point 1, failed: 4000000 $huge" "$program" sweep "$heat" -m ideal --vary procs=2,4000000,4 --db grids.db -j 1 --max-memory 256MiB
  [ "$(sqlite3 grids.db "SELECT group_concat (status) FROM (SELECT status FROM point ORDER BY number)")" = done,failed,done ]
  told $? sweep-others
  grep -q 'at least 1014 MiB of memory: the limit is 256 MiB, see --max-memory' ../stdout
  told $? sweep-limit
  ran 0 "$program" run "$heat" -m ideal -n 100000 -q --max-memory 256MiB --csv fits.csv
  told $? fits
  rm -f grids.db fits.csv
fi

# ---- more ranks than there can be, in traces and on the command line

head='predictor-trace 1'
for ranks in 2000000000 16777215 4294967298 18446744073709551618; do
  printf '%s\nranks %s\nrank 0 {\n}\n' "$head" $ranks >../ranks.txt
  fails "text-$ranks" 1 'ranks.txt:2: ' "$program" run ../ranks.txt -m ideal
  printf 'num_ranks %s\nrank 0 {\nl1: calc 100\n}\n' $ranks >../ranks.goal
  fails "goal-$ranks" 1 'ranks.goal:1:11: ' "$program" run ../ranks.goal -m ideal
  printf '%s init\n%s finalize\n' $ranks $ranks >../ranks.ti
  fails "ti-$ranks" 1 'ranks.ti: ' "$program" run ../ranks.ti -m ideal
  printf '#DIMEMAS:"x":1,0:%s(1):0,0\n' $ranks >../ranks.dim
  fails "dim-$ranks" 1 'ranks.dim:1: ' "$program" run ../ranks.dim -m ideal
  refused "processors-$ranks" 2 'at most 16777214 processors' "$program" run "$data/heat2d_600.ptr.gz" -m ideal -n $ranks
done
printf '%s\nranks 16777214\nrank 0 {\n}\n' "$head" >../ranks.txt
fails text-too-small 1 'too small' "$program" run ../ranks.txt -m ideal
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

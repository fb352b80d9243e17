#!/bin/sh
# Who sends how much to whom: the same in all documents, of measured and predicted runs, worked
# out by hand for each collective operation.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/matrix
root=$PWD
cd "$scratch" || exit 1

# pairs FILE: of a database, one a word: SENDER>RECEIVER:MESSAGES,BYTES,COLLECTIVE
pairs () {
  sqlite3 "$1" "SELECT group_concat(sender || '>' || receiver || ':' || messages || ',' || bytes || ',' || ifnull(collective_bytes, '-'), ' ')
    FROM (SELECT * FROM rank_pair ORDER BY sender, receiver)"
}

# moves NAME EXPECTED ACTION...: of three ranks that all do the actions, "RANK: ACTION" only one
moves () {
  name=$1 expected=$2
  shift 2
  {
    printf 'predictor-trace 1\nranks 3\ncomm 1: 2 0\n'
    for rank in 0 1 2; do
      for action in "$@"; do
        case $action in
        $rank:*) echo "$rank ${action#*: } took=1us" ;;
        [0-9]:*) ;;
        *) echo "$rank $action took=1us" ;;
        esac
      done
    done
  } >"$name.txt"
  rm -f "$name.db"
  "$program" analyse "$name.txt" -q --matrix all --db "$name.db" >stdout 2>&1
  result $? "$area/$name/status" "$(cat stdout)"
  [ "$(pairs "$name.db")" = "$expected" ]
  result $? "$area/$name" "expected $expected, got $(pairs "$name.db"); $(cat stdout)"
}

moves messages '0>1:2,300,0' '0: send 1 100' '0: send 1 200' '1: recv 0 100' '1: recv 0 200'
moves bcast '1>0:0,0,7 1>2:0,0,7' 'bcast 7 root=1'
moves twice '1>0:0,0,14 1>2:0,0,14' 'bcast 7 root=1' 'bcast 7 root=1'
moves reduce '0>1:0,0,7 2>1:0,0,7' 'reduce 7 root=1'
moves gather '0>2:0,0,7 1>2:0,0,7' 'gather 7 root=2'
moves scatter '0>1:0,0,7 0>2:0,0,7' 'scatter 7'
moves allreduce '0>1:0,0,8 0>2:0,0,8 1>0:0,0,8 1>2:0,0,8 2>0:0,0,8 2>1:0,0,8' 'allreduce 8'
moves scan '0>1:0,0,8 0>2:0,0,8 1>2:0,0,8' 'scan 8'
moves alltoallv '0>1:0,0,2 0>2:0,0,3 1>0:0,0,1 1>2:0,0,3 2>0:0,0,1 2>1:0,0,2' \
  '0: alltoallv 0 send=[1,2,3] recv=[1,1,1]' '1: alltoallv 0 send=[1,2,3] recv=[2,2,2]' '2: alltoallv 0 send=[1,2,3] recv=[3,3,3]'
moves reduce_scatter '0>1:0,0,2 0>2:0,0,3 1>0:0,0,1 1>2:0,0,3 2>0:0,0,1 2>1:0,0,2' 'reduce_scatter 0 recv=[1,2,3]'
# of a communicator whose first member is rank 2, with a message beside it
moves comm '0>2:1,5,9 2>0:0,0,9' '0: allgather 9 comm=1' '2: allgather 9 comm=1' '0: send 2 5' '2: recv 0 5'
moves bcast-of-comm '2>0:0,0,9' '0: bcast 9 comm=1' '2: bcast 9 comm=1'
moves neighbours '0>1:0,0,4 2>1:0,0,6' '0: neighbor_allgather 4 targets=[1]' '1: neighbor_allgather 5 sources=[0,2]' \
  '2: neighbor_allgather 6 targets=[1]'
moves barrier '' barrier

# ---- all documents say it; without operations; of predicted runs

{
  printf 'predictor-trace 1\nranks 2\n0 compute 1ms\n0 send 1 100 took=0us\n1 recv 0 100 took=1ms\n'
  printf '0 allreduce 8 took=1us\n1 allreduce 8 took=1us\n'
} >both.txt
"$program" analyse both.txt --matrix all --json >both.json --xml both.xml --html both.html
[ "$(tr -d '\n ' <both.json | grep -o '"rank_pairs":\[[^]]*\]')" = \
  '"rank_pairs":[{"sender":0,"receiver":1,"messages":1,"bytes":100,"collective_bytes":8},{"sender":1,"receiver":0,"messages":0,"bytes":0,"collective_bytes":8}]' ]
result $? $area/json "$(grep -A12 rank_pairs both.json)"
[ "$(grep -c '<rank_pair ' both.xml)" = 2 ] \
  && grep -qF '<rank_pair sender="0" receiver="1" messages="1" bytes="100" collective_bytes="8"/>' both.xml
result $? $area/xml "$(grep rank_pair both.xml)"
if command -v xmllint >/dev/null; then
  xmllint --noout --relaxng "$root/schemas/report.rng" both.xml 2>stderr
  result $? $area/xml/valid "$(cat stderr)"
else
  skip $area/xml/valid 'no xmllint'
fi
has compare 0 'A and B take the same time' "$program" compare both.xml both.txt
grep -qF 'and the data of collective operations, as if sent directly' both.html && grep -qF '"bytes": [108,8]' both.html
result $? $area/page "$(grep -o '"bytes":\[[^]]*\]' both.html)"
"$program" run both.txt -m ideal -q --matrix messages --db run.db && [ "$(pairs run.db)" = '0>1:1,100,-' ]
result $? $area/run "$(pairs run.db)"
"$program" analyse both.txt -m ideal -q --matrix all --db predicted.db && [ "$(pairs predicted.db)" = '0>1:1,100,8 1>0:0,0,8' ]
result $? $area/predicted "$(pairs predicted.db)"
"$program" run "$root/tests/data/heat2d_600.ptr.gz" -m mvs1000 -n 2x2 -q --matrix all --db dvm.db
[ "$(sqlite3 dvm.db 'select sum(messages) > 0, sum(collective_bytes) from rank_pair')" = '1|0' ]
result $? $area/dvm "$(pairs dvm.db)"
lacks none 0 rank_pairs "$program" analyse both.txt --json
refused bad 2 'expected messages or all' "$program" analyse "$PWD/both.txt" --matrix some

tap_done

#!/bin/sh
# predictor advise --alltoall from outside: wrong command lines, its outputs, the
# orders of the paper of 2019, and its tables in the installed machines.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/advise/alltoall
machines=$PWD/machines
heat=$PWD/tests/data/heat2d_600.ptr.gz
cd "$scratch" || exit 1
star=flow:topology=star,nic-latency=1us,nic-bandwidth=12GB/s,processors-per-node=4

# ---- bad input: one line that contains WORD, nothing printed, no file touched

advise () { "$program" advise "$@" -o refused.txt --csv refused.csv; }

cluster=infiniband-qdr-numa
refused bad/no-ranks 2 '(-p)' advise --alltoall -m $cluster
refused bad/ranks-0 2 "'0'" advise --alltoall -m $cluster -p 0
refused bad/ranks-alone 2 'belong to --alltoall' advise "$heat" -m $cluster -p 0
refused bad/too-long 1 'too long' advise --alltoall -m $cluster -p 4 --bytes 9e18
refused bad/too-long-messages 1 'too long' advise --alltoall -m $cluster -p 4 --bytes 9e18 --timing message
refused bad/ranks-negative 2 "'-4'" advise --alltoall -m $cluster --ranks=-4
refused bad/ranks-huge 2 "'4097'" advise --alltoall -m $cluster -p 4097
refused bad/no-machine 2 'a machine' advise --alltoall -p 4
refused bad/trace 2 'no trace' advise --alltoall -p 4 -m $cluster "$heat"
refused bad/grids 2 'no trace' advise --alltoall -p 4 -m $cluster --max-procs 4
refused bad/database 2 'no trace' advise --alltoall -p 4 -m $cluster --db a.sqlite
refused bad/map 2 'no trace' advise --alltoall -p 4 -m $cluster --map cyclic
refused bad/bytes-0 2 "'0'" advise --alltoall -p 4 -m $cluster --bytes 0
refused bad/bytes-word 2 "'much'" advise --alltoall -p 4 -m $cluster --bytes much
refused bad/no-block 2 "'0'" advise --alltoall -p 4 -m $cluster --block 0
refused bad/block 2 "'-1'" advise --alltoall -p 4 -m $cluster --block=-1
refused bad/self 2 "'me'" advise --alltoall -p 4 -m $cluster --self me
refused bad/timing 2 "'later'" advise --alltoall -p 4 -m $cluster --timing later
refused bad/sockets 2 "'none'" advise --alltoall -p 4 -m $cluster --sockets none
refused bad/no-steps 2 'contention' advise --alltoall -p 4 -m "$star" --timing step
refused bad/self-message 2 'step' advise --alltoall -p 4 -m $cluster --timing message --self message
refused bad/without 2 'belong to' advise "$heat" -p 4
refused bad/machine-missing 1 absent.xml advise --alltoall -p 4 -m absent.xml
refused bad/setting 1 directions advise --alltoall -p 4 -m $cluster --set network/directions=sideways
refused bad/too-large 1 '49 ranks' advise --alltoall -p 49 -m $cluster

# ---- the paper: orders, and that they are printed with what they depend on

order () {
  "$program" advise --alltoall -m $cluster "$@" | sed -n 's/^Order: //p'
}

paper () {
  name=$1
  shift
  found="$(order -p 2 "$@"); $(order -p 4 "$@"); $(order -p 8 "$@")"
  [ "$found" = '1x2 < 2x1; 4x1 < 1x4 < 2x2; 1x8 < 4x2 < 2x4' ]
  result $? "/advise/alltoall/paper/$name" "$found"
}

paper default
paper 1MB --bytes 1MB
paper 1MiB --bytes 1MiB
paper messages --timing message
paper message-to-oneself --self message
paper nothing-to-oneself --self none
paper block-2 --block 2
paper all-at-once --block 8
paper nearest --set network/beyond=nearest
paper smooth --set network/smooth=monotone
paper source --set network/ends=source
paper separate --set network/directions=separate
[ "$(order -p 4 --set network/counts=messages)" = '1x4 < 4x1 < 2x2' ] && [ "$(order -p 4 --sockets spread)" = '1x4 < 4x1 < 2x2' ]
result $? /advise/alltoall/paper/otherwise

"$program" advise --alltoall -m $cluster -p 4 --sensitivity >s.txt
grep -q '^network/counts  *messages  *no  *1x4 < 4x1 < 2x2$' s.txt && grep -q '^network/counts  *processors  *assumed  *4x1 < 1x4 < 2x2$' s.txt \
  && grep -q '^block  *4  *yes ' s.txt && grep -q '^  network from 0\.56 (beyond: 4x1 < 2x2 < 1x4) to 1\.18 (beyond: 1x4 < 4x1 < 2x2)$' s.txt \
  && grep -q '^The order holds in 21 of 24\.$' s.txt
result $? /advise/alltoall/sensitivity "$(cat s.txt)"

blocks () {
  found=$("$program" advise --alltoall -m $cluster -p "$1" --block "$2" --sensitivity | awk '$1 == "block" { printf "%s%s ", $2, $3 == "assumed" ? "*" : "" }')
  [ "$found" = "$3 " ]
  result $? "/advise/alltoall/blocks/$1-$2" "$found"
}

blocks 8 1 '1* 2 4 8'
blocks 8 3 '1 2 3* 4 8'
blocks 8 8 '1 2 4 8*'
blocks 8 20 '1 2 4 8*'
blocks 6 5 '1 2 4 5* 6'
blocks 6 2 '1 2* 4 6'
blocks 1 1 '1*'

# ---- outputs

"$program" advise --alltoall -m $cluster -p 8 --sensitivity --csv a.csv -o a.txt --json >a.json 2>stderr
[ $? = 0 ] && [ ! -s stderr ] && grep -q '^Order: 1x8 < 4x2 < 2x4$' a.txt && grep -q 'machine: 8x1' a.txt
result $? /advise/alltoall/outputs "$(cat stderr a.txt)"
[ "$(cut -d, -f1-3 a.csv | tr -d '\r' | paste -sd ' ')" = 'order,nodes,ranks_per_node 1,1,8 2,4,2 3,2,4' ] \
  && [ "$(awk -F, '{ n[NF] } END { print length (n) }' a.csv)" = 1 ]
result $? /advise/alltoall/csv "$(cat a.csv)"
"$program" advise --alltoall -m $cluster -p 8 --csv - | cmp - a.csv
result $? /advise/alltoall/csv-stdout
if command -v python3 >/dev/null; then
  python3 -c '
import json
d = json.load (open ("a.json"))
assert d["order"] == "1x8 < 4x2 < 2x4" and d["left_out"] == ["8x1"]
assert d["alltoall"] == {"ranks": 8, "bytes": 1000000, "block": 1, "timing": "step", "self": "copy", "sockets": "fill"}
for s in d["shapes"]:
  assert s["nodes"] * s["ranks_per_node"] == 8 and s["steps"] == 8 and s["why"]
  assert sum (l["messages"] for l in s["levels"].values ()) == 56
  assert abs (sum (l["time"] for l in s["levels"].values ()) + 0.28e-3 - s["time"]) < 1e-12
assert [s["time"] for s in d["shapes"]] == sorted (s["time"] for s in d["shapes"])
assert sum (t["assumed"] for t in d["trials"]) == 11 and all (t["holds"] for t in d["trials"] if t["assumed"])
assert all ((t["order"] == d["order"]) == t["holds"] for t in d["trials"])
assert [r["level"] for r in d["ranges"]] == ["memory", "interconnect", "network"]
assert all (r["holds_from"] <= 1 <= r["holds_to"] for r in d["ranges"])
assert {w["id"] for w in d["warnings"]} == {"outside-measured", "suspect-measured"}
' 2>stderr
  result $? /advise/alltoall/json "$(cat stderr)"
else
  skip /advise/alltoall/json "python3 is absent"
fi
for i in 1 2; do "$program" advise --alltoall -m $cluster -p 8 --sensitivity >"$i.txt"; done
cmp 1.txt 2.txt
result $? /advise/alltoall/same-bytes

# a machine without tables; the machine's own blocks; more nodes as they are needed
"$program" advise --alltoall -p 8 --bytes 64kB -m "$star,alltoall=block:4" >star.txt && grep -q 'blocks of 4; timing: *$' star.txt \
  && grep -q '^message; self' star.txt && grep -q '^Order: 8x1 < 4x2 < 2x4$' star.txt
result $? /advise/alltoall/by-messages "$(cat star.txt)"
"$program" advise --alltoall -p 48 -m $cluster | grep -q '^Order: 6x8$'
result $? /advise/alltoall/whole-machine

# ---- the tables of the machines are those of the paper

tables () {
  awk -v level="$2" -F'"' '/<table level=/ { on = $2 == level } on && /<row / { sub (/MB/, "", $2); n = split ($6, f, ":"); printf "%s,1", $2
    for (i = 1; i <= n; i++) printf ",%g", f[i]; print "" }' "$machines/$1.xml" >here.csv
  tail -n +2 "$shared/reference/seed002/$3" | tr -d '\r' | awk -F, '{ printf "%s", $1; for (i = 2; i <= NF; i++) printf ",%g", $i; print "" }' \
    | sort -n >paper.csv
  [ "$(grep -c . paper.csv)" = 6 ] && cmp -s here.csv paper.csv
  result $? "/machines/$1/$2" "$(diff here.csv paper.csv)"
}

if [ -d "$shared/reference/seed002" ]; then
  tables infiniband-qdr-numa memory fig3a_memory_numa.csv
  tables infiniband-qdr-numa interconnect fig4_qpi.csv
  tables infiniband-qdr-numa network fig5a_infiniband_qdr.csv
  tables gigabit-smp memory fig3b_memory_smp.csv
  tables gigabit-smp network fig5b_gige.csv
else
  skip /machines/tables "../shared is absent"
fi

tap_done

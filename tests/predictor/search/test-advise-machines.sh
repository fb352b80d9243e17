#!/bin/sh
# predictor advise with several machines and shapes: the order is that of single predictions.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
heat=$PWD/tests/data/heat2d_600.ptr.gz
ring=$PWD/tests/data/ring.ti
text=$PWD/tests/data/imbalance.txt
cd "$scratch" || exit 1

cat >cluster.xml <<'EOF'
<machine name="cluster" version="1">
  <network type="ethernet" startup="60us" per-byte="9ns">
    <nodes count="8" processors="4"><memory startup="1us" per-byte="0.5ns"/></nodes>
  </network>
</machine>
EOF

# ---- a DVM program: each machine's least time, as a search of it alone has it
machines='mvs1000 gigabit-smp cluster.xml'
"$program" advise "$heat" -m mvs1000 -m gigabit-smp -m cluster.xml --max-procs 8 --by time,cost \
  --json --csv out.csv --db out.db >all.json 2>stderr
result $? /advise-machines/run "$(cat stderr)"
# all machines come into the database, or none: the second one is refused
sqlite3 out.db "CREATE TRIGGER refuse BEFORE INSERT ON report WHEN NEW.machine LIKE '%gigabit-smp%'
  BEGIN SELECT RAISE (ABORT, 'refused'); END"
"$program" advise "$heat" -m mvs1000 -m gigabit-smp --max-procs 2 --db out.db -q 2>stderr
status=$?
[ $status = 1 ] && [ "$(sqlite3 out.db 'SELECT count (*) FROM report')" = 3 ]
result $? /advise-machines/db-whole "status $status, $(sqlite3 out.db 'SELECT count (*) FROM report') reports; $(cat stderr)"
sqlite3 out.db 'DROP TRIGGER refuse'
for m in $machines; do
  "$program" advise "$heat" -m $m --max-procs 8 --by time --json >"$(basename $m).json"
done
python3 - $machines >found <<'EOF'
import csv, json, os, sys
both = json.load(open("all.json"))
alone = {m: json.load(open(os.path.basename(m) + ".json"))["best"]["time"] for m in sys.argv[1:]}
best = min(alone, key=lambda m: alone[m]["execution_time"])
print([o["machine"] for o in both["options"]] == sys.argv[1:],
      both["best"]["time"]["machine"] == best,
      both["best"]["time"]["execution_time"] == alone[best]["execution_time"],
      both["best"]["time"]["grid"] == alone[best]["grid"],
      both["best"]["cost"]["processors"] == 1,
      all(m in both["best"]["time"]["why"] for m in sys.argv[1:] if m != best),
      both["machine"] is None,
      len(list(csv.DictReader(open("out.csv")))) == sum(len(o["runs"]) for o in both["options"]))
EOF
[ "$(cat found)" = 'True True True True True True True True' ]
result $? /advise-machines/dvm "$(cat found)"
[ "$(sqlite3 out.db 'SELECT group_concat (machine) FROM report')" = 'mvs1000,gigabit-smp,cluster' ]
result $? /advise-machines/db "$(sqlite3 out.db 'SELECT machine FROM report')"

# ---- shapes of a message-passing program: as with --map
ranks=4
"$program" advise "$ring" -m cluster.xml --shapes --json >shapes.json 2>stderr
result $? /advise-machines/shapes "$(cat stderr)"
for k in 1 2 4; do
  "$program" run "$ring" -m cluster.xml --map per-node:$k --json >map.$k 2>/dev/null
done
python3 - "$ranks" >found <<'EOF'
import json, os, sys
n = int(sys.argv[1])
shapes = json.load(open("shapes.json"))
wrong = 0
for option in shapes["options"]:
    nodes, per_node = map(int, option["shape"].split("x"))
    wrong += nodes * per_node != n
    alone = json.load(open(f"map.{per_node}"))["runs"][0]["execution_time"]
    wrong += option["runs"][0]["execution_time"] != alone
least = min(o["runs"][0]["execution_time"] for o in shapes["options"])
print(wrong, len(shapes["options"]) >= 2, shapes["best"]["time"]["execution_time"] == least)
EOF
[ "$(cat found)" = '0 True True' ]
result $? /advise-machines/as-with-map "$(cat found) of $ranks ranks"

# ---- text: all criteria would say the same, so one does; what has no room is told
"$program" advise "$ring" -m cluster.xml -m mvs1000 >text 2>stderr
[ "$(grep -c '^Least' text)" = 1 ] && grep -q '^cluster.xml: ' text && grep -q '^mvs1000: MVS' text
result $? /advise-machines/text "$(cat text)"
sed 's/count="8" processors="4"/count="1" processors="2"/' cluster.xml >small.xml
"$program" advise "$ring" -m small.xml -m mvs1000 >text 2>stderr
grep -q '^Left out: small.xml: ' text
result $? /advise-machines/left-out "$(cat text stderr)"
"$program" advise "$ring" -m small.xml --shapes >text 2>stderr
status=$?
[ $status = 1 ] && [ ! -s text ] && grep -q 'nothing fits' stderr
result $? /advise-machines/nothing-fits "status $status: $(cat stderr)"

# ---- a trace that is cut: said, status 4; with --strict nothing but an error
gzip -dc "$heat" | head -c 60000 >cut.ptr
"$program" advise cut.ptr -m mvs1000 -m cluster.xml --max-procs 4 >text 2>stderr
status=$?
[ $status = 4 ] && grep -q '^The trace ends early' text && grep -q 'predicted nevertheless' stderr
result $? /advise-machines/cut "status $status: $(cat stderr)"
"$program" advise cut.ptr -m mvs1000 -m cluster.xml --max-procs 4 --strict >text 2>stderr
status=$?
[ $status = 1 ] && [ ! -s text ] && grep -q 'ends early' stderr
result $? /advise-machines/strict "status $status: $(cat stderr)"

# ---- what there is to say of reading a trace is said of each machine, as run says it of one
head -c 370 "$text" >odd.txt
"$program" run odd.txt -m mvs1000 --json 2>/dev/null >single.json
"$program" advise odd.txt -m mvs1000 -m cluster.xml --json 2>/dev/null >both.json
python3 - >found <<'EOF'
import json
def ids(o):
    return sorted(w["id"] for w in o["warnings"] + [w for r in o.get("runs", []) for w in r["warnings"]])
try:
    one, both = json.load(open("single.json")), json.load(open("both.json"))
    print([ids(o) == ids(one) and len(ids(o)) > 0 for o in both["options"]], both["interrupted"])
except ValueError as error:
    print(error)
EOF
[ "$(cat found)" = '[True, True] False' ]
result $? /advise-machines/messages "$(cat found)"

# usage NAME TEXT OPTION...
usage () {
  name=$1 text=$2
  shift 2
  "$program" advise "$@" >stdout 2>stderr
  status=$?
  [ $status = 2 ] && [ ! -s stdout ] && grep -qF -e "$text" stdout stderr
  result $? "/advise-machines/usage/$name" "status $status: $(cat stderr)"
}
usage map '--shapes: --map' "$heat" -m mvs1000 --shapes --map cyclic
usage flops '--flops: the trace is of a DVM program' "$heat" -m mvs1000 --flops 1Gf
usage counts 'nothing to choose' "$ring" -m mvs1000 -m cluster.xml -n 4
usage alltoall '--alltoall takes no trace' --alltoall -p 4 -m mvs1000 -m cluster.xml
"$program" advise "$heat" -m mvs1000 -m no-such-machine >stdout 2>stderr
status=$?
[ $status = 1 ] && [ ! -s stdout ] && grep -q "no-such-machine" stderr
result $? /advise-machines/no-such-machine "status $status: $(cat stderr)"

# ---- traces of a message-passing program on several numbers of ranks, in any order
# times are those of single runs; a chain of 2 and 5 ranks, each of which sends on what it gets
for n in 2 5 3; do
  mkdir -p "of$n"
  {
    for r in $(seq 0 $((n - 1))); do
      echo "$r init"
      [ "$r" = 0 ] || echo "$r recv $((r - 1)) 0 4096 6"
      echo "$r compute 30e6"
      [ "$r" = $((n - 1)) ] || echo "$r send $((r + 1)) 0 4096 6"
      echo "$r finalize"
    done
  } >"of$n/chain.ti"
  "$program" run "of$n/chain.ti" -m mvs1000 --json | sed -n 's/^ *"execution_time": \([0-9.]*\),$/\1/p' | head -n 1 >"of$n/time"
done
"$program" advise of5/chain.ti of2/chain.ti of3/chain.ti -m mvs1000 --json >ranks.json 2>stderr
result $? /advise-machines/ranks/run "$(cat stderr)"
python3 - >found <<'EOF'
import json
advice = json.load(open("ranks.json"))
print([[r["processors"], "%.9f" % r["execution_time"]] for r in advice["runs"]], advice["best"]["time"]["processors"])
EOF
expected=$(printf "[[2, '%.9f'], [3, '%.9f'], [5, '%.9f']] 2" "$(cat of2/time)" "$(cat of3/time)" "$(cat of5/time)")
[ "$(cat found)" = "$expected" ]
result $? /advise-machines/ranks/times "$(cat found), expected $expected"
"$program" convert of2/chain.ti two.otf2 2>stderr && mkdir -p two && "$program" convert of3/chain.ti three.otf2 2>stderr
"$program" advise three.otf2 two.otf2 -m mvs1000 -m gigabit-smp --csv ranks.csv -q 2>stderr
status=$?
[ $status = 0 ] && [ "$(grep -c . ranks.csv)" = 5 ]
result $? /advise-machines/ranks/machines "status $status: $(cat stderr ranks.csv)"
usage ranks-twice 'both of 2 ranks' of2/chain.ti of3/chain.ti of2/chain.ti -m mvs1000
usage ranks-mixed 'expected a trace of a message-passing program' of2/chain.ti "$heat" -m mvs1000

# Costs are of any size: 0.0839 s at 2 an hour are 4.66e-05.
"$program" advise "$heat" -m mvs1000 -m gigabit-smp -n 1,2 --by cost --price 2 >text 2>stderr
grep -q '^mvs1000  *1  *1  *0.0839089  *100.0  4.662e-05 ' text
result $? /advise-machines/small-costs "$(cat text stderr)"

tap_done

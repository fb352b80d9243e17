#!/bin/sh
# The range of a prediction: the same in all forms and in every run, and nothing else changes with
# it; each source where a trace or a machine has it, and no wider without.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/range
heat=$PWD/tests/data/heat2d_600.ptr.gz
gauss=$PWD/tests/data/gauss_240.ptr.gz
ring=$PWD/tests/data/ring.ti
machines=$PWD/machines
schema=$PWD/schemas/report.rng
cd "$scratch" || exit 1

# field NAME [OPTION...]: of the first run, in JSON
field () {
  what=$1
  shift
  "$program" run "$@" --json 2>stderr | python3 -c 'import json, sys
run = json.load(sys.stdin)["runs"][0]
print(eval(sys.argv[1], {"run": run, "of": {r["source"]: r for r in run.get("execution_range", [])}}))' "$what"
}

# ---- nothing else depends on it

"$program" run "$heat" -m "$machines/example-cluster.xml" -n 2,4 --json >with.json 2>stderr
"$program" run "$heat" -m "$machines/example-cluster.xml" -n 2,4 --no-range --json >without.json 2>stderr
python3 - >found <<'END'
import json
a, b = json.load(open("with.json")), json.load(open("without.json"))
for run in a["runs"]:
    for key in "execution_time_low", "execution_time_high", "execution_range":
        del run[key]
del a["command_line"], b["command_line"]
print("same" if a == b else "different")
END
[ "$(cat found)" = same ]
result $? $area/nothing-else "$(cat found)"
for form in csv xml html db; do
  for i in 1 2; do
    "$program" run "$heat" -m "$machines/two-cores.xml" -n 2 -q --$form out -o /dev/null && mv out "$form.$i"
  done
  cmp -s $form.1 $form.2
  result $? $area/same-bytes/$form "they differ"
done
"$program" run "$heat" -n 2 -q --no-range --db none.db -o none.txt
! grep -q "90 %" none.txt && [ "$(sqlite3 none.db 'SELECT count (*) FROM execution_range')" = 0 ]
result $? $area/none "$(cat none.txt)"

# ---- all forms agree

low=$(field 'run["execution_time_low"]' "$heat" -m "$machines/two-cores.xml" -n 2)
python3 - "$low" >found <<'END'
import csv, re, sys, xml.etree.ElementTree as tree
run = tree.parse("xml.1").getroot().find("run")
rows = run.findall("execution_range")
line = next(csv.DictReader(open("csv.1")))
ends = float(run.get("execution_time_low")), float(run.get("execution_time_high"))
print("agree" if ends == (float(line["execution_time_low"]), float(line["execution_time_high"]))
      and ends[0] == float(sys.argv[1]) and ends[0] < float(run.get("execution_time")) < ends[1]
      and rows[0].get("source") == "all" and float(rows[0].get("low")) == ends[0]
      and abs(sum(float(r.get("share")) for r in rows[1:]) - 1) < 1e-3 else (ends, line))
END
[ "$(cat found)" = agree ]
result $? $area/forms "$(cat found)"
stored=$(sqlite3 db.1 "SELECT low_ps FROM execution_range WHERE source = 'all'")
awk -v a="$stored" -v b="$low" 'BEGIN { exit !(a == sprintf ("%.0f", b * 1e12)) }'
result $? $area/forms/sqlite "$stored, not $low s"
xmllint --noout --relaxng "$schema" xml.1 2>found
result $? $area/schema "$(cat found)"
"$program" run "$heat" -m "$machines/two-cores.xml" -n 2 2>stderr | tr '\n' ' ' | grep -o 'Execution time.* Chara' >wanted
"$program" report db.1 --run 1 2>stderr | tr '\n' ' ' | tr -s ' ' >found
range=$(sed 's/ *Chara$//' wanted)
[ -n "$range" ] && grep -qF "$range" found
result $? $area/stored "$(cat wanted found)"
grep -q '90 % range' html.1
result $? $area/page "no range in the page"

# ---- sources

# holds NAME EXPRESSION OPTION...: of the rows by source
holds () {
  name=$1 wanted=$2
  shift 2
  found=$(field "$wanted" "$@")
  [ "$found" = True ]
  result $? "$area/source/$name" "$wanted is $found; $(cat stderr)"
}

holds floor 'set(of) == {"all", "measured"} and of["measured"]["low"] == of["all"]["low"]' "$ring"
holds scatter 'of["scatter"]["low"] < run["execution_time"] < of["scatter"]["high"]' "$heat"
holds clock 'of["clock"]["high"] > run["execution_time"]' "$gauss"
# kept: what clamping added, and nothing on the other side but the step of the clock
kept='run["execution_time"] / of["clock"]["low"] > 2'
holds clock-kept "$kept" "$gauss" --clamped keep
holds clock-decoded "not $kept" "$gauss"
holds recorder 'of["recorder"]["low"] < of["recorder"]["high"] == run["execution_time"]' "$gauss"
holds outliers-kept 'of["outliers"]["low"] < of["outliers"]["high"] == run["execution_time"]' "$heat"
holds outliers-replaced 'of["outliers"]["low"] == run["execution_time"] < of["outliers"]["high"]' \
  "$heat" --outliers median
holds machine 'of["machine"]["high"] > run["execution_time"]' "$heat" -n 2 \
  -m "$machines/two-cores-2026-mpich.xml"
holds no-machine '"machine" not in of' "$heat" -n 2 -m "$machines/two-cores.xml"
cat >noisy.xml <<'END'
<machine name="noisy" version="1"><network type="ideal"><nodes count="2"/></network>
<noise kind="normal" sigma="0.2"/></machine>
END
holds noise 'of["noise"]["high"] > run["execution_time"]' "$heat" -n 2 -m noisy.xml
holds samples 'abs(of["noise"]["high"] / (sorted(run["samples"]["times_ps"])[18] / 1e12) - 1) < 1e-6' "$heat" -n 2 \
  -m noisy.xml --samples 20

# ---- points of studies and grids of advice have the range that run says

# ends OPTION...: of each run, in picoseconds
ends () {
  "$program" run "$@" --json 2>stderr | python3 -c 'import json, sys
for run in json.load(sys.stdin)["runs"]:
    print("%.0f %.0f" % (run["execution_time_low"] * 1e12, run["execution_time_high"] * 1e12))'
}

# swept NAME JOBS OPTION...: of the points of a study
swept () {
  rm -f "$1.sqlite"
  study=$1 jobs=$2
  shift 2
  "$program" sweep "$@" --db "$study.sqlite" -j "$jobs" >/dev/null 2>stderr
  sqlite3 -separator ' ' "$study.sqlite" \
    'SELECT execution_time_low_ps, execution_time_high_ps FROM points ORDER BY point'
}

ends "$heat" -m "$machines/two-cores.xml" -n 1,2 >wanted
swept dvm 1 "$heat" -m "$machines/two-cores.xml" -n 1,2 >found && [ -s wanted ] && cmp -s wanted found
result $? $area/sweep/dvm "$(cat wanted found stderr)"
swept dvm 2 "$heat" -m "$machines/two-cores.xml" -n 1,2 >found && cmp -s wanted found
result $? $area/sweep/workers "$(cat wanted found stderr)"
for startup in 1us 2us 3us; do
  ends "$ring" -m "$machines/example-cluster.xml" --set network/startup=$startup
done >wanted
swept mpi 1 "$ring" -m "$machines/example-cluster.xml" --vary network/startup=1us,2us,3us >found
[ "$(wc -l <wanted)" = 3 ] && cmp -s wanted found
result $? $area/sweep/mpi "$(cat wanted found stderr)"
"$program" report dvm.sqlite --csv >table 2>stderr
python3 - >found <<'END'
import csv, sqlite3
rows = list(csv.DictReader(open("table")))
ends = sqlite3.connect("dvm.sqlite").execute("SELECT execution_time_low_ps, execution_time_high_ps FROM points")
print("agree" if [(round(float(r["time-low"]) * 1e12), round(float(r["time-high"]) * 1e12)) for r in rows] == list(ends)
      and len(rows) == 2 else rows)
END
[ "$(cat found)" = agree ]
result $? $area/sweep/csv "$(cat found stderr)"
# a study of before has no ranges
sqlite3 dvm.sqlite "DELETE FROM figure WHERE name LIKE '%low_ps' OR name LIKE '%high_ps'"
"$program" report dvm.sqlite --csv 2>stderr | tr -d '\r' | grep -c ',,$' >found
[ "$(cat found)" = 2 ]
result $? $area/sweep/without "$(cat found stderr)"

ends "$heat" -m "$machines/two-cores.xml" -n 1,2 >wanted
"$program" advise "$heat" -m "$machines/two-cores.xml" -n 1,2 --json 2>stderr | python3 -c 'import json, sys
advice = json.load(sys.stdin)
for run in advice["runs"]:
    print("%.0f %.0f" % (run["execution_time_low"] * 1e12, run["execution_time_high"] * 1e12))
best = advice["best"]["time"]
assert best["execution_time_low"] < best["execution_time"] < best["execution_time_high"]' >found 2>>stderr
cmp -s wanted found
result $? $area/advise "$(cat wanted found stderr)"
"$program" advise "$heat" -m "$machines/two-cores.xml" -n 1,2 --csv table -q 2>stderr
python3 - >found <<'END'
import csv
for row in csv.DictReader(open("table")):
    print("%.0f %.0f" % (float(row["execution_time_low"]) * 1e12, float(row["execution_time_high"]) * 1e12))
END
cmp -s wanted found
result $? $area/advise/csv "$(cat wanted found stderr)"
"$program" advise "$ring" -m "$machines/example-cluster.xml" -m "$machines/mvs1000.xml" --csv machines.csv -q 2>stderr
python3 - >found <<'END'
import csv
rows = list(csv.DictReader(open("machines.csv")))
print("ranges" if len(rows) > 1 and all(float(r["execution_time_low"]) < float(r["execution_time"]) for r in rows) else rows)
END
[ "$(cat found)" = ranges ]
result $? $area/advise/machines "$(cat found stderr)"

tap_done

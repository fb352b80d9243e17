#!/bin/sh
# predictor advise from outside: wrong command lines, its outputs, the same
# bytes whatever the number of jobs, interruption, traces that end early.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/advise
heat=$PWD/tests/data/heat2d_600.ptr.gz
cluster=$PWD/machines/example-cluster.xml
cores=$PWD/machines/two-cores.xml
folder=$PWD/tests/data/heat2d_600_np2
cd "$scratch" || exit 1

# ---- bad input: one line that contains WORD, nothing printed, no file touched

advise () { "$program" advise "$@" -o refused.txt --csv refused.csv --db refused.sqlite; }

refused bad/no-trace 2 'a trace' advise
refused bad/same-traces 1 'recorded for the same processors' advise "$heat" "$heat"
refused bad/option 2 --frobnicate advise "$heat" --frobnicate
refused bad/max-procs-0 2 "'0'" advise "$heat" --max-procs 0
refused bad/max-procs-negative 2 "'-4'" advise "$heat" --max-procs=-4
refused bad/max-procs-huge 2 "'16777215'" advise "$heat" --max-procs 16777215
refused bad/max-procs-word 2 many advise "$heat" --max-procs many
refused bad/floor-above-1 2 "'1.01'" advise "$heat" --min-efficiency 1.01
refused bad/floor-negative 2 "'-0.1'" advise "$heat" --min-efficiency=-0.1
refused bad/floor-word 2 "'half'" advise "$heat" --min-efficiency half
refused bad/price-negative 2 "'-1'" advise "$heat" --price=-1
refused bad/price-word 2 "'cheap'" advise "$heat" --price cheap
refused bad/deadline-unit 2 "'5'" advise "$heat" --deadline 5
refused bad/deadline-0 2 "'0s'" advise "$heat" --deadline 0s
refused bad/by 2 "'speed'" advise "$heat" --by speed
refused bad/by-empty 2 "''" advise "$heat" --by ''
refused bad/limit 2 "'0'" advise "$heat" --limit 0
refused bad/jobs 2 "'0'" advise "$heat" -j 0
refused bad/rts 2 Msk4 advise "$heat" --rts Msk4=3
refused bad/startup 2 "'later'" advise "$heat" --startup later
refused bad/counts 2 "'4x'" advise "$heat" -n 4x
refused bad/trace-missing 1 absent.ptr advise absent.ptr
mkdir empty
refused bad/trace-folder 1 empty advise "$scratch/empty"
refused bad/machine-missing 1 absent.xml advise "$heat" -m absent.xml
refused bad/machine-too-small 1 8 advise "$heat" -m "$cores" -n 8
refused bad/map 1 zigzag advise "$heat" --map zigzag
zcat "$heat" | head -c 60000 >cut.ptr
refused bad/strict 1 'ends early' advise "$scratch/cut.ptr" --strict --max-procs 2
"$program" advise "$heat" --max-procs 2 --csv /no/such/file.csv >stdout 2>stderr
[ $? = 1 ] && [ ! -s stdout ] && grep -q /no/such stderr
result $? /advise/bad/unwritable "$(cat stderr)"

# ---- outputs

"$program" advise "$heat" -m "$cluster" --max-procs 24 --csv a.csv --db a.sqlite -o a.txt --json >a.json 2>stderr
[ $? = 0 ] && [ ! -s stderr ]
result $? /advise/outputs "$(cat stderr)"
for i in 1 2 3; do
  "$program" advise "$heat" -m "$cluster" --max-procs 24 -j $i --csv "$i.csv" -o "$i.txt" --json | grep -v '"command_line"' >"$i.json"
  sed -i '/^Command: /d' "$i.txt"
done
cmp 1.csv 2.csv && cmp 1.csv 3.csv && cmp 1.csv a.csv && cmp 1.txt 3.txt && cmp 1.json 2.json && cmp 1.json 3.json && [ -s 1.json ]
result $? /advise/jobs
! head -n 1 a.csv | grep -q sendrecv_time && head -n 1 a.csv | grep -q wait_shadow && awk -F, '{ n[NF] } END { exit length (n) != 1 }' a.csv
result $? /advise/csv-columns "$(head -n 1 a.csv)"

# what is predicted is what "run" predicts
grid=$(sed -n 's/^[0-9]*,\([0-9x]*\),predicted,[^,]*T.*/\1/p' a.csv)
time=$(sed -n '/"time": {/,/}/s/^ *"execution_time": \(.*\),$/\1/p' a.json)
[ -n "$grid" ] && "$program" run "$heat" -m "$cluster" -n "$grid" --json | grep -q "^   \"execution_time\": $time,\$"
result $? /advise/as-run "$grid: $time"

# every grid once: 24 counts have sum of divisors' number = 84 grids
[ "$(tail -n +2 a.csv | cut -d, -f1,2 | sort -u | wc -l)" = 84 ] && [ "$(tail -n +2 a.csv | wc -l)" = 84 ]
result $? /advise/grids "$(cut -d, -f1,2 a.csv)"
fields=$(awk -F, '{ print NF }' a.csv | sort -u)
[ "$(echo "$fields" | wc -l)" = 1 ]
result $? /advise/csv-columns "$fields"
predicted=$(grep -c ',predicted,' a.csv)
[ "$(sqlite3 a.sqlite 'SELECT count(*) FROM run')" = "$predicted" ] && "$program" report a.sqlite | grep -q "  $grid  "
result $? /advise/database "$predicted"
if command -v python3 >/dev/null; then
  python3 -c '
import json
d = json.load (open ("a.json"))
assert list (d["best"]) == ["time", "efficiency", "cost"]
assert min (r["execution_time"] for r in d["runs"]) == d["best"]["time"]["execution_time"]
assert min (r["cost"] for r in d["runs"]) == d["best"]["cost"]["cost"]
good = [r for r in d["runs"] if r["efficiency"] >= d["criteria"]["min_efficiency"]]
assert min (r["execution_time"] for r in good) == d["best"]["efficiency"]["execution_time"]
assert all (abs (r["cost"] - r["processors"] * r["execution_time"]) < 1e-9 for r in d["runs"])
assert len (d["runs"]) + len (d["pruned"]) == 84 and not d["interrupted"]
' 2>stderr
  result $? /advise/json "$(cat stderr)"
else
  skip /advise/json "python3 is absent"
fi

wide=$(sed '/^Input\|^ *\/\|^Machine\|^note\|^warning\|^Command/d' a.txt | awk 'length > 80')
[ -z "$wide" ]
result $? /advise/width "$wide"
"$program" advise "$heat" -m "$cluster" --max-procs 24 -v >verbose.txt
[ "$(grep -c '^ *[0-9][0-9]*  *[0-9x][0-9x]*  *0\.' verbose.txt)" = "$predicted" ]
result $? /advise/verbose "$(grep -c '^ *[0-9]' verbose.txt) of $predicted"
"$program" advise "$folder" --max-procs 2 --csv two.csv -q && [ "$(grep -c predicted two.csv)" = 3 ]
result $? /advise/two-processors
"$program" advise "$heat" --max-procs 4 -q >quiet.txt
[ $? = 0 ] && [ ! -s quiet.txt ]
result $? /advise/quiet
"$program" advise - --max-procs 4 <"$heat" >stdin.txt && "$program" advise "$heat" --max-procs 4 >file.txt \
  && [ "$(grep -A 1 '^Least' stdin.txt)" = "$(grep -A 1 '^Least' file.txt)" ]
result $? /advise/standard-input
"$program" advise "$heat" --max-procs 4 --by cost --price 3600 >price.txt \
  && tr '\n' ' ' <price.txt | grep -q ' Least cost: 1 (1 processor), .* cost 0.08391  ' \
  && ! grep -q '^Least time' price.txt
result $? /advise/by-price "$(cat price.txt)"
"$program" advise "$heat" --max-procs 4 --min-efficiency 1 --deadline 1ns >none.txt && grep -q '^Least cost in at most 1e-09 s: no grid$' none.txt
result $? /advise/no-grid "$(cat none.txt)"

# ---- ends

"$program" advise cut.ptr --max-procs 4 -o cut.txt 2>stderr
[ $? = 4 ] && grep -q '^The trace ends early' cut.txt && [ "$(grep -c 'ends early' stderr)" = 1 ]
result $? /advise/incomplete "$(cat stderr)"
timeout -s INT --preserve-status 2 "$program" advise "$heat" -n 1,2,2x2,512x512,512x511,512x510 -j 1 --csv part.csv -q 2>stderr
[ $? = 130 ] && [ "$(grep -c '' stderr)" = 1 ] && grep -q '^4,2x2,predicted' part.csv && ! grep -q '512x510,predicted' part.csv
result $? /advise/interrupted "$(cat stderr part.csv)"

tap_done

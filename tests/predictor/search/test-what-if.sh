#!/bin/sh
# predictor run --what-if: the gain of each change against the changed program, grid or machine
# itself; all forms; the plain result stays.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/what-if
heat=$PWD/tests/data/heat2d_600.ptr.gz
sor=$PWD/tests/data/sor2d_2000.ptr.gz
edit=$PWD/tests/support/dvm/edit-trace.py
cd "$scratch" || exit 1

# Records that are moved or put in change which times the recorder clamped: those are kept.
#
# time OPTION...: Execution_time of the predicted run
time_of () {
  "$program" run "$@" --clamped keep --json 2>stderr | python3 -c 'import json, sys
print(json.load(sys.stdin)["runs"][0]["execution_time"])'
}

# gains NAME ID PLAIN WANTED OPTION...: the gain of change ID, "id" or "id value", is within 2 % of
# the one of a run that takes WANTED s, where the unchanged one takes PLAIN s
gains () {
  gains_name=$1 gains_id=$2 gains_plain=$3 gains_wanted=$4
  shift 4
  "$program" run "$@" --clamped keep --what-if --json >found.json 2>stderr
  python3 - "$gains_id" "$gains_plain" "$gains_wanted" >found <<'END'
import json, sys
found = [w for w in json.load(open("found.json"))["runs"][0]["what_ifs"]
         if (w["id"] + " " + w["value"]).strip() == sys.argv[1]]
gain = float(sys.argv[2]) - float(sys.argv[3])
print("one" if len(found) == 1 and abs(found[0]["gain"] - gain) <= 0.02 * abs(gain) and gain != 0
      else "wanted a gain of %s, got %s" % (gain, found))
END
  [ "$(cat found)" = one ]
  result $? "$area/$gains_name" "$(cat found stderr)"
}

# The changed programs: what is recorded of them is what a programmer would have changed.
for change in overlap late-wait two merged; do
  python3 "$edit" $change "$heat" >$change.ptr || exit 1
done
on='-m mvs1000 -n 4x4'
plain=$(time_of "$heat" $on)
gains overlap shadow-overlap "$plain" "$(time_of overlap.ptr $on)" "$heat" $on
star='--rts MPIReduce=0'
gains late-wait reductions-late-wait "$(time_of "$heat" $on $star)" \
  "$(time_of late-wait.ptr $on $star)" "$heat" $on $star
gains merged reductions-merged "$(time_of two.ptr $on)" "$(time_of merged.ptr $on)" two.ptr $on

# the machine and the grid: what --set and -n give
gains network network-2 "$plain" "$(time_of "$heat" $on --set network/startup=3.5us \
  --set network/per-byte=2ns --set network/nodes/memory/startup=0.5us \
  --set network/nodes/memory/per-byte=0.5ns)" "$heat" $on
gains processors processors-2 "$plain" "$(time_of "$heat" $on --set network/nodes/speed=2)" \
  "$heat" $on
gains grid 'grid 2x8' "$plain" "$(time_of "$heat" -m mvs1000 -n 2x8)" "$heat" $on
on='-m mvs1000 -n 16x1'
plain=$(time_of "$sor" $on)
gains transposed 'grid-transposed 1x16' "$plain" "$(time_of "$sor" -m mvs1000 -n 1x16)" "$sor" $on

# 33 portions, twice as many, four times as many ...: the best is what the program itself would
# take with that number
"$program" run "$sor" $on --what-if --json >sor.json 2>stderr
portions=$(python3 -c 'import json
print(*[w["value"] for w in json.load(open("sor.json"))["runs"][0]["what_ifs"] if w["id"] == "portions"])')
[ "${portions:-0}" -gt 1 ]
result $? $area/portions-found "$portions"
gains portions "portions $portions" "$plain" \
  "$(time_of "$sor" $on --rts AcrossGroupNumber="$portions")" "$sor" $on

# two kinds of processors: larger blocks for the faster ones
cat >mixed.xml <<'END'
<machine name="mixed" version="1">
  <network type="ethernet" startup="10us" per-byte="1ns">
    <nodes count="2" speed="2"/><nodes count="2" speed="1"/>
  </network>
</machine>
END
on='-m mixed.xml -n 4'
gains weights weights-from-speed "$(time_of "$heat" $on)" \
  "$(time_of "$heat" $on --weights-from-speed)" "$heat" $on

# ---- what is not tried, and what stays

"$program" run "$heat" -n 1 --what-if --json >one.json 2>stderr
[ "$(python3 -c 'import json
print(*[w["id"] for w in json.load(open("one.json"))["runs"][0]["what_ifs"]])')" = processors-2 ]
result $? $area/one-processor "$(cat stderr)"
"$program" run "$heat" -m mvs1000 -n 4x4 --json >plain.json 2>stderr
"$program" run "$heat" -m mvs1000 -n 4x4 --what-if --json >with.json 2>stderr
python3 - >found <<'END'
import json
plain, found = json.load(open("plain.json")), json.load(open("with.json"))
rows = found["runs"][0].pop("what_ifs")
for one in (plain, found):
    del one["command_line"]
gains = [row["gain"] for row in rows]
ids = [row["id"] for row in rows]
print(plain == found, gains == sorted(gains, reverse=True), "portions" in ids,
      "reductions-merged" in ids, "weights-from-speed" in ids)
END
[ "$(cat found)" = 'True True False False False' ]
result $? $area/stays "$(cat found)"

# ---- forms

"$program" run "$heat" -m mvs1000 -n 2x2,4x4 --what-if --xml f.xml --csv f.csv --db f.db \
  --html f.html -o f.txt 2>stderr
result $? $area/forms "$(cat stderr)"
valid schema report f.xml
rows=$(xmllint --xpath 'count(//what_if)' f.xml)
[ "$rows" -gt 10 ] && [ "$(sqlite3 f.db 'SELECT count (*) FROM what_if')" = "$rows" ] &&
  [ "$(wc -l <f-what-if.csv)" = $((rows + 1)) ] && [ "$(grep -c '^2,' f-what-if.csv)" -gt 5 ]
result $? $area/rows "$rows; $(head -3 f-what-if.csv)"
[ "$(sqlite3 f.db 'SELECT count (*) FROM what_if a JOIN what_if b ON a.run = b.run
  AND b.position = a.position + 1 WHERE b.gain > a.gain')" = 0 ]
result $? $area/order
grep -q 'What-if analysis' f.html && grep -q 'imlast_' f.html && xmllint --noout f.html 2>stderr
result $? $area/page "$(cat stderr)"
has text 0 'shadow-overlap: 0.0004' "$program" run "$heat" -m mvs1000 -n 4x4 --what-if
has diagnosis 0 "Diagnosis, by the intervals' own time" "$program" run "$heat" -m mvs1000 -n 4x4 --what-if
has csv-stdout 0 'run,id,value,time,gain,percent,change,how' \
  "$program" run "$heat" -m mvs1000 -n 4x4 --what-if --csv -
fails mpi 2 '--what-if is of DVM programs' "$program" run "$root/tests/data/ring.ti" --what-if
fails csv-twice 2 'f-what-if.csv' "$program" run "$heat" --what-if --csv f.csv --xml f-what-if.csv

tap_done

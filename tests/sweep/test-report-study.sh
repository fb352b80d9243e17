#!/bin/sh
# predictor report of a study: tables, fronts, charts, pages, against what its database holds.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/report-study
heat=$PWD/tests/data/heat2d_600.ptr.gz
cd "$scratch" || exit 1

"$program" sweep "$heat" -m mvs1000 --vary procs=1,2,4,2x2,3x2 \
  --vary network/startup=1us,10us,100us --vary "map=block,cyclic" --db s.sqlite -q 2>stderr
result $? /report-study/sweep "$(cat stderr)"

"$program" report s.sqlite --no-plot >text 2>stderr
[ $? = 0 ] && grep -q '^Study    s.sqlite, 30 of 30 points: 30 done$' text \
  && grep -q '^Time, s against procs$' text && grep -q '^The best over network/startup, map.$' text
result $? /report-study/text "$(cat text stderr)"

# CSV has what the database has; the front is what nobody beats; speed-up is against one processor
"$program" report s.sqlite --csv -o all.csv --price 3.6
"$program" report s.sqlite --chart pareto --no-plot >pareto
python3 - >found <<'EOF' 2>stderr
import csv, sqlite3
rows = list(csv.DictReader(open("all.csv")))
db = {r[0]: r for r in sqlite3.connect("s.sqlite").execute(
    'SELECT point, procs, "network/startup", map, execution_time_ps, total_time, efficiency FROM points')}
wrong = 0
for r in rows:
    d = db[int(r["point"])]
    wrong += r["procs"] != d[1] or r["map"] != d[3]
    wrong += abs(float(r["time"]) - d[4] / 1e12) > 1e-12 or abs(float(r["cost"]) - d[5] / 1000) > 1e-12
    wrong += abs(float(r["efficiency"]) - d[6]) > 1e-9
    wrong += abs(sum(float(r[k]) for k in ("productive", "insufficient-parallelism", "communication", "idle")) - 1) > 1e-9
    base = [b for b in rows if b["procs"] == "1" and b["network/startup"] == r["network/startup"] and b["map"] == r["map"]][0]
    wrong += abs(float(r["speed-up"]) * float(r["time"]) - float(base["time"])) > 1e-9
front = set()
for r in rows:
    t, c = float(r["time"]), float(r["cost"])
    if not any(float(o["time"]) <= t and float(o["cost"]) <= c and
               (float(o["time"]) < t or float(o["cost"]) < c) for o in rows):
        front.add((t, c))
lines = open("pareto").read().split("none beats in both\n\n")[1].split("\n\n")[0].split("\n")[1:]
print(len(rows), wrong, len(front) == len(lines), sorted(int(l.split()[0]) for l in lines)
      == sorted(min(int(r["point"]) for r in rows if (float(r["time"]), float(r["cost"])) == f) for f in front))
EOF
[ "$(cat found)" = '30 0 True True' ]
result $? /report-study/figures "$(cat found stderr)"

# a table of two axes, and only some of the points
"$program" report s.sqlite --chart heat --x procs --by network/startup --where map=cyclic \
  --metric efficiency --no-plot >text 2>stderr
grep -q '^The best 10 of 15 points with a result, by efficiency$' text \
  && grep -q '^procs *1us *10us *100us$' text && grep -q '^1 *100.0 *100.0 *100.0$' text
result $? /report-study/heat "$(cat text stderr)"

# the page: curves, speed-up, parts, heat map and front; it asks nothing of the network
"$program" report s.sqlite --html page.html -o /dev/null 2>stderr && xmllint --noout page.html 2>>stderr
result $? /report-study/page "$(cat stderr)"
[ "$(grep -o 'data-chart="study-[a-z]*"' page.html | sort -u | wc -l)" = 4 ] && [ "$(grep -c 'data-chart=' page.html)" = 5 ] \
  && ! grep -qE '(src|href)="https?:' page.html
result $? /report-study/page-parts "$(grep -o 'data-chart=[^ ]*' page.html)"

# an axis may have more values than a page has room for
"$program" sweep "${heat%/*}/ring.ti" -m loggops:latency=1us,nodes=4 --vary network/latency=1us:60ms:lin30000 --db long.sqlite -q >/dev/null 2>stderr \
  && "$program" report long.sqlite --html long.html -o /dev/null 2>>stderr && xmllint --noout long.html 2>>stderr \
  && [ "$(wc -c <long.html)" -le 5000000 ] && [ "$(grep -c 'more places are left out' long.html)" = 3 ]
result $? /report-study/page-long "$(wc -c long.html; cat stderr)"
python3 - >found <<'EOF' 2>stderr
import csv, json, re
data = json.loads(re.search(r'id="pd-data">(.*?)</script>', open("page.html").read(), re.S).group(1))
rows = list(csv.DictReader(open("all.csv")))
time, front = data["study1"], data["study5"]
best = {}
for r in rows:
    best[r["procs"]] = min(best.get(r["procs"], 1e9), float(r["time"]))
drawn = {time["x"]["text"][x]: v for x, v in zip(time["at_x"], time["value"])}
print(all(abs(drawn[k] - best[k]) < 1e-8 * best[k] for k in best) and len(drawn) == len(best),
      len(front["time"]) == len(rows) + sum(front["front"]), len(front["name"]) == len(front["time"]))
EOF
[ "$(cat found)" = 'True True True' ]
result $? /report-study/page-data "$(cat found stderr)"

# pictures
if command -v gnuplot >/dev/null 2>&1; then
  for chart in curves heat parts pareto; do
    "$program" report s.sqlite --chart $chart --plot $chart.png -o /dev/null 2>stderr &&
      "$program" report s.sqlite --chart $chart --plot $chart.svg -o /dev/null 2>>stderr &&
      [ "$(head -c 4 $chart.png | tail -c 3)" = PNG ] && xmllint --noout $chart.svg 2>>stderr
    result $? "/report-study/plot/$chart" "$(cat stderr)"
  done
  "$program" report s.sqlite >text && grep -q 'A' text && [ "$(wc -l <text)" -gt 40 ]
  result $? /report-study/plot/text "$(cat text)"
  # a heat map leaves the squares of points without a result empty
  for speeds in 1,3,2 1,0,2; do
    "$program" sweep "$heat" -m mvs1000 --vary network/startup=1us,2us,3us,4us \
      --vary network/nodes/speed=$speeds --db $speeds.sqlite -q 2>stderr
    "$program" report $speeds.sqlite --chart heat --plot $speeds.svg -o /dev/null 2>>stderr
  done
  [ $(($(grep -c '<polygon' 1,3,2.svg) - $(grep -c '<polygon' 1,0,2.svg))) = 4 ]
  result $? /report-study/plot/hole "$(grep -c '<polygon' 1,3,2.svg 1,0,2.svg; cat stderr)"
else
  skip /report-study/plot 'gnuplot is not installed'
fi

# Points that fill the space are a list, not a table that is mostly empty.
"$program" sweep "$heat" -m mvs1000 --vary network/startup=1us:100us:log60 \
  --vary network/nodes/speed=1:9:log60 --sample sobol:30 --db space.sqlite -q 2>stderr
"$program" report space.sqlite --chart heat --no-plot >text 2>>stderr
sed -n '/^Time, s against/,/^Time and cost/p' text >list
[ "$(grep -c '^ *[0-9][0-9]* .*us ' list)" = 30 ] && grep -q '^Point  network/startup' list
result $? /report-study/space "$(cat stderr list)"

# without gnuplot tables have to do; a picture cannot be had
PREDICTOR_GNUPLOT=/nonexistent/gnuplot "$program" report s.sqlite >text 2>stderr
[ $? = 0 ] && grep -q '^No plot: pictures need gnuplot' text
result $? /report-study/no-gnuplot "$(cat text stderr)"
PREDICTOR_GNUPLOT=/nonexistent/gnuplot "$program" report s.sqlite --plot no.png >text 2>stderr
status=$?
[ $status = 1 ] && [ ! -s text ] && [ ! -e no.png ] && grep -q 'need gnuplot' stderr
result $? /report-study/no-picture "status $status: $(cat stderr)"

# of a sample each point has a line and a column of its own: a list, no empty grid
for n in 10 100 400; do
  "$program" sweep "$heat" --vary cpu-ratio=0.5:2:log --vary seed=1:1000000:lin --sample sobol:$n --db sample-$n.sqlite -q
  "$program" report sample-$n.sqlite --chart heat --no-plot >sample-$n
done
[ "$(grep -c '  -  .*  -  ' sample-10)" = 10 ] && [ $(($(wc -c <sample-400) * 2)) -lt $(($(wc -c <sample-100) * 9)) ] \
  && [ "$(sed -n '/^Time, s against/,/^Time and cost/p' sample-400 | grep -c '^ *[0-9]')" = 400 ]
result $? /report-study/sample "$(wc sample-*; head -n 30 sample-10)"

refused bad/chart 2 '--chart takes one of curves, heat, parts, pareto' "$program" report s.sqlite --chart pie
refused bad/metric 2 '--metric takes one of time' "$program" report s.sqlite --metric joy
refused bad/price 2 '--price takes' "$program" report s.sqlite --price -1
refused bad/axis 1 'it has procs, network/startup, map' "$program" report s.sqlite --x speed
refused bad/where-axis 1 'it has procs' "$program" report s.sqlite --where speed=2
refused bad/where-value 1 "no value '9us'" "$program" report s.sqlite --where network/startup=9us
refused bad/one-axis 1 'two different axes' "$program" report s.sqlite --chart heat --x procs --by procs
refused bad/ending 1 '.png or .svg' "$program" report s.sqlite --plot picture.jpg
refused bad/run 2 'is a study' "$program" report s.sqlite --run 1
"$program" run "$heat" -n 2 --db r.sqlite -q
refused bad/no-file 1 'does not exist' "$program" report absent.sqlite --chart heat
refused bad/no-study 2 'of results, not' "$program" report r.sqlite --chart heat
sqlite3 s.sqlite 'DROP TABLE axis_value' && refused bad/damaged 1 's.sqlite' "$program" report s.sqlite --csv

tap_done

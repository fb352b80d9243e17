#!/bin/sh
# predictor report with charts and pages of stored results: what is drawn is counted.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/report-charts
export COLUMNS=80
cp tests/data/heat2d_600.ptr.gz "$scratch/heat.ptr.gz"
cp tests/data/ring.ti machines/example-cluster.xml "$scratch"
cd "$scratch" || exit 1

# runs 1 to 4, 5 to 7, 8; 8 has a sensitivity, 9 has samples
"$program" run heat.ptr.gz -n 1,2,4,8 -m example-cluster.xml -q --db out.sqlite \
  && "$program" run heat.ptr.gz -n 1,2,4 -m mvs1000 -q --db out.sqlite \
  && "$program" run ring.ti -m mvs1000 --sensitivity -q --db out.sqlite \
  && "$program" run ring.ti -m mvs1000 --set noise/kind=normal --set noise/sigma=0.1 --samples 25 -q --db out.sqlite
[ "$(sqlite3 out.sqlite 'SELECT count (*) FROM run')" = 9 ]
result $? /report-charts/runs "$(sqlite3 out.sqlite 'SELECT id, report FROM run')"

# ---- pages, which need nothing else

page () {
  name=$1 runs=$2
  shift 2
  "$program" report out.sqlite "$@" --html page.html >stdout 2>stderr
  status=$?
  [ $status = 0 ] && [ "$(grep -c 'id="run[0-9]*"' page.html)" = "$runs" ] && [ ! -s stderr ]
  result $? "/report-charts/page/$name" "status $status: $(cat stderr; grep -o 'id="run[0-9]*"' page.html)"
}

page last 1
in_file page/last/samples 'data-chart="histogram"' page.html
page sensitivity 1 -r 8
in_file page/sensitivity/parameters 'network/startup' page.html
in_file page/sensitivity/inputs "$(sha256sum ring.ti | cut -d ' ' -f 1)" page.html
in_file page/sensitivity/command 'predictor run ring.ti -m mvs1000 --sensitivity' page.html
page several 1 -r 3
"$program" run heat.ptr.gz -n 1,2,4,8 -m example-cluster.xml -q --db four.sqlite --html run.html
"$program" report four.sqlite --html page.html >stdout 2>stderr
result $? /report-charts/page/four "$(cat stderr)"
# the same numbers as on the page of the run itself, but for values of single processors
tables () {
  sed -n 's/<td/\n<td/gp' "$1" | grep -o '^<td[^<]*</td>' | sort -u
}
tables run.html >of-run
tables page.html >of-report
[ "$(grep -c '' of-report)" -gt 40 ] && [ -z "$(comm -13 of-run of-report | head -n 5)" ]
result $? /report-charts/page/same-numbers "$(diff of-run of-report | head -n 20)"

report () { "$program" report "$@"; }

# ---- wrong ones: one line, no file

refused bad/kind 2 "'heat'" report out.sqlite --chart heat
refused bad/axis 2 --x report out.sqlite --x procs --html refused.html
refused bad/metric 2 --metric report out.sqlite --metric time --plot refused.svg
refused bad/no-samples 1 'run 3' report out.sqlite -r 3 --chart histogram --plot refused.svg
refused bad/no-sensitivity 1 'run 3' report out.sqlite -r 3 --chart sensitivity --plot refused.svg
refused bad/no-run 1 'no run 77' report out.sqlite -r 77 --html refused.html
refused bad/no-run-curves 1 'no run 77' report out.sqlite -r 77 --chart curves --plot refused.svg
refused bad/ending 1 .png report out.sqlite --plot refused.txt
PREDICTOR_GNUPLOT=/nowhere refused bad/no-gnuplot 1 gnuplot report out.sqlite --chart curves
[ -x "$(command -v gnuplot)" ] || {
  skip /report-charts/plot 'gnuplot is absent'
  tap_done
  exit
}

# ---- plots

# plot NAME ELEMENTS WORDS...: so many things named in the picture are like that
plot () {
  name=$1 titles=$2
  shift 2
  rm -f out.svg
  "$program" report out.sqlite "$@" --plot out.svg >stdout 2>stderr
  status=$?
  n=$(grep -c '<title>.*plot_[0-9]*</title>\|<g id="gnuplot_plot_[0-9]*' out.svg)
  [ $status = 0 ] && [ "$n" = "$titles" ] && [ ! -s stderr ]
  result $? "/report-charts/plot/$name" "status $status: $n of $titles: $(cat stderr)"
}

# shows NAME WORDS...: all of them are in the picture
shows () {
  name=$1 missing=
  shift
  for word in "$@"; do
    grep -qF -e "$word" out.svg || missing="$missing $word"
  done
  [ -z "$missing" ]
  result $? "/report-charts/plot/$name" "not there:$missing"
}

# bars NAME NUMBER: so many filled boxes
bars () {
  n=$(grep -c '<polygon fill' out.svg)
  [ "$n" = "$2" ]
  result $? "/report-charts/plot/$1" "$n bars, not $2: $(grep -c polygon out.svg)"
}

plot curves 8
shows curves/words 'Speed-up' 'Efficiency' 'Processors' '1: example-cluster' '2: mvs1000' '3: mvs1000' '4: mvs1000'
plot curves-of-one 2 --chart curves -r 6
plot parts 4 --chart parts
shows parts/words productive 'insufficient parallelism' communication idle '1:_1' '4:_8' '9:_4'
plot intervals 4 -r 4
shows intervals/words MAIN 'PAR_' 'SEQ_'
plot histogram 1 --chart histogram
shows histogram/words Samples 'Execution time'
plot sensitivity 1 --chart sensitivity
shows sensitivity/words speed network/startup
"$program" report out.sqlite --plot out.png >stdout 2>stderr && [ "$(head -c 4 out.png | tail -c 3)" = PNG ]
result $? /report-charts/plot/png "$(cat stderr)"

# in characters, below the tables
"$program" report out.sqlite --chart curves >stdout 2>stderr
[ $? = 0 ] && [ "$(grep -c ' Processors *$' stdout)" = 2 ] && [ "$(grep -c 'A\*\*\*' stdout)" -ge 2 ] && grep -q '^Machine  mvs1000$' stdout
result $? /report-charts/text "$(cat stdout stderr)"
"$program" report out.sqlite --chart curves --no-plot >out && "$program" report out.sqlite >plain && cmp -s out plain
result $? /report-charts/no-plot "$(diff out plain)"

tap_done

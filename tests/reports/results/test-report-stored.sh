#!/bin/sh
# predictor report of a stored run: operations, diagnosis and what-ifs are those that run printed;
# numbers of messages that are not known.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/report-stored
cp tests/data/heat2d_600.ptr.gz "$scratch/heat.ptr.gz"
cp -r tests/data/heat2d_600_np2 "$scratch/np2"
cd "$scratch" || exit 1

# lines FROM FILE: those from FROM to the next empty one
lines () {
  awk -v from="$1" 'index ($0, from) == 1 { on = 1 } /^$/ { if (on) exit } on' "$2"
}

# words FROM FILE: the same, one a line, wherever lines are wrapped
words () {
  lines "$1" "$2" | tr -s ' ' '\n'
}

"$program" run heat.ptr.gz -n 2x1 -m two-cores --what-if -v --db out.sqlite >printed
"$program" analyse np2 -q --db out.sqlite --xml m.xml --csv m.csv
"$program" report out.sqlite --run 1 --no-plot >stored
result $? /report-stored/run "$(cat stored)"
lines 'Operation ' printed >wanted
lines 'Operation ' stored >found
[ "$(wc -l <wanted)" = 5 ] && cmp -s wanted found
result $? /report-stored/operations "$(cat found)"
lines '- ' printed | sed '/^PAR /,$d' | tr -s ' ' '\n' >wanted
words '- ' stored >found
[ -s wanted ] && cmp -s wanted found
result $? /report-stored/diagnosis "$(cat wanted found)"
words 'What-if analysis' printed >wanted
words 'What-if analysis' stored >found
[ -s wanted ] && cmp -s wanted found
result $? /report-stored/what-ifs "$(cat found)"
"$program" report out.sqlite --run 1 --html page.html -o text --no-plot && grep -q 'processors-2' page.html
result $? /report-stored/page "$(cat text)"

"$program" report out.sqlite --run 2 --no-plot >stored
grep -q '^Shadow  *20  *0.131336  *0.000000  *0.028131 ' stored
result $? /report-stored/measured "$(cat stored)"
has messages/json 0 '"messages": null' "$program" analyse np2 --json
! grep '<run ' m.xml | grep -q messages && grep -q '^1,2,2x1,,,0,' m.csv
result $? /report-stored/messages/files "$(grep '<run ' m.xml; head -n 2 m.csv)"

tap_done

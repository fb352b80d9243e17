#!/bin/sh
# Measured runs of DVM programs from outside: analyse, run --reproduce and compare, in all forms;
# statistics files; an edited program; bad input.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/measured
cd "$scratch" || exit 1

cp -r "$root/tests/data/heat2d_600_np2" np2
cp "$root/tests/data/statistics.gz+" statistics
chmod -R u+w np2 statistics

# ---- analyse

"$program" analyse np2 -o text --xml a.xml --csv a.csv --db a.sqlite --html a.html 2>stderr
result $? /measured/analyse "$(cat stderr)"
grep -q '^2 processors (2x1), measured$' text && grep -q 'Wait_shadow  *0.131336' text \
  && grep -q '    *PAR heat2d.fdv:26  *20  *0.071409 ' text
result $? /measured/analyse/text "$(cat text)"
# the waiting that no model explains, in all and in both loops
[ "$(grep -c 'looks disturbed.*\[recording-disturbed\]' text)" = 3 ] && grep -q '^warning: MAIN: .* nothing explains 0.106203 s' text \
  && grep -q '^warning: PAR heat2d.fdv:19: .* nothing explains 0.041062 s' text && grep -q '^warning: PAR heat2d.fdv:26: .* nothing explains 0.065138 s' text
result $? /measured/analyse/disturbed "$(cat text)"
for form in a.xml a.csv a.sqlite; do
  case $form in
  *.csv) python3 -c 'import csv
rows = list (csv.DictReader (open ("a.csv", newline = "")))
assert any (r["line"] == "26" and abs (float (r["wait_shadow"]) - 0.131336) < 1e-6 for r in rows), rows' ;;
  *) "$program" compare np2 $form -t 0 >same 2>&1 ;;
  esac 2>stderr
  result $? "/measured/analyse/$form" "$(cat stderr; cat same)"
done
has analyse/json 0 '"wait_shadow": 0.131335' "$program" analyse np2 --json
grep -q '<title>Analysis of heat2d0_0.ptr.gz' a.html && grep -q 'recording-disturbed' a.html && ! grep -q '0 messages' a.html
result $? /measured/analyse/page "$(head -c 500 a.html)"
has analyse/full 0 'Load_Imbalance' "$program" analyse np2 --full
has analyse/one 0 '1 processor (1), measured' "$program" analyse "$root/tests/data/heat2d_600.ptr.gz"
gzip -cd "$root/tests/data/heat2d_600.ptr.gz" >one.ptr
from_stdin () { "$program" analyse - <one.ptr; }
has analyse/stdin 0 '1 processor (1), measured' from_stdin
for option in '--machine ideal' '--pop' '--compensate' '--top 3' '--level 1' '--timeline t.json' '--calls-above 5'; do
  # shellcheck disable=SC2086
  refused "analyse/refused/${option%% *}" 2 'means nothing' "$program" analyse np2 $option
done
mkdir part
cp np2/heat2d0_0.ptr.gz part
refused analyse/part 1 'processor' "$program" analyse part

# ---- predictions beside them

"$program" run np2 --reproduce -m two-cores -q --xml p.xml --html p.html 2>stderr
result $? /measured/reproduce "$(cat stderr)"
"$program" run np2 --reproduce -m two-cores >text 2>stderr
grep -q '^      P.*:26  *0.071409  *0.003761  *-94.73  *0.065668  *0.000232$' text && grep -q '^0  *0.150961000 ' text
result $? /measured/reproduce/text "$(cat text)"
grep -q 'Recorded communication' p.html && grep -q 'recorded_time' p.xml
result $? /measured/reproduce/forms "$(head -c 500 p.xml)"
refused reproduce/other-grid 1 'recorded on the grid 2x1' "$program" run np2 --reproduce -n 4
refused reproduce/transposed 1 'recorded on the grid 2x1' "$program" run np2 --reproduce -n 1x2
refused reproduce/grids 2 'expected none, or the recorded one' "$program" run np2 --reproduce -n 1,2

"$program" compare np2 p.xml --html c.html >text 2>stderr
result $? /measured/compare "$(cat stderr)"
[ "$(grep -c '    PAR heat2d.fdv:26 ' text)" = 2 ] && grep -q '^ *PAR heat2d.fdv:26  *0.131336  *0.000464  *-0.130871 ' text
result $? /measured/compare/text "$(cat text)"
grep -q 'recording-disturbed' stderr
result $? /measured/compare/disturbed "$(cat stderr)"
grep -q 'Communication of intervals' c.html
result $? /measured/compare/page "$(head -c 500 c.html)"
has compare/several 0 '3   statistics: measured, 2 processors (2x1)' "$program" compare np2 p.xml statistics

# ---- statistics

has statistics 0 'PAR st.fdv:19        20  0.0127000' "$program" analyse statistics
has statistics/compared 0 'A and B take the same time, 0.0227000 s.' "$program" compare statistics statistics
head -c 300 statistics >cut
refused statistics/cut 1 'is cut' "$program" analyse cut
printf '\001\000\002\000\010\000\010\000\010\000' >head
refused statistics/head 1 'is cut' "$program" analyse head
refused statistics/run 1 'statistics' "$program" run statistics

# ---- an edited program: lines shifted by 7, from the second loop on by 17; the first one split

awk '
  function shift (n) { return n < 16 ? n : n < 26 ? n + 7 : n + 17 }
  function extra (name, line, parameters) {
    printf "call_%s TIME=0.00000100 LINE=%d FILE=heat2d.fdv\n%s\n", name, line, parameters
    printf "ret_%s TIME=0.00000100 LINE=%d FILE=heat2d.fdv\n \n", name, line
  }
  match ($0, /LINE=[0-9]+/) {
    line = substr ($0, RSTART + 5, RLENGTH - 5)
    sub (/LINE=[0-9]+ */, "LINE=" shift (line) " ")
    if (/^call_dopl_/ && line == 20 && !open) {
      open = 1
      extra ("enloop_", 29, "nfrag=5; nline=26")
      extra ("bploop_", 30, "nfrag=5")
    }
    if (/^call_enloop_/) open = 0
  }
  match ($0, /nline=[0-9]+/) {
    line = shift (substr ($0, RSTART + 6, RLENGTH - 6))
    sub (/nline=[0-9]+/, "nline=" (line == 26 ? 30 : line))
  }
  { print }' one.ptr >edited.ptr
"$program" compare one.ptr edited.ptr >text 2>stderr
[ "$(grep -c 'only [AB]' text)" = 1 ] && grep -q 'PAR heat2d.fdv:26 .* only B' text && grep -q 'PAR heat2d.fdv:19 (B: 30) ' text \
  && grep -q 'PAR heat2d.fdv:26 (B: 43) ' text && grep -q 'SEQ heat2d.fdv:38 (B: 55) ' text
result $? /measured/edited "$(cat text stderr)"

tap_done

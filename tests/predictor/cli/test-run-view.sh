#!/bin/sh
# predictor run --level, --interval, --procs: what texts show of intervals and processors, against
# the database; documents have all, and pages a card of each interval.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/run-view
heat=$PWD/tests/data/heat2d_600.ptr.gz
cd "$scratch" || exit 1
run="$program run $heat -m mvs1000 -n 2x2"

# section BEGIN END FILE: its lines from one that begins with BEGIN to one that begins with END
section () {
  awk -v from="$1" -v to="$2" 'index ($0, from) == 1 { on = 1 } on && index ($0, to) == 1 && !/^$/ { exit } on' "$3"
}

# depth 1: MAIN and its three user intervals; depth 0: MAIN alone
for level in 0 1 2; do
  $run --level $level >text 2>stderr
  awk '/^Exec_time in s/ { exit } on { n++ } /^Interval/ { on = 1 } END { print n }' text >found
  case $level in 0) wanted=1 ;; 1) wanted=4 ;; 2) wanted=7 ;; esac
  [ "$(cat found)" = $wanted ]
  result $? "$area/level-$level" "wanted $wanted, got $(cat found stderr)"
done
has verbose-level 0 'MAIN: ' $run -v --level 0
lacks verbose-level-only 0 'PAR heat2d.fdv:26: ' $run -v --level 1

$run --interval heat2d.fdv:26 --procs 0,2-3 >text 2>stderr
result $? $area/interval "$(cat stderr)"
section 'PAR heat2d.fdv:26: ' 'Most of' text >one
for line in 'Inside: SEQ heat2d.fdv:17' 'Beside: PAR heat2d.fdv:19' 'Wait_shadow' '- Communication takes'; do
  grep -qF -e "$line" one
  result $? "$area/interval-has/$(echo "$line" | tr -cd a-zA-Z)" "$(cat one)"
done
# the processors' rows are those of the database, in the digits that the table has
$run --per-processor --db all.db -q 2>stderr
sqlite3 all.db "SELECT p.processor, printf ('%.7f', p.execution_time_ps / 1e12),
  printf ('%.7f', p.communication_ps / 1e12) FROM processor p JOIN interval i ON i.node = p.node
  WHERE i.line = 26 AND p.processor IN (0, 2, 3) ORDER BY 1" >wanted
awk '/^Processor/ { on = 1; next } on && NF == 0 { exit } on { print $1 "|" $2 "|" $5 }' one >found
[ -s found ] && cmp -s wanted found
result $? $area/processors "$(cat wanted found)"

# JSON has of every interval what the database has
$run --per-processor --json >all.json 2>stderr
python3 - >found 2>&1 <<'END'
import json, sqlite3
rows = sqlite3.connect("all.db").execute(
    "SELECT node, processor, execution_time_ps, idle_ps FROM processor ORDER BY node, processor").fetchall()
found = []
def visit(interval):
    node = len(nodes)
    nodes.append(interval)
    values = interval["by_processor_ps"]
    found.extend((node, p, t, values["idle"][p]) for p, t in enumerate(values["execution_time"]) if t is not None)
    for inner in interval["intervals"]:
        visit(inner)
nodes = []
for interval in json.load(open("all.json"))["runs"][0]["intervals"]:
    visit(interval)
print(len(found) > 20, found == rows)
END
[ "$(cat found)" = 'True True' ]
result $? $area/json "$(cat found stderr)"

# documents do not depend on what texts show
for form in xml json; do
  $run --$form $([ $form = json ] || echo plain.$form) >plain.json 2>stderr
  $run --level 0 --procs 1 --$form $([ $form = json ] || echo view.$form) >view.json 2>stderr
  sed 's/ --level 0 --procs 1//; s/view\.xml/plain.xml/' view.$form | cmp -s - plain.$form
  result $? "$area/same-$form" "$(cat stderr)"
done

# pages: a card of each interval, which leads to those around it
$run --html page.html -q 2>stderr
xmllint --noout page.html && [ "$(grep -c 'class="card"' page.html)" = 9 ] &&
  grep -q '<a href="#run1-i4">SEQ heat2d.fdv:17</a>; beside <a href="#run1-i5">PAR heat2d.fdv:19</a>' page.html
result $? $area/cards "$(grep -c 'class="card"' page.html) $(cat stderr)"

fails level-bad 2 'expected a depth from 0' $run --level -1
fails interval-form 2 'expected a place such as' $run --interval 26
fails interval-none 2 'expected the place of an interval' $run --interval heat2d.fdv:1
fails procs-form 2 'expected processors such as' $run --procs 0-
fails procs-order 2 'expected processors such as' $run --procs 3-1
fails procs-none 2 'expected processors of the run' $run --procs 4
tap_done

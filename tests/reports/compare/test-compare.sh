#!/bin/sh
# predictor compare from outside: measured and predicted runs, of traces, databases and
# XML reports; the tolerance; bad input.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/compare
data=$PWD/tests/data
cd "$scratch" || exit 1

compare () { "$program" compare "$@"; }

cp "$data/imbalance.txt" a.txt
# 10 ms more on each rank, in the loop; rank 1 waits 5 ms more, and there is more behind it
sed 's/compute 50ms/compute 55ms/; s/compute 20ms/compute 22500us/; s/took=31ms/took=33500us/; s/took=30ms/took=32500us/' a.txt >b.txt
cat >other.txt <<'E1'
predictor-trace 1
ranks 2
rank 0 {
  enter "elsewhere"
  compute 5ms
  barrier took=1ms
  leave "elsewhere"
}
rank 1 {
  enter "elsewhere"
  compute 5ms
  barrier took=1ms
  leave "elsewhere"
}
E1
heat=$data/heat2d_600.ptr.gz
"$program" run a.txt -m mvs1000 -q --db p.sqlite && "$program" run a.txt -m example-cluster -q --db p.sqlite \
  && "$program" analyse a.txt -q --xml m.xml && "$program" analyse a.txt -q --db m.sqlite \
  && "$program" run "$heat" -n 1,4,2x2 -q --db d.sqlite --xml d.xml 2>stderr
result $? /compare/prepared "$(cat stderr)"

# ---- intervals whose lines have shifted

# marked NAME FILE LINE: intervals of that place by a number and by a name; of a name again
marked () {
  cat >"$1" <<E1
predictor-trace 1
ranks 1
interval 0: "" file="$2" line=$3 index=7
interval 1: "step" file="x.c" line=$3
interval 2: "step" file="x.c" line=99
0 enter 0
0 compute 1ms
0 leave 0
0 enter 1
0 compute 2ms
0 leave 1
0 enter 2
0 compute 4ms
0 leave 2
0 barrier took=1us
E1
}
marked old.txt old.c 10
marked new.txt new.c 12
"$program" compare old.txt new.txt >text 2>stderr
[ "$(grep -c 'only [AB]' text)" = 0 ] && grep -q 'USER old.c:10 \[7\] (B: 12)  *0.00100000  *0.00100000 ' text \
  && grep -q 'USER step x.c:10 (B: 12)  *0.00200000  *0.00200000 ' text && grep -q 'USER step x.c:99  *0.00400000  *0.00400000 ' text
result $? /compare/shifted "$(cat text stderr)"

# Call sites whose lines have shifted: of equal lines first, then the first of A is the first of B.
# sites NAME LINE...: a call from each line, of 1 ms, 2 ms and so on; both ranks
sites () {
  name=$1
  shift
  printf 'predictor-trace 1\nranks 2\n' >"$name"
  site=0
  for line in "$@"; do
    echo "site $site: \"x.c\" $line \"main\"" >>"$name"
    site=$((site + 1))
  done
  for rank in 0 1; do
    site=0
    for line in "$@"; do
      echo "$rank barrier took=$((site + 1))ms site=$site" >>"$name"
      site=$((site + 1))
    done
  done
}
sites three.txt 10 20 30
sites four.txt 12 20 33 40
"$program" compare three.txt four.txt --json >sites.json 2>stderr && python3 - 2>>stderr <<'E1'
import json
pairs = sorted ((s["a"] and s["a"]["line"], s["b"] and s["b"]["line"]) for s in json.load (open ("sites.json"))["call_sites"] if s["a"])
assert pairs == [(10, 12), (20, 20), (30, 33)], pairs
alone = [s["b"] for s in json.load (open ("sites.json"))["call_sites"] if s["a"] is None]
assert [(s["line"], s["count"], s["time"], s["caller"], s["file"]) for s in alone] == [(40, 2, 0.008, "main", "x.c")], alone
E1
result $? /compare/sites "$(cat stderr)"
"$program" compare three.txt four.txt -q --csv sites.csv 2>stderr && python3 - 2>>stderr <<'E1'
import csv
lines = list (csv.DictReader (open ("sites.csv", newline = "")))
sites = {(l["line"], l["characteristic"]): (l["in"], l["a"], l["b"], l["difference"], l["percent"]) for l in lines if l["type"] == "call_site"}
assert len (sites) == 4 * 3, sites
assert sites["30", "time"] == ("both", "0.006000000000", "0.006000000000", "0.000000000000", "0"), sites
assert sites["10", "count"] == ("both", "2", "2", "0", "0") and sites["40", "count"] == ("b", "", "2", "", ""), sites
assert sites["40", "time"] == ("b", "", "0.008000000000", "", ""), sites
E1
result $? /compare/sites/csv "$(cat stderr)"
"$program" compare a.txt b.txt -q --csv waits.csv 2>stderr && grep -q ',both,wait_state,,0,,late_sender,waiting,0.030000000000,0.032500000000,0.002500000000,8.33333333333' waits.csv
result $? /compare/waits/csv "$(cat stderr)"
has sites/text 0 'x.c:10 (B: 12) MPI_Barrier ' "$program" compare three.txt four.txt

# on twice the ranks, per rank
printf 'predictor-trace 1\nranks 1\n0 compute 8ms\n0 barrier took=2ms\n' >few.txt
printf 'predictor-trace 1\nranks 2\n0 compute 4ms\n0 barrier took=2ms\n1 compute 5ms\n1 barrier took=1ms\n' >more.txt
has scaling 0 "B has 2.00 times the processors and a speed-up of 1.67: 83.3 % of A's efficiency; time x processors is 12 ms instead of 10 ms." \
  "$program" compare few.txt more.txt
squeezed () { "$program" compare "$@" | tr -s ' '; }
has scaling/per-rank 0 'MPI_Barrier 0.00200000 0.00150000 -0.00050000 1 2 ' squeezed few.txt more.txt
lacks scaling/alike 0 'times the processors' "$program" compare few.txt few.txt

# ---- more than two runs

"$program" compare more.txt few.txt m.xml d.sqlite:3 >several 2>stderr
tr -s ' ' <several >text
[ $? = 0 ] && grep -q '^1 more.txt: measured, 2 ranks$' text && grep -q '^ 1 2 2 0.006000 1.67 75.0 0.0 25.0 0.0$' text \
  && grep -q '^ 2 1 1 0.010000 1.00 80.0 0.0 20.0 0.0$' text && grep -q '^ 4 4 2x2 ' text && [ "$(grep -c '' several)" = 18 ] \
  && grep -q '^ 1 2 0.012000 1.20 75.0 90.0 83.3 88.9 66.7$' text && grep -q '^ 2 1 0.010000 1.00 80.0 100.0 80.0 100.0 80.0$' text
result $? /compare/several "$(cat several stderr)"
"$program" compare few.txt more.txt few.txt --json >several.json 2>stderr && python3 - 2>>stderr <<'E1'
import json
runs = json.load (open ("several.json"))["runs"]
assert [(r["processors"], r["execution_time"], round (r["processor_time"], 9), round (r["speed_up"], 3), r["efficiency"], r["communication"]) for r in runs] \
  == [(1, 0.01, 0.01, 1, 0.8, 0.2), (2, 0.006, 0.012, 1.667, 0.75, 0.25), (1, 0.01, 0.01, 1, 0.8, 0.2)], runs
# computation: 8 ms, then 4 and 5 ms in 6 ms
two = [runs[1][k] for k in ("processor_time_growth", "parallel_efficiency", "load_balance", "communication_efficiency", "computation_scaling", "global_efficiency")]
assert [round (v, 6) for v in two] == [1.2, 0.75, 0.9, 0.833333, 0.888889, 0.666667], two
E1
result $? /compare/several/json "$(cat stderr)"
refused several/tolerance 2 'only totals' compare few.txt more.txt few.txt -t 5
refused several/absent 1 absent compare few.txt more.txt absent

# ---- what is said

cat >expected <<'E1'
A  a.txt: measured, 2 ranks
B  b.txt: measured, 2 ranks

B takes 10 ms more than A (9.43 %): 0.116010 s instead of 0.106010 s.
Computation is 7.5 ms more per processor, most in USER loop (7.5 ms more).

Execution_time      A, s      B, s     B-A, s  B-A, %
MAIN            0.106010  0.116010  +0.010000   +9.43
  USER loop     0.101010  0.111010  +0.010000   +9.90

The whole program      A, s      B, s     B-A, s  B-A, %
Execution_time     0.106010  0.116010  +0.010000   +9.43
CPU_time           0.150000  0.165000  +0.015000  +10.00
CPU_time_Seq       0.150000  0.165000  +0.015000  +10.00
Communication      0.062010  0.067010  +0.005000   +8.06
SendRecv_time      0.031010  0.033510  +0.002500   +8.06
Collective_time    0.031000  0.033500  +0.002500   +8.06
Synchronization    0.029010  0.031510  +0.002500   +8.62
Real_sync          0.030000  0.032500  +0.002500   +8.33
Time_variation     0.000010  0.000010   0.000000    0.00
Idle               0.000010  0.000010   0.000000    0.00
Load_Imbalance     0.060000  0.065000  +0.005000   +8.33
Lost_time          0.062020  0.067020  +0.005000   +8.06
Productive_time    0.150000  0.165000  +0.015000  +10.00

Waiting, per rank       A, s       B, s      B-A, s
late sender        0.0150000  0.0162500  +0.0012500
wait at NxN        0.0145050  0.0157550  +0.0012500

Call site, per rank          A, s       B, s      B-A, s  Calls A  Calls B  Wait% A  Wait% B
halo.c:22 MPI_Recv      0.0155000  0.0167500  +0.0012500        1        1     96.8     97.0
main.c:7 MPI_Allreduce  0.0155000  0.0167500  +0.0012500        2        2     93.6     94.1
halo.c:22 MPI_Send      0.0000050  0.0000050   0.0000000        1        1      0.0      0.0

2 of 2 values differ by more than 5.00 %
E1
"$program" compare a.txt b.txt --tolerance 5 >text 2>stderr
[ $? = 5 ] && diff expected text >difference
result $? /compare/text "$(cat difference)"

has same 0 'A and B take the same time, 0.106010 s.' compare a.txt a.txt -t 0
# of next to nothing: not how many million per cent
printf 'predictor-trace 1\nranks 1\n0 compute 100us\n0 barrier took=1ns\n' >nothing.txt
printf 'predictor-trace 1\nranks 1\n0 compute 100us\n0 barrier took=100ms\n' >something.txt
has multiple/sentence 0 'B takes 100 ms more than A (1001 times as long)' compare nothing.txt something.txt
has multiple/table 0 '  +0.100000   >+999' compare nothing.txt something.txt
has multiple/document 0 '"percent": 9999999900' compare nothing.txt something.txt --json
has measured-predicted 0 'B  p.sqlite, run 2: predicted for example-cluster, 2 ranks' compare a.txt p.sqlite -t 5
has predicted-measured 5 '2 of 2 values differ by more than 0.10 %' compare p.sqlite:1 a.txt -t 0.1
has explained 0 'Collective_time is 504 us less per processor, most in USER loop (504 us less).' compare a.txt p.sqlite:1
has predicted-predicted 0 'A  p.sqlite, run 1: predicted for mvs1000' compare p.sqlite:1 p.sqlite:2
has run-a 0 'A  p.sqlite, run 1: predicted for mvs1000' compare p.sqlite p.sqlite --run-a 1
has run-b 0 'B  p.sqlite, run 1: predicted for mvs1000' compare p.sqlite p.sqlite --run-b 1
has database-of-trace 0 '0 of 40 values' compare a.txt m.sqlite --all -t 0
has xml-of-trace 0 '0 of 40 values' compare m.xml a.txt --all -t 0
has database-of-xml 0 '0 of 243 values' compare d.sqlite:1 d.xml:1 --all -t 0
has dvm 0 'Computation is ' compare d.sqlite:1 d.sqlite:3
has dvm-processors 0 'Note: A has 1 and B 4 processors' compare d.sqlite:1 d.sqlite:3
has dvm-place 0 'most in PAR heat2d.fdv:19' compare d.sqlite:1 d.sqlite:3
has dvm-beyond 5 '9 values differ' compare d.sqlite:1 d.sqlite:3 --tolerance 10
has characteristics 5 'Idle' compare a.txt p.sqlite:1 -c 'Idle,communication' -t 5
has characteristics-within 0 '0 of 2 values' compare a.txt p.sqlite:1 -c communication -t 5
has level 5 '1 of 1 values' compare a.txt b.txt --level 0 -t 9
has none-asked 0 'none of the characteristics' compare a.txt b.txt -c wait_shadow
has alone 5 '2 of 3 values' compare a.txt other.txt -t 100
has nothing-in-common 0 'Note: no interval inside the programs is in both' compare a.txt other.txt
has only 0 'only B' compare a.txt other.txt
has kinds 0 'Note: A is a run of a message-passing program and B of a DVM program' compare a.txt d.sqlite

"$program" compare - m.xml -t 0 <a.txt >stdout 2>stderr && grep -q '^A  -: measured' stdout
result $? /compare/stdin "$(cat stderr)"

# names with a colon are files before they are runs
cp p.sqlite p.sqlite:1
has colon 0 'A  p.sqlite:1, run 2' compare p.sqlite:1 p.sqlite:2
rm p.sqlite:1

# ---- calls that concern nobody else, and what several ranks do alike: as recorded, on
# both sides; the barrier takes no time on an ideal machine

cat >local.txt <<'E1'
predictor-trace 1
ranks 2
rank 0 {
  local "MPI_Type_commit" 3us took=3us
  alike_begin 1
  compute 4ms
  alike_end 1
  enter "io"
  other "MPI_File_open" 2ms took=2ms
  leave "io"
  barrier took=0us
}
rank 1 {
  begin 1us
  local "MPI_Type_commit" 2us
  alike_begin 1
  compute 4ms
  alike_end 1
  enter "io"
  other "MPI_File_open" 2ms took=2ms
  leave "io"
  barrier took=1us
}
E1
"$program" run local.txt --reproduce -m ideal --check --json --db local.sqlite >local.json 2>stderr && python3 - <<'E1' 2>>stderr
import json
run = json.loads (open ("local.json").read (), parse_float = str)["runs"][0]
main, = run["intervals"]
io, = main["intervals"]
assert (main["recorded_time"], main["execution_time"]) == ("0.006003000000", "0.006003000000"), main
assert (io["recorded_time"], io["execution_time"], io["system_time"]) == ("0.002000000000", "0.002000000000", "0.004000000000"), io
assert main["insufficient_parallelism"] == "0.004000000000"
assert run["recorded_end_times_ps"] == run["end_times_ps"] == [6003000000, 6003000000]
E1
result $? /compare/reproduced "$(cat stderr)"
has reproduced-alike 0 '0 of 2 values' compare local.txt local.sqlite -t 0
has reproduced-parts 0 '0 of 6 values' compare local.txt local.sqlite -t 0 -c cpu_time,insufficient_parallelism,system_time

# ---- incomplete traces, also when they are stored

{ sed '$d' other.txt; printf '  comp'; } >cut.txt
"$program" analyse cut.txt -q --db cut.sqlite 2>stderr
[ $? = 4 ]
result $? /compare/incomplete-stored "$(cat stderr)"
has incomplete 4 'Note: the trace of A ends early' compare cut.txt other.txt
has incomplete-beyond 5 'Note: the trace of A ends early' compare cut.txt a.txt -t 1
has incomplete-database 0 'Note: the trace of B ends early' compare other.txt cut.sqlite

# ---- forms

"$program" compare a.txt b.txt -q --html c.html 2>stderr && [ "$(sed -n 's/.*<h2[^>]*>\([^<]*\)<.*/\1/p' c.html | head -n 3 | tr '\n' ,)" = 'Differences,Call sites and wait states,Intervals,' ] \
  && grep -q '<p class="sum">B takes 10 ms more than A (9.43 %)' c.html && grep -q 'computation</td><td>0.075000</td><td>0.082500</td><td>0.007500<' c.html
result $? /compare/page "$(cat stderr)"
"$program" compare a.txt m.sqlite -q --html stored.html 2>stderr && ! grep -q 'Call sites' stored.html
result $? /compare/page/stored "$(cat stderr)"
refused several/html 2 'only totals' compare few.txt more.txt few.txt --html x.html

"$program" compare a.txt other.txt -t 5 --json >c.json 2>stderr
[ $? = 5 ] && "$program" compare a.txt other.txt --csv c.csv -o c.txt >stdout 2>>stderr && [ -s c.txt ] && [ ! -s stdout ] && python3 - <<'E1' 2>>stderr
import csv, json
d = json.loads (open ("c.json").read (), parse_float = str)
assert (d["a"]["measured"], d["b"]["processors"], d["compared"], d["beyond"]) == (True, 2, 3, 3)
assert len (d["notes"]) == 1 and len (d["explanation"]) == 2
main, loop, elsewhere = d["intervals"]
assert [i["in"] for i in d["intervals"]] == ["both", "a", "b"] and [i["parent"] for i in d["intervals"]] == [None, 0, 0]
e = main["characteristics"]["execution_time"]
assert (e["a"], e["b"], e["difference"]) == ("0.106010000000", "0.006000000000", "-0.100010000000"), e
assert abs (float (e["percent"]) + 94.34) < 0.01
assert loop["characteristics"]["idle"]["b"] is None and "difference" not in loop["characteristics"]["idle"]
lines = list (csv.DictReader (open ("c.csv", newline = "")))
flat = [(str (i["interval"]), c, v["a"] or "", v["b"] or "", v.get ("difference", ""))
        for i in d["intervals"] for c, v in i["characteristics"].items ()]
assert flat == [(l["interval"], l["characteristic"], l["a"], l["b"], l["difference"]) for l in lines if l["type"] not in ("wait_state", "call_site")]
E1
result $? /compare/forms "$(cat stderr)"

lines=$("$program" compare a.txt b.txt --all | grep -c 'Insufficient')
[ "$lines" = 0 ]
result $? /compare/all-without-zeros "$lines lines"
before=$(cksum <b.txt)
"$program" compare a.txt b.txt -o b.txt >stdout 2>stderr
[ $? = 2 ] && [ "$(cksum <b.txt)" = "$before" ]
result $? /compare/over-input "$(cat stderr)"

# warnings of stored runs are repeated, of the run and of its inputs
"$program" analyse "$data/heat2d_600_np2" -q --db warned.sqlite --xml warned.xml 2>stderr
sqlite3 warned.sqlite "UPDATE warning SET severity = 'warning', run = NULL WHERE id = 'recorder'" \
  "INSERT INTO warning SELECT report, NULL, 'warning', 'of-inputs', '', 'half of it is missing', '', 1 FROM run LIMIT 1"
for file in warned.sqlite warned.xml; do
  compare $file a.txt >stdout 2>stderr
  grep -q "^$file, run 1: warning: MAIN: the recorded run looks disturbed: .*\[recording-disturbed\]" stderr && ! grep -q note: stderr
  result $? /compare/repeats-warnings/$file "$(cat stderr)"
done
compare warned.sqlite a.txt 2>&1 >stdout | grep -q '^warned.sqlite, run 1: warning: half of it is missing \[of-inputs\]'
result $? /compare/repeats-warnings/inputs

# databases of older programs
sqlite3 old.sqlite <"$data/report/results-1.sql" 2>stderr
has older-database 0 'old.sqlite, run 1' compare old.sqlite old.sqlite:1 -t 0

# ---- bad input: one line, nothing written

compare_to_files () { compare "$@" -o refused.txt --csv refused.csv; }

a=$PWD/a.txt here=$PWD
sqlite3 foreign.sqlite 'CREATE TABLE t (x); PRAGMA application_id = 7'
head -c 5000 p.sqlite >cut.sqlite
head -c 5000 m.xml >cut.xml
refused bad/one 2 'two runs' compare_to_files "$a"
refused bad/three 2 'two runs' compare_to_files "$a" "$a" "$a"
refused bad/tolerance 2 "'x'" compare_to_files "$a" "$a" -t x
refused bad/tolerance-negative 2 "'-1'" compare_to_files "$a" "$a" --tolerance=-1
refused bad/characteristics 2 "'speed'" compare_to_files "$a" "$a" -c idle,speed
refused bad/level 2 "'-1'" compare_to_files "$a" "$a" --level=-1
refused bad/run 2 'numbered' compare_to_files "$a" "$a" --run-a=-1
refused bad/absent 1 'nowhere' compare_to_files "$a" nowhere
refused bad/missing-run 1 'no run 9' compare_to_files "$here/p.sqlite:9" "$a"
refused bad/missing-run-xml 1 'a run of that number' compare_to_files "$a" "$here/m.xml" --run-b 2
refused bad/run-of-trace 1 'run 3' compare_to_files "$a:3" "$a"
refused bad/foreign 1 'another application' compare_to_files "$a" "$here/foreign.sqlite"
refused bad/cut 1 'damaged' compare_to_files "$a" "$here/cut.sqlite"
refused bad/cut-xml 1 'expected' compare_to_files "$a" "$here/cut.xml"
refused bad/no-report 1 'expected an XML report' compare_to_files "$a" "$data/../../machines/mvs1000.xml"
refused bad/unmeasured 1 'recorded times' compare_to_files "$a" "$data/ring.ti"
has dvm-trace 0 'Note: A is a run of a message-passing program and B of a DVM program' compare "$a" "$heat"

tap_done

#!/bin/sh
# predictor analyse from outside: what it says, its options and their spellings of
# 2005, predicted runs, bad input.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/analyse
data=$PWD/tests/data
cd "$scratch" || exit 1

# ---- all that is said of a run

cp "$data/imbalance.txt" .
# text NAME OPTION...: the text is that of a file
text () {
  name=$1
  shift
  "$program" analyse imbalance.txt "$@" | sed '1s/^Predictor [0-9.]*$/Predictor VERSION/' >text
  diff "$data/$name" text >difference
  result $? "/analyse/text/$name" "$(head -n 20 difference)"
}
text imbalance.analysis --full
text imbalance.screen

has diagnosis 0 'computes 105 ms, rank 1 only 45 ms' "$program" analyse imbalance.txt
has where 0 'halo.c:22 MPI_Recv 31 ms' "$program" analyse imbalance.txt
has interval 0 '==== USER loop' "$program" analyse imbalance.txt --full
lacks level 0 '==== USER loop' "$program" analyse imbalance.txt --full --level 0
lacks level-of-table 0 'USER loop' "$program" analyse imbalance.txt --level 0
lacks level-at-end 0 '==== USER loop' "$program" analyse imbalance.txt 0
lacks no-per-process 0 'each rank' "$program" analyse imbalance.txt --full --no-per-process
has ranks 0 'at rank' "$program" analyse imbalance.txt
lacks ranks-not 0 'at rank' "$program" analyse imbalance.txt --no-per-process
has top 0 '1 of 3 call sites' "$program" analyse imbalance.txt --top 1
has top/waits 0 '1 of 2 wait states' "$program" analyse imbalance.txt --top 1
has top/intervals 0 '1 of 2 intervals' "$program" analyse imbalance.txt --top 1
has top/all 0 'halo.c:22 MPI_Send ' "$program" analyse imbalance.txt --top 0
lacks top/nothing-left 0 'lists all' "$program" analyse imbalance.txt --top 0
[ "$("$program" analyse imbalance.txt -f --top 2 --calls-above-by-source 100 | grep -c '^ *[0-9]  MPI_')" = 4 ]
result $? /analyse/top/full
# the report of 2005 for those who know its options; what only looks changes nothing
for option in -wp '-src 0' '-srct 0' '--calls-above 0'; do
  has "old/$option" 0 '==== USER loop' "$program" analyse $option imbalance.txt
done
has old/level 0 '==== USER loop' "$program" analyse imbalance.txt 7
"$program" analyse imbalance.txt --json >some.json && "$program" analyse imbalance.txt --json --top 1 --full --level 0 >other.json
grep -v command_line some.json >some && grep -v command_line other.json | cmp -s - some
result $? /analyse/top/json
lacks wp 0 'each rank' "$program" analyse -wp imbalance.txt
lacks wp-of-sites 0 'rank 1:' "$program" analyse -wp imbalance.txt
lacks src 0 'falling time' "$program" analyse -src 100 imbalance.txt
lacks srct 0 'by place' "$program" analyse -srct 100 imbalance.txt
lacks calls-above 0 'MPI_Send' "$program" analyse --calls-above 5 --calls-above-by-source 5 imbalance.txt
has json 0 '"real_sync": 0.030000000000' "$program" analyse imbalance.txt --json
has predicted 0 'communication 0.000007' "$program" analyse imbalance.txt -m myrinet:startup=7us,per-byte=0 0
has stdin 0 'computes 105 ms, rank 1 only 45 ms' "$program" analyse - <imbalance.txt

"$program" analyse -wp -src 100 -srct 100 imbalance.txt 0 >least
[ "$(grep -c '' least)" -le 76 ]
result $? /analyse/one-screen/2005 "$(grep -c '' least) lines"
[ "$("$program" analyse imbalance.txt | grep -c '')" -le 55 ]
result $? /analyse/one-screen

cat >single.txt <<'E1'
predictor-trace 1
ranks 1
0 compute 100ms
0 barrier took=1us
E1
has single 0 'One rank alone takes 100 ms' "$program" analyse imbalance.txt --single single.txt

# ---- what operations cost besides waiting, and what helps, depends on what they carry

# exchange BYTES: a receive that is posted before, and takes long
exchange () {
  printf 'predictor-trace 1\nranks 2\n0 send 1 %s took=90ms\n1 recv 0 %s took=100ms\n' "$1" "$1"
}
exchange 100 >small.txt
exchange 1000000 >large.txt
has amount/small 0 'cost of 1 operation with 100 B each' "$program" analyse small.txt --json
has amount/small/advice 0 'Fewer and larger messages may help' "$program" analyse small.txt --json
has amount/large/advice 0 'Less to send, or another division of the data, may help' "$program" analyse large.txt --json
printf 'predictor-trace 1\nranks 2\n0 compute 100ms\n0 reduce 8 took=60ms\n1 reduce 8 took=60ms\n1 compute 100ms\n' >leaf.txt
# rank 1 is early by 100 ms, and does not wait for the root
lacks amount/early-leaf 0 'waited for others' "$program" analyse leaf.txt --json
has amount/collective 0 'cost of 1 operation with 8 B each on average. Fewer operations may help' "$program" analyse leaf.txt --json
has overlap 0 'besides waiting for late senders' "$program" analyse small.txt --json
# who was late is said also where it is not known where
printf 'predictor-trace 1\nranks 2\n0 compute 100ms\n0 send 1 8 took=1ms\n1 recv 0 8 took=101ms\n' >nowhere.txt
has late-nowhere 0 'all for rank 0."' "$program" analyse nowhere.txt --json
sed 's/halo\.c/exchange_of_halos_in_the_first_direction.c/' imbalance.txt >names.txt
has table/names 0 'exchange_of_halos_in_the_first_direction.c:22 MPI_Recv  ' "$program" analyse names.txt

# files are as long as tells them apart where people read, and whole in documents
sed 's#"halo\.c"#"/home/u/code/solver/halo.c"#; s#"main\.c"#"/home/u/code/mesh/halo.c"#' imbalance.txt >paths.txt
has paths/table 0 'solver/halo.c:22 MPI_Recv    0.03' "$program" analyse paths.txt
has paths/culprit 0 'computes 50 ms before solver/halo.c:22' "$program" analyse paths.txt
has paths/stack 0 'solver/halo.c:22 (exchange) < mesh/halo.c:7 (main)' "$program" analyse paths.txt --full
lacks paths/text 0 '/home' "$program" analyse paths.txt --full
has paths/json 0 '"from_file": "/home/u/code/solver/halo.c"' "$program" analyse paths.txt --json

# shares: of what is more than the whole, and of what is little
has share/all 0 'load imbalance: 60 ms, which explains all of the waiting' "$program" analyse imbalance.txt --json
cat >part.txt <<'E1'
predictor-trace 1
ranks 2
0 compute 50ms
0 barrier took=0ms
0 compute 10ms
0 barrier took=10ms
1 compute 10ms
1 barrier took=40ms
1 compute 20ms
1 barrier took=0ms
E1
printf 'predictor-trace 1\nranks 2\n0 compute 100ms\n0 barrier took=100us\n1 compute 100ms\n1 barrier took=100us\n' >even.txt
has share/part 0 'load imbalance: 30 ms, which explains 60 % of the waiting' "$program" analyse part.txt --json
has share/little 0 '(< 1 %) are lost' "$program" analyse even.txt
has share/nothing 0 'insufficient parallelism 0 %' "$program" analyse imbalance.txt --json

# ---- what interrupts a polling loop is no computation; what is as long as the loop, or comes
# after few polls, is

# poll N GAP N...: N polls of 1 us, GAP microseconds of something else, and so on; the message
# comes with the last
poll () {
  echo "$*" | awk '{
    print "predictor-trace 1\nranks 2\n1 irecv 0 8 request=a took=0us"
    for (i = 1; i <= NF; i += 2) {
      for (k = 1; k <= $i; k++)
        print "1 test a done=" (i == NF && k == $i ? "yes" : "no") " took=1us"
      if (i < NF) print "1 compute " $(i + 1) "us"
      all += $i + $(i + 1)
    }
    print "0 compute " all - 1 "us\n0 send 1 8 took=0us"
  }' >polls.txt
}
poll 2000 500 2000
has polls/interrupted 0 '"late_sender": 0.004499' "$program" analyse polls.txt --json
poll 2000 3000 2000
has polls/computing 0 '"late_sender": 0.003999' "$program" analyse polls.txt --json
poll 100 50 100
has polls/few 0 '"late_sender": 0.000199' "$program" analyse polls.txt --json
poll 5000 600 500 600 5000
has polls/soon-again 0 '"late_sender": 0.011699' "$program" analyse polls.txt --json
poll $(yes '100 50' | head -n 200) 100
has polls/often 0 '"late_sender": 0.020099' "$program" analyse polls.txt --json
poll 900 50 $(yes '900 50' | head -n 20) 100
has polls/regularly 0 '"late_sender": 0.018999' "$program" analyse polls.txt --json
poll 1500 1000 500 1100 1500
has polls/as-long-together 0 '"late_sender": 0.004499' "$program" analyse polls.txt --json

# ---- the other forms say the same

"$program" analyse imbalance.txt --json --xml a.xml --db a.sqlite --html a.html >a.json 2>stderr
result $? /analyse/forms "$(cat stderr)"
grep -q '<p class="sum">Rank 0 computes ' a.html
result $? /analyse/page-begins-with-culprit "$(grep 'class="sum"' a.html)"
cat >forms.py <<'E1'
import json, sqlite3, sys
import xml.etree.ElementTree as ET
exact = lambda text: json.loads (text, parse_float = str)
run = exact (open (sys.argv[1] + ".json").read ())["runs"][0]
ranks = sys.argv[2] == "ranks"
WAITS = list (run["intervals"][0]["wait_states"])
COSTS = ["count", "time", "real_sync", "potential_sync", "time_variation", "overlap"]
TRAFFIC = ["messages", "bytes", "smallest", "largest", "mean", "imbalance", "slowest_rank"]
SIZE = ["smallest", "largest", "messages"]
CAUSE = ["rank", "kind", "interval", "from_function", "from_file", "from_line", "to_function", "to_file", "to_line",
         "direct", "propagated", "victims", "victim", "suffered", "took", "others", "n_others"]
RUN = ["makespan", "path_begin", "path_end", "path_changes", "unmatched"]

number = lambda value: None if value is None else "%.9g" % float (value)

def of_json (interval, out):
    sites = [([str (s[k]) for k in ["function", "file", "line", "part", "on_path"] + COSTS],
              [s["wait_states"][w] for w in WAITS],
              [(f["file"], str (f["line"]), f["function"]) for f in s["stack"]],
             [number (s["traffic"][k]) for k in TRAFFIC], [[str (z[k]) for k in SIZE] for z in s["traffic"]["sizes"]],
              [[str (r[k]) for k in ["rank"] + COSTS] for r in s.get ("ranks", [])])
             for s in interval["call_sites"]]
    out.append (([(d["id"], d["text"]) for d in interval["diagnosis"]],
                 [interval["wait_states"][w] for w in WAITS],
                 [interval["critical_path"][k] for k in ("computation", "communication")], sites,
                 [[str (c[k]) for k in CAUSE] for c in interval["root_causes"]]))
    for inner in interval["intervals"]:
        of_json (inner, out)
    return out

def of_xml (e, out):
    sites = [([s.get (k) for k in ["function", "file", "line", "part", "on_path"] + COSTS],
              [s.get (w) for w in WAITS],
              [(f.get ("file"), f.get ("line"), f.get ("function")) for f in s.findall ("frame")],
             [number (s.find ("traffic").get (k)) for k in TRAFFIC], [[z.get (k) for k in SIZE] for z in s.findall ("traffic/size")],
              [[r.get (k) for k in ["number"] + COSTS] for r in s.findall ("rank")])
             for s in e.findall ("call_site")]
    path = e.find ("critical_path")
    out.append (([(d.get ("id"), d.text) for d in e.findall ("diagnosis")],
                 [e.find ("wait_states").get (w) for w in WAITS],
                 [path.get (k) for k in ("computation", "communication")], sites,
                 [[str (c.get (k)) for k in CAUSE] for c in e.findall ("root_cause")]))
    for inner in e.findall ("interval"):
        of_xml (inner, out)
    return out

db = sqlite3.connect (sys.argv[1] + ".sqlite")
rows = lambda sql, *values: [list (map (lambda v: "%.12f" % v if isinstance (v, float) else str (v), r))
                             for r in db.execute (sql, values)]
def of_db ():
    out = []
    for node, in db.execute ("SELECT node FROM interval WHERE run = 1 ORDER BY node").fetchall ():
        of = "WHERE run = 1 AND node = ? "
        sites = []
        for number_of, stack in db.execute ("SELECT number, stack FROM call_site " + of + "ORDER BY number", (node,)).fetchall ():
            this = of + "AND number = ? "
            sites.append ((rows ("SELECT function, file, line, part, on_path, " + ", ".join (COSTS) + " FROM call_site " + this, node, number_of)[0],
                           rows ("SELECT " + ", ".join (WAITS) + " FROM call_site " + this, node, number_of)[0],
                           [tuple (r) for r in rows ("SELECT file, line, function FROM frame WHERE run = 1 AND stack = ? ORDER BY position", stack)],
                           [number (v) for v in db.execute ("SELECT " + ", ".join (TRAFFIC) + " FROM call_site_traffic " + this, (node, number_of)).fetchone ()],
                           rows ("SELECT " + ", ".join (SIZE) + " FROM call_site_size " + this + "ORDER BY smallest", node, number_of),
                           rows ("SELECT rank, " + ", ".join (COSTS) + " FROM call_site_rank " + this + "ORDER BY rank", node, number_of)))
        out.append (([tuple (r) for r in rows ("SELECT id, text FROM diagnosis " + of + "ORDER BY position", node)],
                     rows ("SELECT " + ", ".join (WAITS) + " FROM analysis " + of, node)[0],
                     rows ("SELECT path_computation, path_communication FROM analysis " + of, node)[0], sites,
                     rows ("SELECT " + ", ".join (CAUSE) + " FROM root_cause " + of + "ORDER BY number", node)))
    return out

first = of_json (run["intervals"][0], [])
root = ET.parse (sys.argv[1] + ".xml").getroot ().find ("run")
assert len (first) == 2 and len (first[0][3]) == 3
assert [d[0] for d in first[0][0]][:3] == ["root-cause", "load-imbalance", "lost"]
assert first[0][1][:4] == ["0.030000000000", "0.000000000000", "0.000000000000", "0.029010000000"]
assert set (first[0][1][4:]) == {"0.000000000000"}
assert first[0][3][0][2] == [("halo.c", "22", "exchange"), ("main.c", "7", "main")]
assert [c[:3] + c[9:12] + c[14:] for c in first[0][4]] == [
  ["0", "computation", "USER loop", "0.030000000000", "0.000000000000", "1", "0.050000000000", "0.020000000000", "1"],
  ["0", "computation", "USER loop", "0.029010000000", "0.000000000000", "1", "0.050000000000", "0.020000000000", "1"]]
assert rows ("SELECT cause_node, from_stack IS NULL, to_stack IS NULL FROM root_cause WHERE node = 0") == [["1", "1", "0"], ["1", "0", "0"]]
assert all ((site[5] != []) == ranks for interval in first for site in interval[3])
assert first[0][3][0][3:5] == (["1", "8192", "8192", "8192", "8192", "1", "1"], [["8192", "16383", "1"]])
assert [root.get (k) for k in RUN] == [str (run[k]) for k in RUN] == ["0.106010000000", "0", "0", "0", "0"]
assert rows ("SELECT makespan_ps, path_begin, path_end, path_changes, unmatched FROM analysed_run") == [["106010000000", "0", "0", "0", "0"]]
assert first == of_xml (root.find ("interval"), []), "XML differs"
assert first == of_db (), "the database differs"
E1
python3 forms.py a ranks >stdout 2>stderr
result $? /analyse/forms-alike "$(cat stderr)"
"$program" analyse -wp imbalance.txt --json --xml b.xml --db b.sqlite >b.json && python3 forms.py b none >stdout 2>stderr
result $? /analyse/forms-no-per-process "$(cat stderr)"
if command -v xmllint >/dev/null 2>&1; then
  xmllint --noout --relaxng "$data/../../schemas/report.rng" a.xml b.xml 2>stderr
  result $? /analyse/schema "$(cat stderr)"
  xmllint --noout a.html 2>stderr
  result $? /analyse/html-well-formed "$(cat stderr)"
else
  skip /analyse/schema "xmllint is absent"
fi
[ "$(sed -n 's/.*<h2[^>]*>\([^<]*\)<.*/\1/p' a.html | head -n 2 | tr '\n' ,)" = 'Diagnosis,2 ranks,' ] \
  && grep -q 'computes 105 ms, rank 1 only 45 ms' a.html && grep -q 'halo.c:22 (exchange) &#60; main.c:7 (main)' a.html
result $? /analyse/html
# names and lines from outside may be anything
printf 'predictor-trace 1\nranks 1\nsite 0: "m<\377&\001.c" -7 "\\"ma]]>in"\n0 enter "l<o" file="<" line=-9\n0 barrier took=1us site=0\n' >odd.txt
"$program" analyse odd.txt -q --xml odd.xml --html odd.html --db odd.sqlite 2>stderr && "$program" analyse odd.txt --json >odd.json 2>>stderr \
  && python3 -c 'import json; json.load (open ("odd.json"))' 2>>stderr && python3 - <<'E1' 2>>stderr
import xml.etree.ElementTree as ET
run = ET.parse ("odd.xml").getroot ().find ("run")
assert {f.get ("line") for f in run.iter ("frame")} == {"-7"} and run.findall ("interval/interval")[0].get ("line") == "-9"
E1
result $? /analyse/odd "$(cat stderr)"
if command -v xmllint >/dev/null 2>&1; then
  xmllint --noout --relaxng "$data/../../schemas/report.rng" odd.xml 2>stderr && xmllint --noout odd.html 2>>stderr
  result $? /analyse/odd-schema "$(cat stderr)"
fi
# of many ranks a page has those that take most
{
  printf 'predictor-trace 1\nranks 200\nsite 0: "a.c" 7 "main"\n'
  for rank in $(seq 0 199); do printf '%d compute %dus\n%d barrier took=%dus site=0\n' "$rank" $((200 - rank)) "$rank" $((rank + 1)); done
} >many.txt
"$program" analyse many.txt -q --html many.html 2>stderr && [ "$(grep -c '>rank [0-9]*<' many.html)" = 64 ] \
  && grep -q '>rank 199<' many.html && ! grep -q '>rank 135<' many.html
result $? /analyse/html-ranks "$(cat stderr; grep -o '>rank [0-9]*<' many.html | head)"
lacks html-no-per-process 0 '>rank 0<' "$program" analyse -wp imbalance.txt --html -
has html-alone 0 '</html>' "$program" analyse imbalance.txt --html -
has html-single 0 'One rank alone takes 100 ms' "$program" analyse imbalance.txt --single single.txt --html -
# Rank 0 computes alone in interval 1, so that all wait for it in interval 2.
cat >late.txt <<'E1'
predictor-trace 1
ranks 3
interval 0: "" index=1
interval 1: "" index=2
0 enter 0
0 compute 100ms
0 leave 0
0 enter 1
0 compute 10ms
0 barrier took=1us
0 leave 1
1 enter 0
1 leave 0
1 enter 1
1 compute 10ms
1 barrier took=100.001ms
1 leave 1
2 enter 0
2 leave 0
2 enter 1
2 compute 10ms
2 barrier took=100.001ms
2 leave 1
E1
joined () {
  "$program" analyse -wp -src 100 -srct 100 "$1" | tr -s ' \n' '  '
}
has alone 0 'Rank 0 computes alone (100 ms, 100 %' joined late.txt
has late-entry 0 'but compute about as much: they enter it at different times, rank 0 among the last' joined late.txt
"$program" analyse -wp -src 100 -srct 100 late.txt | sed -n '/^==== USER .2/,$p' | grep -q 'explain it'
result $((1 - $?)) /analyse/late-entry-explains

cat >hardly.txt <<'E1'
predictor-trace 1
ranks 3
0 compute 1ms
0 barrier took=99.001ms
1 compute 100ms
1 barrier took=1us
2 compute 100ms
2 barrier took=1us
E1
has hardly-computes 0 'Rank 0 hardly computes (1 ms), while rank 1 computes 100 ms' joined hardly.txt
sed 's/0 compute 1ms/0 compute 20ms/' hardly.txt >less.txt
lacks hardly-computes-not 0 'hardly computes' joined less.txt

# ---- bad input: one line, nothing written

analyse () { "$program" analyse "$@" -o refused.txt --csv refused.csv; }

here=$PWD
cat >hang.txt <<'E1'
predictor-trace 1
ranks 2
0 send 1 8 took=1us
1 barrier took=1us
E1
# of 20 ms MPI_Init is 25 % and MPI_Finalize 5 %; of 202 ms both are 3 %
printf 'predictor-trace 1\nranks 2\n0 init 5ms\n0 compute 8ms\n0 barrier took=2ms\n1 compute 9ms\n1 barrier took=1ms\n1 finalize 1ms\n' >outside.txt
sed 's/compute [89]ms/compute 99ms/' outside.txt >small.txt
has outside 0 'Not in these figures, mean of the ranks and share of the run: MPI_Init 2.5 ms (25.0 %), MPI_Finalize 500 us (5.0 %)' \
  "$program" analyse outside.txt
lacks outside/small 0 'Not in these figures' "$program" analyse small.txt

# ---- without what recording cost

# compensated NAME MAKESPAN WAITING OPTION...: of a trace, in microseconds
compensated () {
  name=$1 makespan=$2 waiting=$3
  shift 3
  "$program" analyse "${name%/*}.txt" --json "$@" >json 2>stderr
  grep -qF "\"makespan\": 0.000${makespan}000000," json && grep -m 1 late_sender json | grep -qF ": 0.000${waiting}000000,"
  result $? "/analyse/compensate/$name" "$(cat stderr; grep -m 1 makespan json; grep -m 1 late_sender json)"
}
# the sender is earlier by 10 us behind its first send, the receiver by the 10 us of its own in
# between: both wait as long as before
cat >sends.txt <<'E1'
predictor-trace 1
ranks 2
cost blocking 10us
0 compute 100us
0 send 1 8 took=1us
0 compute 110us
0 send 1 8 took=1us
1 recv 0 8 took=103us
1 compute 13us
1 recv 0 8 took=98us
E1
compensated sends/recorded 214 195
compensated sends/without 204 195 --compensate
has compensate/sums 0 '20 us that recording took are taken out of 223 us of computation of all ranks: 20 us of 2 blocking calls' \
  "$program" analyse sends.txt --compensate
has compensate/kept 0 'cost blocking 10us' "$program" convert sends.txt --to text -
# the receive, 3 us behind the message, has no more to wait for
cat >alone.txt <<'E1'
predictor-trace 1
ranks 2
cost collective 10us
comm 1: 0
0 compute 100us
0 allreduce 8 comm=1 took=1us
0 compute 110us
0 send 1 8 took=1us
1 compute 203us
1 recv 0 8 took=11us
E1
compensated alone/recorded 214 008
compensated alone/without 206 000 --compensate
# no more than there is is taken out, and nothing of what follows no call
sed 's/compute 13us/compute 4us/; s/took=98us/took=107us/' sends.txt >short.txt
compensated short/without 204 198 --compensate
has compensate/short 0 '14 us that recording' "$program" analyse short.txt --compensate
# polls that wait are as many as their time has room for
awk 'BEGIN {
  print "predictor-trace 1\nranks 2\ncost test 1us\n1 irecv 0 8 request=a took=0us"
  for (i = 0; i < 50; i++)
    print "1 test a done=no took=1us\n1 compute 1us"
  print "1 test a done=yes took=1us\n0 compute 100us\n0 send 1 8 took=0us"
}' >looped.txt
compensated looped/recorded 101 100
compensated looped/without 101 100 --compensate
has compensate/polls 0 '0 s that recording took' "$program" analyse looped.txt --compensate
refused compensate/unknown 1 'does not say what recording calls cost' "$program" analyse imbalance.txt --compensate
refused ratio/recorded 2 'needs -m MACHINE' "$program" analyse sends.txt --cpu-ratio 2
refused ratio/word 2 'not a number' "$program" analyse sends.txt -m ideal --cpu-ratio fast
"$program" analyse "$data/imbalance.txt" -m ideal --cpu-ratio 4 --json >quarter.json 2>err &&
  "$program" analyse "$data/imbalance.txt" -m ideal --json >whole.json 2>err
python3 -c 'import json
a, b = (json.load(open(f))["runs"][0]["cpu_time"] for f in ("whole.json", "quarter.json"))
exit(abs(a - 4 * b) > 1e-9)' 2>>err
result $? /analyse/ratio/computation "$(cat err)"
refused compensate/predicted 2 'of recorded runs' "$program" analyse sends.txt --compensate -m ideal

refused bad/no-trace 2 'a trace' analyse
refused bad/absent 1 absent.otf2 analyse absent.otf2
refused bad/level 2 "'x'" analyse "$here/imbalance.txt" x
refused bad/level-negative 2 "'-3'" analyse "$here/imbalance.txt" --level=-3
refused bad/top 2 'number of rows' analyse "$here/imbalance.txt" --top=-1
refused bad/percent 2 'calls-above' analyse "$here/imbalance.txt" --calls-above 101
refused bad/set-alone 2 'needs -m' analyse "$here/imbalance.txt" --set network/startup=1us
refused bad/unmeasured 1 'recorded times' analyse "$data/ring.ti"
printf 'num_ranks 1\nrank 0 {\nl1: calc 5\n}\n' >one.goal
refused bad/documents 2 document analyse "$here/imbalance.txt" --xml - --json
refused bad/graph 1 'graph' analyse "$here/one.goal"
refused bad/dvm 2 '--pop' analyse "$data/heat2d_600.ptr.gz" --pop
refused bad/strict 1 'errors' analyse "$here/hang.txt" --strict
refused bad/single 1 'expected one' analyse "$here/imbalance.txt" --single "$here/imbalance.txt"
refused bad/machine 1 nowhere analyse "$here/imbalance.txt" -m nowhere
"$program" analyse hang.txt -m ideal >stdout 2>stderr
[ $? = 3 ] && [ ! -s stdout ] && grep -q 'waits for rank 0, which has ended' stderr
result $? /analyse/bad/deadlock "$(cat stderr)"

"$program" analyse hang.txt --full >stdout 2>stderr
[ $? = 3 ] && [ "$(grep -nF 'matching-incomplete' stdout | cut -d: -f1)" -lt "$(grep -n '^==== ' stdout | head -n 1 | cut -d: -f1)" ]
result $? /analyse/errors-first "$(cat stderr)"

# sections HTML: of a page, in its order
sections () { sed -n 's/.*<section id="\([a-z0-9]*\)".*/\1/p' "$1" | head -n 3 | tr '\n' ' '; }
"$program" analyse hang.txt -q --html hang.html 2>/dev/null
"$program" analyse imbalance.txt -q --html page.html
[ "$(sections hang.html)" = 'messages diagnosis run1 ' ] && [ "$(sections page.html)" = 'diagnosis run1 origin ' ]
result $? /analyse/page/warnings-first "$(sections hang.html), $(sections page.html)"
# behind the heading of the diagnosis: the first statement
[ "$(sed -n '/id="diagnosis"/,$s/.*<li>//p' page.html | head -n 1 | cut -c 1-42)" = 'Rank 0 computes 50 ms before halo.c:22 (in' ]
result $? /analyse/page/culprit-first "$(grep -m 3 '<li>' page.html)"

# a trace that is cut, in its own words
head -c 300 imbalance.txt >cut.txt
"$program" analyse cut.txt >stdout 2>stderr
[ $? = 4 ] && [ -s stdout ] && [ "$(cat stderr)" = 'predictor analyse: cut.txt: the trace ends early; analysed nevertheless' ]
result $? /analyse/cut "$(cat stderr)"

tap_done

#!/bin/sh
# predictor run --pop: efficiencies that were worked out by hand, in all forms.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/pop
data=$PWD/tests/data
cd "$scratch" || exit 1

# expect NAME WANTED FILE...: the file's only line is that
expect () {
  name=$1 wanted=$2
  [ "$(cat "$3")" = "$wanted" ]
  result $? "/pop/$name" "wanted $wanted, got $(cat "$3")"
}

# Rank 0 computes 3 s, then sends; rank 1 computes 1 s, receives, computes 1 s more.
# u = 3 and 2 s. A message takes 1 s: T = 3 + 1 + 1 s, T_ideal = 3 + 1 s.
cat >chain.ti <<'EOF'
0 compute 3e9
0 send 1 0 1
1 compute 1e9
1 recv 0 0 1
1 compute 1e9
EOF
machine=loggops:L=1s,o=0,g=0,G=0,O=0,S=1MB
"$program" run chain.ti -m "$machine" --pop --check --xml chain.xml --db chain.db --csv chain.csv \
  --html chain.html --json >chain.json 2>stderr
result $? /pop/run "$(cat stderr)"

python3 - >found <<'EOF' 2>stderr
import json
values = json.load(open("chain.json"))["runs"][0]["intervals"][0]["efficiencies"]
print(*(value if value is None else round(value, 9) for value in values.values()))
EOF
expect json '0.833333333 0.75 0.8 0.6 0.5 None None' found

valid schema report chain.xml
xmllint --xpath 'string(//efficiencies/@transfer_efficiency)' chain.xml >found
expect xml 0.8 found
xmllint --xpath 'count(//efficiencies/@computation_scaling)' chain.xml >found
expect unknown 0 found

python3 - >found <<'EOF' 2>stderr
import csv
row = next(csv.DictReader(open("chain.csv")))
print(row["load_balance"], row["serialisation_efficiency"], row["global_efficiency"] == "")
EOF
expect csv '0.833333333333 0.75 True' found
python3 - >found <<'EOF' 2>stderr
import sqlite3
db = sqlite3.connect("chain.db")
print(*db.execute("SELECT parallel_efficiency, global_efficiency FROM efficiency").fetchone())
EOF
expect db '0.5 None' found
grep -q '<td>75.0</td><td>80.0</td><td>60.0</td><td>50.0</td>' chain.html
result $? /pop/html "$(grep -c Efficiencies chain.html)"
"$program" run chain.ti -m "$machine" --pop >text
grep -q 'MAIN *83.3 *75.0 *80.0 *60.0 *50.0$' text
result $? /pop/text "$(grep MAIN text)"

# Stored results show them again, with those against another run if there is one.
"$program" report chain.db -r 1 >text
grep -q 'MAIN *83.3 *75.0 *80.0 *60.0 *50.0$' text
result $? /pop/stored/text "$(cat text)"
"$program" report chain.db -r 1 --csv >stored.csv
python3 - >found <<'EOF' 2>stderr
import csv
row = next(csv.DictReader(open("stored.csv", newline="")))
print(row["transfer_efficiency"], row["global_efficiency"] == "")
EOF
expect stored/csv '0.8 True' found

# Without --pop nothing of it.
"$program" run chain.ti -m "$machine" --json >plain
! grep -q efficiencies plain
result $? /pop/absent "$(grep efficiencies plain)"

# On a network that costs nothing transfer is 1, and on any network the other run is that one.
"$program" run chain.ti -m ideal --pop --json >ideal.json
grep -q '"transfer_efficiency": 1,' ideal.json
result $? /pop/ideal "$(grep transfer ideal.json)"

# A DVM program on several grids: what is computed is scaled against the first, and the products
# are products.
"$program" run "$data/heat2d_600.ptr.gz" -m mvs1000 -n 1,2x2,4x2 --pop -v --db several.db \
  -o several.text --json >several.json 2>stderr
# tables of efficiencies by interval, without these: the width differs
tables () {
  awk '/^Efficiencies/ { next_is = 1; next } next_is { on = /^Interval/; next_is = 0 }
    /^$/ { on = 0 } on { for (i = NF - 6; i <= NF; i++) printf "%s ", $i; print "" }'
}
for run in 1 2 3; do "$program" report several.db -r $run | tables; done >stored
tables <several.text >shown
[ "$(grep -c Scaling shown)" = 3 ] && cmp -s stored shown
result $? /pop/stored/several "$(diff shown stored | head)"
python3 - >found <<'EOF' 2>>stderr
import json
def walk(interval):
    yield interval
    for inner in interval["intervals"]:
        yield from walk(inner)
def near(a, b):
    return a is None or b is None or abs(a - b) < 1e-9
bad = 0
n = 0
runs = json.load(open("several.json"))["runs"]
for run in runs:
    for interval in (i for top in run["intervals"] for i in walk(top)):
        e = interval["efficiencies"]
        if e["communication_efficiency"] is None:
            continue
        n += 1
        ser, tra = e["serialisation_efficiency"], e["transfer_efficiency"]
        bad += not near(ser * tra, e["communication_efficiency"])
        bad += not near(e["load_balance"] * e["communication_efficiency"], e["parallel_efficiency"])
        bad += not near(e["parallel_efficiency"] * e["computation_scaling"], e["global_efficiency"])
        bad += not near(e["computation_scaling"] * interval["cpu_time"], [
            j for top in runs[0]["intervals"] for j in walk(top)
            if (j["type"], j["file"], j["line"], j["index"])
            == (interval["type"], interval["file"], interval["line"], interval["index"])
        ][0]["cpu_time"])
        bad += not ser <= 1 + 1e-9
print(bad, n > 10)
EOF
expect several '0 True' found

# Messages of any tag cannot be predicted but on LogGOPS: said, and the rest is reported.
cat >any.goal <<'EOF'
num_ranks 2
rank 0 {
l0: send 8b to 1 tag 4294967295
}
rank 1 {
l0: recv 8b from 0 tag 4294967295
}
EOF
"$program" run any.goal -m loggops:L=1us,o=1us,g=0,G=0,O=0,S=64KiB --pop >text 2>stderr
status=$?
[ $status = 0 ] && grep -q '\[pop-unknown\]' text
result $? /pop/impossible "status $status; $(cat stderr)"

# ---- a measured run: the same chain, recorded where a message took a second

cat >measured.txt <<'EOF'
predictor-trace 1
ranks 2
rank 0 {
  compute 3s
  send 1 1 took=0s
}
rank 1 {
  compute 1s
  recv 0 1 took=3s
  compute 1s
}
EOF
"$program" analyse measured.txt --pop --xml measured.xml --db measured.db --csv measured.csv \
  --html measured.html -o measured.text 2>stderr
result $? /pop/measured/run "$(cat stderr)"
sentence='Communication efficiency 0.6000 = serialisation 0.7500 x transfer 0.8000'
grep -q "^$sentence; simulated without costs of communication: 4.0000 s" measured.text
result $? /pop/measured/text "$(grep efficiency measured.text)"
grep -q '\[pop-simulated\]' measured.text
result $? /pop/measured/said "$(head -20 measured.text)"
cat >efficiencies.py <<'EOF'
import json, sys
values = json.load(open(sys.argv[1]))["runs"][0]["intervals"][0]["efficiencies"]
print(*(value if value is None else round(value, 9) for value in values.values()))
EOF
"$program" analyse measured.txt --pop --json >measured.json 2>stderr
python3 efficiencies.py measured.json >found
expect measured/json '0.833333333 0.75 0.8 0.6 0.5 None None' found
valid measured/schema report measured.xml
xmllint --xpath 'string(//efficiencies/@serialisation_efficiency)' measured.xml >found
expect measured/xml 0.75 found
python3 - >found <<'EOF' 2>stderr
import csv, sqlite3
row = next(csv.DictReader(open("measured.csv")))
print(row["serialisation_efficiency"], row["transfer_efficiency"])
db = sqlite3.connect("measured.db")
print(*db.execute("SELECT serialisation_efficiency, transfer_efficiency FROM efficiency").fetchone())
EOF
expect measured/tables "0.75 0.8
0.75 0.8" found
grep -q '<td>75.0</td><td>80.0</td><td>60.0</td><td>50.0</td>' measured.html
result $? /pop/measured/html "$(grep -c Efficiencies measured.html)"
"$program" analyse measured.txt --json >plain
! grep -q 'efficiencies\|pop-' plain
result $? /pop/measured/absent "$(grep 'efficiencies\|pop-' plain)"

# With a machine all of it is predicted: what analyse says is what run says.
"$program" analyse measured.txt -m "$machine" --pop --json >predicted.json 2>stderr
python3 efficiencies.py predicted.json >found
expect measured/predicted '0.833333333 0.75 0.8 0.6 0.5 None None' found
! grep -q pop-simulated predicted.json
result $? /pop/measured/all-predicted "$(grep pop- predicted.json)"

# Intervals are found again by name: in "work" rank 1 waits 2 s more than for the message, which
# stay: u = 2 and 1 s, T = 5 s, T_ideal = 3 + 1 s. Of the whole u = 3 and 1 s.
cat >named.txt <<'EOF'
predictor-trace 1
ranks 2
rank 0 {
  compute 1s
  enter "work"
  compute 2s
  send 1 1 took=0s
  leave "work"
}
rank 1 {
  enter "work"
  recv 0 1 took=4s
  compute 1s
  leave "work"
}
EOF
"$program" analyse named.txt --pop --csv - >named.csv 2>stderr
python3 - >found <<'EOF' 2>>stderr
import csv
for row in csv.DictReader(open("named.csv")):
    print(row["type"], *(round(float(row[c]), 6) for c in ("load_balance",
          "serialisation_efficiency", "transfer_efficiency")))
EOF
expect measured/intervals "MAIN 0.666667 0.75 0.8
USER 0.75 0.5 0.8" found

# Calls that only the library is busy in wait for nobody: transfer, not serialisation.
cat >calls.txt <<'EOF'
predictor-trace 1
ranks 1
rank 0 {
  compute 1s
  other "MPI_Type_commit" 1s
}
EOF
"$program" analyse calls.txt --pop --json >calls.json 2>stderr
python3 efficiencies.py calls.json >found
expect measured/calls '1 1 0.5 0.5 0.5 None None' found

# A program that cannot be simulated is analysed all the same.
cat >stuck.txt <<'EOF'
predictor-trace 1
ranks 2
rank 0 {
  compute 1s
  recv 1 1 took=1s
}
rank 1 {
  compute 1s
}
EOF
"$program" analyse stuck.txt --pop >text 2>stderr
status=$?
[ $status = 3 ] && grep -q '\[pop-unknown\]' text && ! grep -q 'serialisation 0' text
result $? /pop/measured/impossible "status $status; $(cat stderr)"

# Intervals that differ in their names only are found by these, however many there are.
python3 - >names.txt <<'EOF'
print("predictor-trace 1\nranks 1\nrank 0 {")
for i in range(40000):
    print(f'enter "n{i}"\ncompute 1us\nleave "n{i}"')
print("}")
EOF
timeout 600 "$program" run names.txt --pop --csv names.csv 2>stderr >/dev/null
[ $? = 0 ] && [ "$(grep -c ',1,1,1,1,1,,' names.csv)" = 40001 ]
result $? /pop/many-names "$(head -3 names.csv; cat stderr)"

tap_done

#!/bin/sh
# predictor run --samples: reproducible, whatever the number of threads, each alone, all forms.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/samples
heat=$PWD/tests/data/heat2d_600.ptr.gz
ring=$PWD/tests/data/ring.ti
cd "$scratch" || exit 1

cat >wide.xml <<'EOF'
<machine name="wide" version="1">
  <network type="loggops" latency="2us" o="1us" g="0" G="1ns" O="0"><nodes count="64"/></network>
  <noise kind="exponential" share="0.1"/>
  <spread path="network/latency" sigma="0.2"/>
  <spread path="network/G" kind="lognormal" sigma="0.5"/>
</machine>
EOF
"$program" machine check wide.xml >stdout 2>stderr
result $? /samples/machine "$(cat stderr)"

for trace in "$heat" "$ring"; do
  name=$(basename "$trace")
  grid=
  [ "$trace" = "$ring" ] || grid='-n 2x2'
  # the command line is in the report: the same but for -j
  for jobs in 1 4; do
    "$program" run "$trace" $grid -m wide.xml --samples 20 --seed 5 -j $jobs --json 2>stderr |
      sed 's/-j [0-9]*/-j N/' >"$name.$jobs"
  done
  [ -s "$name.1" ] && cmp -s "$name.1" "$name.4"
  result $? "/samples/threads/$name" "$(cat stderr)"
  python3 - "$name.1" >found <<'EOF'
import json, sys
s = json.load(open(sys.argv[1]))["runs"][0]["samples"]
t = sorted(s["times_ps"])
print(s["count"], s["seed"], len(t), len(set(t)) > 10, sum(b["count"] for b in s["histogram"]),
      [q["time"] == t[max(0, -int(-q["share"] * 20 // 1) - 1)] / 1e12 for q in s["quantiles"]].count(False))
EOF
  [ "$(cat found)" = '20 5 20 True 20 0' ]
  result $? "/samples/figures/$name" "$(cat found)"
done

# Without noise samples of a program are predicted at once where that is possible, which
# --one-step prevents: they are the same.
cat >spread.xml <<'EOS'
<machine name="spread" version="1">
  <network type="dimemas" latency="2us" bandwidth="100MB/s" eager="1KiB"><nodes count="64" speed="1"/></network>
  <spread path="network/latency" sigma="0.2"/>
  <spread path="network/bandwidth" kind="lognormal" sigma="0.5"/>
  <spread path="network/nodes/speed" sigma="0.1"/>
</machine>
EOS
for how in '' --one-step; do
  "$program" run "$ring" -m spread.xml --samples 21 $how --json >"at-once$how" 2>stderr
  "$program" run "$ring" -m wide.xml --set noise/kind=none --samples 3 >loggops 2>>stderr
done
python3 - >found <<'EOS'
import json
one, other = (json.load(open(f))["runs"][0] for f in ("at-once", "at-once--one-step"))
said = [[m["id"] for m in r["warnings"]].count("lanes-not-used") for r in (one, other)]
print(one["samples"]["times_ps"] == other["samples"]["times_ps"], said)
EOS
[ "$(cat found)" = 'True [0, 1]' ]
result $? /samples/at-once "$(cat found stderr)"
grep -q 'lanes-not-used' loggops
result $? /samples/not-at-once "$(cat loggops stderr)"

# Factors of the whole machine have spreads, too; what is none of them is refused.
for ratio in network latency bandwidth speed; do
  sed "s!<spread path=\"network/latency\".*!<spread path=\"$ratio-ratio\" sigma=\"0.2\"/>!; /network\/bandwidth\|nodes\/speed/d" spread.xml >$ratio.xml
  "$program" run "$ring" -m $ratio.xml --samples 9 --json >found 2>stderr
  [ "$(python3 -c 'import json; print(len(set(json.load(open("found"))["runs"][0]["samples"]["times_ps"])))' 2>&1)" = 9 ]
  result $? "/samples/ratio/$ratio" "$(cat stderr)"
done
sed 's/speed-ratio/time-ratio/' speed.xml >other.xml
! "$program" run "$ring" -m other.xml --samples 9 >found 2>stderr && grep -q "time-ratio" stderr
result $? /samples/ratio/other "$(cat stderr)"

# With noise alone sample 3 is the run with that seed.
noisy='-m mvs1000 --set noise/kind=normal --set noise/sigma=0.1'
"$program" run "$heat" -n 2x2 $noisy --samples 5 --json >five
"$program" run "$heat" -n 2x2 $noisy --seed 3 --json >third
python3 - >found <<'EOF'
import json
five, third = json.load(open("five"))["runs"][0], json.load(open("third"))["runs"][0]
print(five["samples"]["times_ps"][3] == round(third["execution_time"] * 1e12),
      five["samples"]["times_ps"][0] == round(five["execution_time"] * 1e12))
EOF
[ "$(cat found)" = 'True True' ]
result $? /samples/alone "$(cat found)"

"$program" run "$heat" -n 1,2x2 $noisy --samples 9 --pop --xml out.xml --db out.db --html out.html >text 2>stderr
valid schema report out.xml
[ "$(sqlite3 out.db 'SELECT count (*), min (seed), max (number) FROM sample')" = '18|0|8' ]
result $? /samples/db "$(sqlite3 out.db 'SELECT * FROM sample')"
[ "$(grep -c 'Execution time of 9 samples, seeds 0 to 8' out.html)" = 2 ]
result $? /samples/html
grep -q 'Processors  Grid  Samples' text
result $? /samples/text "$(cat text)"

sampled () { "$program" run "$heat" "$@"; }
refused usage/nothing-to-draw 2 --samples sampled -m mvs1000 --samples 3
refused usage/none 2 --samples sampled -m wide.xml --samples 0
refused usage/negative 2 --samples sampled -m wide.xml --samples -1
refused usage/too-many 2 --samples sampled -m wide.xml --samples 1000001
refused usage/no-threads 2 --samples sampled -m wide.xml --samples 3 -j 0

# An uncertain value that the network cannot do with is an error of that sample.
sed 's/path="network.latency" sigma="0.2"/path="network\/nodes\/count" sigma="0.2"/' wide.xml >count.xml
"$program" run "$heat" -n 2x2 -m count.xml --samples 3 >stdout 2>stderr
status=$?
[ $status = 1 ] && grep -q '^predictor run: sample 0: ' stderr
result $? /samples/failing "status $status: $(cat stderr)"

# Stored, and shown again.
"$program" run "$ring" -m wide.xml --samples 20 --seed 5 -o shown --db stored.db 2>stderr
"$program" report stored.db -r 1 >again 2>>stderr
sed -n '/^Execution time of 20 samples, seeds 5 to 24/,/^$/p' shown >wanted
sed -n '/^Execution time of 20 samples, seeds 5 to 24/,/^$/p' again >found
[ "$(grep -c '' wanted)" -ge 3 ] && cmp -s wanted found
result $? /samples/stored "$(cat stderr; diff wanted found)"

# Why they are predicted one after the other is said, of noise, too.
"$program" run "$ring" -m spread.xml --set noise/kind=exponential --set noise/share=0.1 --samples 3 >noise 2>stderr
grep -q 'since the machine has noise \[lanes-not-used\]' noise
result $? /samples/not-at-once-for-noise "$(cat noise stderr)"

tap_done

#!/bin/sh
# predictor sweep --slurm: what would be submitted, errors of sbatch, and a Slurm of
# one node, started here, that computes a study in parts; skipped where there is none.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
. tests/support/study.sh
. tests/support/slurm.sh
area=/sweep/slurm
trap 'slurm_stop; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP
mkdir "$scratch/a folder"
cp tests/data/heat2d_600.ptr.gz "$scratch/a folder/heat.ptr.gz"
cp machines/example-cluster.xml "$scratch/a folder"
cd "$scratch/a folder" || exit 1

study="heat.ptr.gz -m example-cluster.xml -n 1,4 --vary network/startup=1us:100us:log20"
"$program" sweep $study -q -j 2 --db whole.sqlite
dump_study whole.sqlite >whole

sweep () { "$program" sweep $study "$@"; }

# ---- without Slurm

"$program" sweep $study --db out.sqlite --slurm 3 --partition short --time 10 --sbatch=--nice=5 -j 2 --dry-run >stdout 2>stderr
status=$?
[ $status = 0 ] && [ ! -s stderr ] && [ ! -e out.sqlite.parts ] \
  && grep -qF -e '--shard "$i/3"' stdout && grep -qF -e "--merge 'out.sqlite' 'out.sqlite.parts'" stdout \
  && grep -q -e '^sbatch --parsable .*--partition=short --array=1-3 .*--cpus-per-task=2 --time=10 --nice=5 out.sqlite.parts/sweep.sh$' stdout \
  && grep -q -e '^sbatch --dependency=afterany:JOB .*--partition=short .*out.sqlite.parts/merge.sh$' stdout
result $? /sweep/slurm/dry-run "status $status: $(cat stdout stderr)"
"$program" sweep $study --db out.sqlite --slurm 3 --dry-run | sed -n '/^#!/,/^$/p' >scripts
[ "$(grep -c '^exec ' scripts)" = 2 ] && sh -n scripts 2>stderr
result $? /sweep/slurm/dry-run/scripts "$(cat stderr)"
[ "$("$program" sweep $study --db out.sqlite --slurm 100 --dry-run | grep -c -e '--array=1-40 ')" = 1 ]
result $? /sweep/slurm/dry-run/no-more-than-points

refused bad/zero 2 "'0'" sweep --slurm 0 --db out.sqlite
refused bad/no-db 2 --db sweep --slurm 2
refused bad/shard 2 --shard sweep --slurm 2 --db out.sqlite --shard 1/2
refused bad/wait-alone 2 '--wait needs --slurm' sweep --wait --db out.sqlite
refused bad/partition-alone 2 '--partition needs --slurm' sweep --partition x --db out.sqlite
mkdir bin none
printf '#!/bin/sh\necho "sbatch: error: no such partition" >&2\nexit 1\n' >bin/sbatch
chmod 755 bin/sbatch
(PATH=$PWD/none; export PATH; exec "$program" sweep $study --slurm 2 --db out.sqlite) >stdout 2>stderr
[ $? = 1 ] && grep -q 'cannot run sbatch' stderr && [ ! -s stdout ]
result $? /sweep/slurm/bad/no-sbatch "$(cat stdout stderr)"
(PATH=$PWD/bin:$PATH; export PATH; exec "$program" sweep $study --slurm 2 --db out.sqlite) >stdout 2>stderr
[ $? = 1 ] && grep -q 'no such partition' stderr && [ "$(grep -c '' stderr)" = 1 ] && [ ! -s stdout ]
result $? /sweep/slurm/bad/refused "$(cat stdout stderr)"
printf '#!/bin/sh\necho hello\n' >bin/sbatch
(PATH=$PWD/bin:$PATH; export PATH; exec "$program" sweep $study --slurm 2 --db out.sqlite) >stdout 2>stderr
[ $? = 1 ] && grep -q "'hello'" stderr && [ ! -s stdout ]
result $? /sweep/slurm/bad/no-number "$(cat stdout stderr)"
"$program" sweep $study --vary network/per-byte=1ns,2ns --slurm 2 --db out.sqlite >stdout 2>stderr
[ $? = 1 ] && grep -q "study.xml' is there already, of another study" stderr && [ ! -s stdout ]
result $? /sweep/slurm/bad/other-study "$(cat stdout stderr)"
rm -r out.sqlite.parts
# names of any kind; this sbatch runs what it gets
cat >bin/sbatch <<'EOF'
#!/bin/sh
for script; do :; done
case $script in
  *sweep.sh) for i in 1 2 3; do SLURM_ARRAY_TASK_ID=$i sh "$script" >>log 2>&1 || exit 1; done ;;
  *) sh "$script" >>log 2>&1 || exit 1 ;;
esac
echo 7
EOF
for name in -o.sqlite "it's \"a\" \$(file) %a" "$(printf 'two\nlines')"; do
  (PATH=$PWD/bin:$PATH; export PATH; exec "$program" sweep $study --slurm 3 --no-server -q --db "$name") >stdout 2>stderr
  status=$?
  dump_study "./$name" >out
  [ $status = 0 ] && cmp -s whole out && [ "$(grep -c -e ' --no-server ' "./$name.parts/sweep.sh")" = 1 ]
  result $? "/sweep/slurm/names/$(printf '%s' "$name" | tr -c 'a-z' _)" "status $status: $(cat stdout stderr log)"
  rm -rf "./$name" "./$name.parts"
done

# ---- with it

# is_whole NAME: out.sqlite has all rows
is_whole () {
  dump_study out.sqlite >out
  cmp -s whole out
  result $? "/sweep/slurm/$1" "$(cat stdout stderr; tail -n 5 out.sqlite.parts/*.log; diff whole out | head -n 5)"
}

has_ended () {
  [ -z "$(timeout 10 squeue -h)" ]
}

states () {
  timeout 10 scontrol -o show job | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p' | sort | uniq -c | tr -s ' \n' ' '
}

test_job () {
  "$program" sweep $study --slurm 3 --db out.sqlite >stdout 2>stderr
  result $? /sweep/slurm/submit "$(cat stdout stderr)"
  grep -q '^job [0-9]*: 3 parts$' stdout && grep -q '^job [0-9]*: merges them into out.sqlite' stdout
  result $? /sweep/slurm/submit/told "$(cat stdout stderr)"
  slurm_wait 90 has_ended
  result $? /sweep/slurm/submit/ended "$(squeue)"
  is_whole submit/rows
  grep -q '^out.sqlite: 40 of 40 points' out.sqlite.parts/merge.log && [ "$(ls out.sqlite.parts/*-of-3.sqlite | wc -l)" = 3 ]
  result $? /sweep/slurm/submit/log "$(cat out.sqlite.parts/merge.log)"
}

test_wait () {
  rm -r out.sqlite out.sqlite.parts
  timeout 300 "$program" sweep $study --slurm 2 --wait --partition short --sbatch=--nice=5 --db out.sqlite >stdout 2>stderr
  result $? /sweep/slurm/wait "$(cat stdout stderr)"
  is_whole wait/rows
  grep -q '^job [0-9]*: 2 COMPLETED$' stdout && grep -q '^out.sqlite: 40 of 40 points' stdout
  result $? /sweep/slurm/wait/told "$(cat stdout)"
}

# A part whose file is another's.
test_failed () {
  if ! command -v flock >/dev/null; then
    skip /sweep/slurm/failed "flock is absent"
    return
  fi
  rm -r out.sqlite out.sqlite.parts
  mkdir out.sqlite.parts
  flock out.sqlite.parts/2-of-3.sqlite sleep 100 &
  pid=$!
  timeout 300 "$program" sweep $study --slurm 3 --wait --db out.sqlite >stdout 2>stderr
  status=$?
  kill $pid
  [ $status = 4 ] && grep -q '^job [0-9]*: 2 COMPLETED, 1 FAILED$' stdout && grep -q '^missing: 1, 4, 7, ' stdout \
    && grep -q 'another sweep' out.sqlite.parts/2-of-3.log
  result $? /sweep/slurm/failed "status $status: $(cat stdout stderr out.sqlite.parts/*.log)"
}

test_cancelled () {
  rm -rf out.sqlite out.sqlite.parts
  "$program" sweep $study --slurm 2 --sbatch=--hold --db out.sqlite >stdout 2>stderr
  result $? /sweep/slurm/held "$(cat stdout stderr)"
  job=$(sed -n 's/^job \([0-9]*\): 2 parts$/\1/p' stdout)
  scontrol release "${job}_1" && scancel "${job}_2"
  slurm_wait 90 has_ended
  result $? /sweep/slurm/cancelled/ended "$(squeue)"
  grep -q '^out.sqlite: 20 of 40 points' out.sqlite.parts/merge.log && grep -q '^missing: 1, 3, 5, ' out.sqlite.parts/merge.log \
    && scontrol -o show job | grep 'JobName=predictor-merge' | grep -q 'JobState=FAILED.* ExitCode=4:0'
  result $? /sweep/slurm/cancelled/log "$(cat out.sqlite.parts/*.log; states)"
  timeout 300 "$program" sweep $study --slurm 2 --wait --db out.sqlite >stdout 2>stderr
  result $? /sweep/slurm/cancelled/again "$(cat stdout stderr)"
  is_whole cancelled/rows
}

# Interrupted while it waits: the job is cancelled.
test_interrupted () {
  rm -rf out.sqlite out.sqlite.parts
  "$program" sweep $study --slurm 2 --wait --sbatch=--hold --db out.sqlite >stdout 2>stderr &
  pid=$!
  slurm_wait 20 grep -q '2 parts' stdout
  kill -INT $pid
  wait $pid
  status=$?
  [ "$status" != 0 ] && has_ended
  result $? /sweep/slurm/interrupted "status $status: $(cat stdout stderr)"
  grep -q 'CANCELLED' stdout
  result $? /sweep/slurm/interrupted/told "$(cat stdout stderr)"
}

if slurm_start "$scratch/slurm"; then
  test_job
  test_wait
  test_failed
  test_cancelled
  test_interrupted
else
  skip /sweep/slurm/node "$slurm_reason"
fi

tap_done

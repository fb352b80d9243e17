#!/bin/sh
# accuracy.sh: predictions for two processors of one node against the measured
# run times in ../shared/traces/README.md, which it reads. Needs ../shared.
set -u
shared=${PREDICTOR_SHARED:-../shared}
program=${BUILD:-build}/predictor/predictor
table=$shared/traces/README.md

if [ ! -f "$table" ]; then
  echo "skipped: $table is absent"
  exit 0
fi

# "| heat2d 2000, 30 iterations | 0.3258 | 0.1503 (2×1) |": trace, grid, seconds
# on one and on two processors.
measured () {
  sed -n 's/^| *\([a-z0-9]*\) \([0-9,]*\)[^|]*| *\([0-9.]*\) *| *\([0-9.]*\) (\([0-9×]*\)) *|.*/\1 \2 \5 \3 \4/p' \
    "$table" | sed 's/,//g; s/×/x/' | awk '{ print $1 "_" $2, $3, $4, $5 }'
}

seconds () { # TRACE GRID
  "$program" run "$shared/traces/dvm/$1.ptr.gz" -m machines/two-cores.xml -n "$2" --json |
    sed -n 's/.*"execution_time": *\([0-9.]*\).*/\1/p' | head -n 1
}

echo "machine two-cores: two processors that exchange through memory"
measured | while read -r trace grid one two; do
  echo "$trace $grid $one $two $(seconds "$trace" 1) $(seconds "$trace" "$grid")"
done | awk '
  function abs (x) { return x < 0 ? -x : x }
  BEGIN {
    printf "%-16s %5s %10s %10s %8s %10s %10s\n", "program", "grid", "measured", "predicted",
           "error", "speed-up", "predicted"
  }
  {
    error = 100 * ($6 / $4 - 1)
    printf "%-16s %5s %8.4f s %8.4f s %+6.1f %% %10.2f %10.2f\n", $1, $2, $4, $6, error, $3 / $4,
           $5 / $6
    sum += abs(error); n++
    if (abs(error) > worst) worst = abs(error)
    if ($1 !~ /^heat2d/) { rest += abs(error); m++ }
  }
  END {
    if (n == 0) { print "no measured times were found in the table"; exit 1 }
    printf "%-16s mean %.1f %%, worst %.1f %%; without heat2d mean %.1f %%\n", "all", sum / n, worst,
           (m > 0 ? rest / m : 0)
  }'
status=$?
echo 'What the errors are, is in docs/accuracy.md.'
exit "$status"

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
cat <<'END'

What the errors are:
- heat2d: its speed-up of 2.17 exceeds the number of processors because half of
  the data fits the caches better. Computation here scales with the iterations, so
  2 is the most that can come out: 0.1629 s, 8.4 points of the error. The rest is
  sequential code and the run-time system, charged as recorded.
- gauss: its trace has four interval records per row, about 1.06 us each however
  long the row is: 4.2 us for rows of 26 elements and for rows of 236. So nearly
  all that was recorded in its loops are the intervals themselves. Processor 1
  executes 21,540 of the 28,680 rows: 0.0917 s at that price, more than the whole
  measured run, in which a row cost 3.4 us. What is missing is most likely the
  recorder: if the measured runs on two processors were not traced, writing a
  record costs 0.21 us, and nothing here takes that out. No figure for it was
  measured, so none is assumed. The other three programs have too few records to
  show it.
- A curve of the computation speed over the size of the local data, measured once
  per machine, was tried on kernels like heat2d, sor2d and wave1d: from 64 to 16 MB
  they gain by factors of 1.9, 1.8 and 3.9, from 48 to 24 MB wave1d gains where the
  recorded one does not. One curve does not carry over between programs: not kept.
END
exit "$status"

#!/bin/sh
# accuracy.sh: predictions for two processors of one node against measured run times: medians of
# three traces of one processor each, with decoded and with kept clamped times. Traces without
# statistics are compared with untraced runs, others with runs with statistics. Needs
# ../shared/traces/dvm/2026-11.
set -u
folder=${PREDICTOR_SHARED:-../shared}/traces/dvm/2026-11
program=${BUILD:-build}/predictor/predictor

if [ ! -f "$folder/measured.tsv" ]; then
  echo "skipped: $folder/measured.tsv is absent"
  exit 0
fi

# median TRACES HOW: seconds, of the three traces whose names begin so
median () {
  for i in 0 1 2; do
    "$program" run "$1_$i.ptr.gz" -m machines/two-cores.xml -n 2 --clamped "$2" --json 2>/dev/null |
      sed -n 's/.*"execution_time": *\([0-9.]*\).*/\1/p' | head -n 1
  done | sort -n | sed -n 2p
}

echo "machine two-cores: two processors that exchange through memory"
awk -F'\t' '$2 == 2 && $3 == "untraced" { print $1, "off", "tracens", $5 }
  $2 == 2 && $3 == "stat" { print $1, "on", "trace", $5 }' "$folder/measured.tsv" |
  while read -r name statistics kind measured; do
    echo "$name $statistics $measured $(median "$folder/${name}_$kind" decode) $(median "$folder/${name}_$kind" keep)"
  done | awk '
  function abs (x) { return x < 0 ? -x : x }
  function add (what, error) {
    sum[what] += abs(error); n[what]++
    if (abs(error) > worst[what]) worst[what] = abs(error)
  }
  function say (what) {
    printf "%s: mean %.1f %%, worst %.1f %%; without heat2d_2000 mean %.1f %%, worst %.1f %%\n", what,
           sum[what] / n[what], worst[what], sum[what "-"] / n[what "-"], worst[what "-"]
  }
  BEGIN {
    printf "%-16s %10s %10s %10s %9s %10s %9s\n", "program", "statistics", "measured", "decoded",
           "error", "kept", "error"
  }
  {
    decoded = 100 * ($4 / $3 - 1); kept = 100 * ($5 / $3 - 1)
    printf "%-16s %10s %8.4f s %8.4f s %+7.1f %% %8.4f s %+7.1f %%\n", $1, $2, $3, $4, decoded, $5, kept
    add("decoded", decoded); add("kept", kept)
    if ($1 != "heat2d_2000") { add("decoded-", decoded); add("kept-", kept) }
  }
  END {
    if (NR == 0) { print "no measured times were found in the table"; exit 1 }
    say("decoded"); say("kept")
  }'
status=$?
echo 'What the errors are, is in docs/accuracy.md.'
exit "$status"

#!/bin/sh
# accuracy.sh: predictions for two processors of one node against measured run times: medians of
# three traces of one processor each; with clamped times kept, with decoded ones, and with what
# recording cost taken out, too. Traces without statistics are compared with untraced runs, others
# with runs with statistics. Needs ../shared/traces/dvm/2026-11.
set -u
folder=${PREDICTOR_SHARED:-../shared}/traces/dvm/2026-11
program=${BUILD:-build}/predictor/predictor

if [ ! -f "$folder/measured.tsv" ]; then
  echo "skipped: $folder/measured.tsv is absent"
  exit 0
fi

# predict TRACE OPTION...: seconds
predict () {
  trace=$1
  shift
  "$program" run "$trace" -m machines/two-cores.xml -n 2 --json "$@" 2>/dev/null |
    sed -n 's/.*"execution_time": *\([0-9.]*\).*/\1/p' | head -n 1
}

# median TRACES OPTION...: of the three traces whose names begin so
median () {
  traces=$1
  shift
  for i in 0 1 2; do predict "${traces}_$i.ptr.gz" "$@"; done | sort -n | sed -n 2p
}

# scaled TRACES OTHERS: the same with the costs of loops in the traces of another size
scaled () {
  for i in 0 1 2; do predict "$1_$i.ptr.gz" --scaling-traces "$2_$i.ptr.gz"; done | sort -n | sed -n 2p
}

echo "machine two-cores: two processors that exchange through memory"
awk -F'\t' '$2 == 2 && $3 == "untraced" { print $1, "off", "tracens", $5 }
  $2 == 2 && $3 == "stat" { print $1, "on", "trace", $5 }' "$folder/measured.tsv" |
  while read -r name statistics kind measured; do
    traces=$folder/${name}_$kind
    kept=$(median "$traces" --clamped keep --recorder-cost keep)
    decoded=$(median "$traces" --recorder-cost keep)
    echo "$name $statistics $measured $kept $decoded $(median "$traces")"
    [ "$name" != heat2d_2000 ] ||
      echo "$name+600 $statistics $measured - - $(scaled "$traces" "$folder/heat2d_600_$kind")"
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
  function show (i) { return $i == "-" ? "-" : sprintf ("%+.1f", 100 * ($i / $3 - 1)) }
  BEGIN {
    printf "%-16s %10s %10s %10s %10s %10s %12s\n", "program", "statistics", "measured s", "kept, %",
           "decoded, %", "as usual, s", "as usual, %"
  }
  {
    printf "%-16s %10s %10.4f %10s %10s %10.4f %12s\n", $1, $2, $3, show(4), show(5), $6, show(6)
    if ($1 ~ /\+/) next
    for (i = 4; i <= 6; i++) {
      what = i == 4 ? "kept" : i == 5 ? "decoded" : "as usual"
      add(what, 100 * ($i / $3 - 1))
      if ($1 != "heat2d_2000") add(what "-", 100 * ($i / $3 - 1))
    }
  }
  END {
    if (NR == 0) { print "no measured times were found in the table"; exit 1 }
    say("kept"); say("decoded"); say("as usual")
  }'
status=$?
echo 'What the errors are, is in docs/accuracy.md.'
exit "$status"

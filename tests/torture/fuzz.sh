# fuzz: every target of tests/fuzz with libFuzzer, two at a time; corpora grow in CORPUS (default:
# build-fuzz/corpus). Inputs of each target are added to those of earlier campaigns in DOCUMENT.
# SPDX-License-Identifier: MIT
set -u
. tests/torture/common.sh
fuzz=$(realpath -m "${FUZZ:-build-fuzz}")
corpus=$(realpath -m "${CORPUS:-$fuzz/corpus}")
targets=$(for f in tests/fuzz/fuzz-*.c; do basename "$f" .c; done)
n=$(echo "$targets" | wc -l)
[ -x "$fuzz/tests/fuzz/$(echo "$targets" | head -n 1)" ] || {
  echo "no fuzz targets in $fuzz: clang's fuzzer is missing, or they are not built"
  exit 1
}
each=$(((deadline - $(date +%s)) * 2 / n))
[ "$each" -ge 1 ] || each=1

# fuzz_one TARGET: a row in $scratch/fuzz.TARGET
fuzz_one () {
  t=$1
  log=$scratch/$t.log
  mkdir -p "$corpus/$t" "$scratch/artifacts" "$scratch/at.$t"
  TMPDIR=$scratch/at.$t "$fuzz/tests/fuzz/$t" -seed="$SEED" -max_total_time="$each" -timeout=60 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$scratch/artifacts/$t-" "$corpus/$t" "tests/fuzz/corpus/$t" >"$log" 2>&1
  status=$?
  [ $status = 0 ] || found fuzz "$t" "$(grep -m 1 -E 'ERROR: |runtime error|CRITICAL|SUMMARY' "$log" | cut -c 1-200)" "$log" "$scratch/artifacts/$t"-*
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  [ -n "$inputs" ] || inputs=$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -n 1)
  set -- $(grep -oE 'cov: [0-9]+ ft: [0-9]+ corp: [0-9]+' "$log" | tail -n 1)
  echo "| ${t#fuzz-} | ${inputs:-0} | ${2:--} | ${4:--} | ${6:--} | $((status != 0)) |" >"$scratch/fuzz.$t"
}

echo "$targets" | while read -r t; do
  fuzz_one "$t" &
  read -r t && { fuzz_one "$t" & }
  wait
done
{
  echo "| target | inputs | inputs of all campaigns | edges | features | corpus | findings |"
  echo "|---|---|---|---|---|---|---|"
  cat "$scratch"/fuzz.fuzz-* | add_up fuzz
} >"$FOUND/tables/fuzz"
tried fuzz "$(awk -F ' *[|] *' '$2 == "all" { print $3 " inputs, " $4 " in all campaigns" }' "$FOUND/tables/fuzz")"

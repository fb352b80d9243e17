#!/bin/sh
# analyse-planted.sh [UNIT]: the programs of tests/record/planted run with real clocks, a
# unit being that many microseconds (4000), and are analysed: what is planted, and what is
# found. Wanted: within 5 % on an idle machine with a processor for each rank. Needs MPI.
set -u
unit=${1:-4000}
. tests/support/mpi.sh
. "$root/tests/support/planted.sh"

for mpi in $mpis; do
  command -v "mpicc.$mpi" >/dev/null && build_planted 2>/dev/null || { echo "$mpi: skipped, there is no working mpicc.$mpi"; continue; }
  list_planted >patterns
  printf '%-10s %-28s %-18s %10s %10s %8s\n' "$mpi" "" "" "planted ms" "found ms" "error"
  while read -r name ranks states rest <&3; do
    record_planted "$name" "$ranks" "$unit" || { echo "$name: $(cat stdout stderr)"; continue; }
    states_found >found
    states_planted "$name" "$states" $((unit * 1000)) | awk -v name="$name" '
      $1 != "all" { next }
      NR == FNR { found[$2] = $3; next }
      {
        error = 100 * (found[$2] / $3 - 1)
        printf "%-10s %-28s %-18s %10.2f %10.2f %+7.1f%%%s\n", "", name, $2, 1e3 * $3, 1e3 * found[$2], error,
          (error * error > 25 ? "  over 5 %" : "")
      }' found -
  done 3<patterns
done

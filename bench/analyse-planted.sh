#!/bin/sh
# analyse-planted.sh [UNIT]: the programs of tests/record/planted run with real clocks, a
# unit being that many microseconds (4000), and are analysed: the planted delay, the
# delay found, and whether the diagnosis names the rank that others wait for. Wanted: within 5 %, and
# yes. Each rank needs a processor of its own: programs of more ranks
# than there are processors are left out, and one whose ranks had no processor for 1 % of
# their time is run again, up to ten times, and its row is marked if that does not help. On a
# busy machine 'chrt -r 1 sh bench/analyse-planted.sh' gives the ranks precedence. Needs MPI,
# and otf2-print.
# SPDX-License-Identifier: MIT
set -u
unit=${1:-4000}
. tests/support/mpi.sh
. "$root/tests/support/planted.sh"
processors=$(nproc)

# share_lost: per mille of the time of ranks that they had no processor; -1: it is not recorded
share_lost () {
  otf2-print -G recorded/traces.otf2 | awk '
    /^CLOCK_PROPERTIES/ { sub(/.*Length: /, ""); span = $1 + 0 }
    /PREDICTOR::PROCESSOR_WAIT/ && /Value: / { waited += $NF; n++ }
    END { printf "%d\n", (n > 0 && span > 0 ? 1000 * waited / (n * span) : -1) }'
}

# states_real NAME STATES: STATES of patterns.txt, or what real.txt has instead
states_real () {
  awk -v name="$1" -v mpi="$mpi" -v states="$2" '
    $1 == name && ($2 == "*" || $2 == mpi) { states = $3 }
    END { print states }' "$planted/real.txt"
}

# is_named CULPRIT: yes, no, or - where no rank is to be named
is_named () {
  [ "$1" = - ] && { echo -; return; }
  grep -qF "for rank $1, late" json && echo yes || echo no
}

# record_undisturbed NAME RANKS: sets $lost
record_undisturbed () {
  for try in 1 2 3 4 5 6 7 8 9 10; do
    record_planted "$1" "$2" "$unit" || { echo "$1: $(cat stdout stderr)"; return 1; }
    lost=$(share_lost)
    [ "$lost" -ge 10 ] || return 0
  done
}

for mpi in $mpis; do
  command -v "mpicc.$mpi" >/dev/null && build_planted 2>/dev/null || { echo "$mpi: skipped, there is no working mpicc.$mpi"; continue; }
  list_planted >patterns
  printf '%-10s %-28s %-18s %10s %10s %8s %s\n' "$mpi" "" "" "planted ms" "found ms" "error" culprit
  while read -r name ranks states culprit words <&3; do
    [ "$ranks" -le "$processors" ] || { printf '%-10s %-28s needs %s processors\n' "" "$name" "$ranks"; continue; }
    record_undisturbed "$name" "$ranks" || continue
    states_found >found
    states_planted "$name" "$(states_real "$name" "$states")" $((unit * 1000)) | awk -v name="$name" -v lost="$lost" -v named="$(is_named "$culprit")" '
      $1 != "all" { next }
      NR == FNR { found[$2] = $3; next }
      {
        error = 100 * (found[$2] / $3 - 1)
        printf "%-10s %-28s %-18s %10.2f %10.2f %+7.1f%% %-3s%s%s\n", "", name, $2, 1e3 * $3, 1e3 * found[$2], error, named,
          (error * error > 25 ? "  over 5 %" : ""), (lost >= 10 ? sprintf("  disturbed, no processor for %.0f %%", lost / 10) : "")
      }' found -
  done 3<patterns
done

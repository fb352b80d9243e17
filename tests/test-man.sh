#!/bin/sh
# The man pages as a whole: headings, one for every command and library header, and references
# that lead somewhere. tests/test-help.sh holds their options and examples.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

program=${BUILD:-build}/predictor/predictor
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

# Pages of others that ours name.
others="env 1|fork 2|gnuplot 1|gzip 1|hwloc 7|lstopo 1|mpiexec 1|pkg-config 1|zstd 1"

for file in man/*.[135]; do
  name=$(basename "$file")
  page=${name%.*}
  section=${name##*.}
  sed -n 's/^\.Dt //p' "$file" | grep -qx "$(echo "$page" | tr a-z A-Z) $section"
  result $? "/man/$name/title" "$(sed -n 's/^\.Dt //p' "$file")"
  awk '/^\.Sh / { on = $2 == "NAME" } on' "$file" >"$scratch/name"
  grep -qx "\.Nm $page" "$scratch/name" && grep -q '^\.Nd .' "$scratch/name"
  result $? "/man/$name/name" "$(cat "$scratch/name")"
  grep -q '^\.Sh SEE ALSO' "$file"
  result $? "/man/$name/see-also"

  lost=$(sed -n 's/^\.\(.* \)\{0,1\}Xr \([^ ]*\) \([0-9]\).*/\2 \3/p' "$file" | sort -u | while read -r p s; do
    [ -e "man/$p.$s" ] || echo "|$others|" | grep -q "|$p $s|" || echo "$p($s)"
  done)
  [ -z "$lost" ]
  result $? "/man/$name/references" "nowhere: $lost"
  ! sed -n 's/^\.\(.* \)\{0,1\}Xr \([^ ]*\) \([0-9]\).*/\2.\3/p' "$file" | grep -qx "$name"
  result $? "/man/$name/not-itself"

  # from predictor(1) every page can be reached
  [ "$page" = predictor ] || grep -q "^\.\(.* \)\{0,1\}Xr $page $section" man/predictor.1
  result $? "/man/$name/reached" "predictor(1) does not refer to it"
done

# every command, and every program that is installed to be called by people
for c in $("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p') measure mpi; do
  [ -s "man/predictor-$c.1" ]
  result $? "/man/command/$c" "man/predictor-$c.1 does not exist"
done

# ---- predictor-comsys(3): each header is named, and each function of those that are promised

page=man/predictor-comsys.3
for h in $(grep -L 'Not installed\.' base/*.h comsys/*.h | grep -v -e '-private\.h'); do
  grep -q "^\.\(.* \)\{0,1\}In $h" "$page"
  result $? "/man/comsys/header/${h%.h}" "not named"
done
for h in comsys machine comm win alltoall; do
  grep -oE '^[A-Za-z].*\bpd_[a-z0-9_]+ \(|^pd_[a-z0-9_]+ \(' "comsys/pd-$h.h" | grep -v -e '^static' -e '^typedef' -e '^G_' -e '^#' | grep -oE 'pd_[a-z0-9_]+ \(' | sed 's/ (//' | sort -u >"$scratch/functions"
  lost=$(while read -r f; do grep -qw "$f" "$page" || echo "$f"; done <"$scratch/functions")
  [ -z "$lost" ] && [ "$(wc -l <"$scratch/functions")" -gt 5 ]
  result $? "/man/comsys/functions/pd-$h" "not on the page: $lost"
done
odd=$(grep -ohE '\bpd_[a-z0-9_]+' "$page" | sort -u | while read -r f; do grep -qw "$f" comsys/*.h base/*.h || echo "$f"; done)
[ -z "$odd" ]
result $? /man/comsys/functions-exist "nowhere declared: $odd"

tap_done

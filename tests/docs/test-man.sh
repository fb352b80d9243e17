#!/bin/sh
# The man pages as a whole: headings, one for every command and library header, and references
# that lead somewhere. tests/predictor/cli/test-help.sh holds their options and examples.
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

# the index has a row for each page, with what its NAME says, and no other
{
  for file in man/*.[135]; do
    n=$(basename "$file")
    echo "| [${n%.*}(${n##*.})]($n) | $(sed -n 's/^\.Nd //p' "$file") |"
  done
} | sort >"$scratch/pages"
grep '^| \[' man/README.md | sort >"$scratch/index"
cmp -s "$scratch/pages" "$scratch/index"
result $? /man/index "$(diff "$scratch/pages" "$scratch/index")"

# every command, and every program that is installed to be called by people
for c in $("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p') measure mpi; do
  [ -s "man/predictor-$c.1" ]
  result $? "/man/command/$c" "man/predictor-$c.1 does not exist"
done

# ---- predictor-comsys(3): each header is named, and each function of those that are promised

page=man/predictor-comsys.3
umbrella=$(sed -n 's/^#include "\(.*\)"$/\1/p' comsys/pd-comsys.h)
public=$(find base comsys -name '*.h' ! -name '*-private.h' -exec grep -LzE 'Not[[:space:]*]+installed\.' {} +)
# installed headers stand without rooms; a part of the subject of another header is named with it
for h in $public; do
  name=${h%%/*}/${h##*/}
  grep -q "^\.\(.* \)\{0,1\}In $name" "$page" || echo "$umbrella" | grep -qx "$h" ||
    grep -oE 'In comsys/pd-[a-z-]+' "$page" | sed 's/In //' | while read -r n; do case $name in "$n"-*) echo yes ;; esac; done | grep -q yes
  result $? "/man/comsys/header/${name%.h}" "not named"
done
for h in $(echo "$umbrella" | grep -vE '/pd-(machine-import|machine-show|machine-words|network|points|point-simulate)\.h$'); do
  sh tools/make-map MAN "$h" | grep -oE '\bpd_[a-z0-9_]+' >"$scratch/functions"
  lost=$(while read -r f; do grep -qw "$f" "$page" || echo "$f"; done <"$scratch/functions")
  [ -z "$lost" ]
  result $? "/man/comsys/functions/$(basename "$h" .h)" "not on the page: $lost"
done
odd=$(grep -ohE '\bpd_[a-z0-9_]+' "$page" | sort -u | while read -r f; do grep -qw "$f" $public || echo "$f"; done)
[ -z "$odd" ]
result $? /man/comsys/functions-exist "nowhere declared: $odd"

tap_done

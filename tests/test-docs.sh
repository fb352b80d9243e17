#!/bin/sh
# The commands of docs/*.md and README.md: lines after "$ " are run.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

root=$PWD
program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/docs" "$scratch/README"
ln -s "$program" "$scratch/bin/predictor"
cp tests/data/heat2d_600.ptr.gz "$scratch/docs/heat2d.ptr.gz"
cp tests/data/ring.ti tests/data/exchange.ti "$scratch/docs/"
ln -s "$root/tests" "$root/machines" "$scratch/README/"
behind=no
PATH=$scratch/bin:$PATH
export PATH LC_ALL=C PREDICTOR_DATADIR="$root"

# run_commands FILE FOLDER: indented lines right behind a command are in its output
run_commands () {
  grep -q '^ *\$ ' "$1"
  result $? "/docs/$(basename "$1")/has-commands"
  : >"$scratch/output"
  while IFS= read -r text; do
    line=$(echo "$text" | sed -n 's/^ \{4,\}\$ //p')
    if [ -n "$line" ]; then
      (cd "$2" && sh -c "$line" 2>&1 </dev/null) >"$scratch/output"
      result $? "/docs/$(basename "$1")/$(echo "$line" | cut -c 1-60)" "$(cat "$scratch/output")"
      behind=yes
    elif [ "$behind" = yes ] && [ "${text#    }" != "$text" ]; then
      grep -qF -e "${text#    }" "$scratch/output"
      result $? "/docs/$(basename "$1")/shown/$(echo "$text" | tr -s ' ' | cut -c 1-40)" "$(cat "$scratch/output")"
    else
      behind=no
    fi
  done <"$1"
}

for file in docs/*.md; do
  run_commands "$file" "$scratch/docs"
  grep -q "$file" README.md
  result $? "/docs/$(basename "$file")/linked" "README.md does not name it"
done
run_commands README.md "$scratch/README"

# the table that README.md shows is what its command prints
sed -n 's/^    \$ //p' README.md | head -n 1 >"$scratch/lines"
sed -n '/^    Processors  Grid/,/^    Most of/p' README.md | sed 's/^ *//' >"$scratch/shown"
(cd "$scratch/README" && sh -c "$(cat "$scratch/lines")") | sed -n '/^Processors  Grid/,/^Most of/p' \
  | sed 's/^ *//' >"$scratch/printed"
[ -s "$scratch/printed" ] && cmp -s "$scratch/shown" "$scratch/printed"
result $? /docs/README.md/table "$(diff "$scratch/shown" "$scratch/printed")"

tap_done

#!/bin/sh
# docs/models.md: its commands print what it shows, and what stands behind "By hand",
# an expression, is what they print.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
mkdir "$scratch/bin" "$scratch/docs"
ln -s "$program" "$scratch/bin/predictor"
cp tests/data/heat2d_600.ptr.gz "$scratch/docs/heat2d.ptr.gz"
PATH=$scratch/bin:$PATH
export PATH LC_ALL=C PREDICTOR_DATADIR="$root" SOURCE_DATE_EPOCH=0

# numbers FILE: those in it, one a line
numbers () {
  grep -oE '[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?' "$1"
}

# agrees EXPRESSION FILE: whether one of the numbers that are shown is it, to the last
# digit shown, or 1e-12
agrees () {
  value=$(awk "BEGIN { printf \"%.17g\", $1 }") || return 1
  numbers "$2" | awk -v value="$value" '
    { difference = value - $1; if (difference < 0) difference = -difference
      if (difference <= 0.5e-12 + 1e-11 * value) found = 1 }
    END { exit !found }'
}

: >"$scratch/output"
: >"$scratch/shown"
command=none
n_commands=0
n_hands=0
nth=0
while IFS= read -r text; do
  line=$(printf "%s\n" "$text" | sed -n 's/^ \{4,\}\$ //p')
  hand=$(printf "%s\n" "$text" | sed -n 's/^ *By hand: `\([^`]*\)`.*/\1/p')
  if [ -n "$line" ]; then
    command=$line
    nth=0
    n_commands=$((n_commands + 1))
    : >"$scratch/shown"
    (cd "$scratch/docs" && sh -c "$line" 2>"$scratch/err" </dev/null) >"$scratch/output"
    result $? "/models/run/$n_commands" "$command: $(cat "$scratch/err")"
    behind=yes
  elif [ -n "$hand" ]; then
    n_hands=$((n_hands + 1))
    # of several lines shown, in their order
    nth=$((nth + 1))
    if [ "$(grep -c . "$scratch/shown")" -gt 1 ]; then sed -n "${nth}p" "$scratch/shown"; else cat "$scratch/shown"; fi >"$scratch/line"
    [ -s "$scratch/line" ] && agrees "$hand" "$scratch/line"
    result $? "/models/by-hand/$n_hands" "$command: '$hand' is not what is shown: $(cat "$scratch/shown")"
  elif [ "${behind:-no}" = yes ] && [ "${text#    }" != "$text" ]; then
    printf "%s\n" "$text" | sed 's/^ *//; s/,$//' >>"$scratch/shown"
    sed 's/^ *//; s/,$//' "$scratch/output" | grep -qxF -e "$(printf "%s\n" "$text" | sed 's/^ *//; s/,$//')"
    result $? "/models/shown/$n_commands" "$command: $(cat "$scratch/output")"
  else
    behind=no
  fi
done <docs/models.md

# every command that shows a figure has one that was computed by hand
[ "$n_hands" -ge 20 ]
result $? /models/enough "only $n_hands figures by hand"
[ "$(grep -c '^ *By hand: ' docs/models.md)" = "$n_hands" ]
result $? /models/all-by-hand "some are not read"

tap_done

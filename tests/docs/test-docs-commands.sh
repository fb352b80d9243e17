#!/bin/sh
# Every command that README.md, the documents and the man pages show is run by a test
# or by `make docs-check`: it stands behind "$ " where these look, or the same one does
# elsewhere, or tests/data/docs-not-run says why not (file, command, reason; tabs between).
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C
table=tests/data/docs-not-run

# documents FILE...: "run" or "shown", file and command of each in fenced or indented blocks
documents () {
  awk '
    function say (kind, command) {
      sub(/  +#.*/, "", command); sub(/ +$/, "", command)
      print kind "\t" FILENAME "\t" command
    }
    FNR == 1 { fenced = 0; executed = FILENAME ~ /^(README|docs\/.*)\.md$/ }
    /^ *```/ { fenced = !fenced; next }
    /^    +\$ / { text = $0; sub(/^ *\$ /, "", text); say(executed ? "run" : "shown", text); next }
    fenced || /^    / {
      text = $0; sub(/^ */, "", text); first = text; sub(/ .*/, "", first)
      if (text ~ /^\$ /) { sub(/^\$ /, "", text); say("shown", text) }
      else if (first ~ /^(make|mpi(exec|run|cc|cxx|f90)|srun|sbatch|predictor(-[a-z]+)?|cc|gcc|sh|git|cd|sudo|apt(-get)?|export|\.\/.*)$/)
        say("shown", text)
    }' "$@"
}

# pages FILE...: the same of man pages, where those in EXAMPLES behind a prompt are run
pages () {
  awk '
    FNR == 1 { literal = 0; section = "" }
    $1 == ".Sh" { section = $2 }
    $1 == ".Bd" { literal = 1; next }
    $1 == ".Ed" { literal = 0; next }
    literal || $1 == ".Dl" {
      text = $0; sub(/^\.Dl /, "", text); sub(/^ */, "", text); gsub(/\\e/, "\\", text)
      kind = section == "EXAMPLES" && text ~ /^\$ / ? "run" : "shown"
      prompted = sub(/^\$ /, "", text)
      first = text; sub(/ .*/, "", first)
      if (prompted || (first ~ /^(make|mpi(exec|run|cc)|srun|sbatch|predictor(-[a-z]+)?|cc|sh)$/ && text ~ / [^0-9]/))
        print kind "\t" FILENAME "\t" text
    }' "$@"
}

documents README.md CONTRIBUTING.md docs/*.md machines/README.md examples/mpi/README.md >"$scratch/all"
pages man/*.[135] >>"$scratch/all"
sed -n 's/^run\t[^\t]*\t//p' "$scratch/all" | sort -u >"$scratch/run"
sed -n 's/^shown\t//p' "$scratch/all" | sort -u >"$scratch/shown"
[ "$(wc -l <"$scratch/run")" -ge 150 ]
result $? /docs-commands/run "only $(wc -l <"$scratch/run") commands are run"
[ "$(wc -l <"$scratch/shown")" -ge 10 ]
result $? /docs-commands/shown "only $(wc -l <"$scratch/shown") other commands were found"

: >"$scratch/excused"
while IFS='	' read -r file command; do
  grep -qxF -e "$command" "$scratch/run" && continue
  printf '%s\t%s\n' "$file" "$command" >>"$scratch/excused"
  awk -F '\t' -v f="$file" -v c="$command" '$1 == f && $2 == c && $3 != "" { found = 1 } END { exit !found }' "$table"
  result $? "/docs-commands/$file/$(printf '%s\n' "$command" | cut -c 1-50 | tr '#' ' ')" \
    "'$command' is not run: put it behind a prompt, or say in $table why not"
done <"$scratch/shown"

# the table has no line that is needed no more
cut -f 1,2 "$table" | sort -u >"$scratch/table"
sort -u "$scratch/excused" >"$scratch/needed"
odd=$(comm -23 "$scratch/table" "$scratch/needed")
[ -z "$odd" ]
result $? /docs-commands/table "no document shows: $odd"

tap_done

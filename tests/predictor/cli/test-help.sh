#!/bin/sh
# Help texts and man pages: --help of every subcommand, its options against its
# man page in both directions, the identifiers of messages, and the examples of
# all pages.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh
. tools/help-lines

root=$PWD
program=${BUILD:-build}/predictor/predictor
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

# The options of a help text on stdin, one a line: "-m --machine", "--xml".
help_options () {
  sed -n 's/^  \(-[^ ].*\)$/\1/p' | sed 's/   *.*//; s/=[^ ]*//g; s/,/ /g; s/  */ /g; s/ $//'
}

# The options that one macro of a page names: "It" in OPTIONS, "Op" in SYNOPSIS.
page_options () {
  awk -v macro="$2" '
    $1 == ".Sh" { section = $2 }
    (macro == "It" && $1 == ".It" && section != "SYNOPSIS") || (macro == "Op" && $1 == ".Op" && section == "SYNOPSIS") {
      out = ""; on = 0
      for (i = 2; i <= NF; i++) {
        if ($i == "Fl") on = 1
        else if ($i == ",") continue
        else if ($i ~ /^(Ar|Ns|Cm|Op|=|No)$/) on = 0
        else if (on) out = out (out == "" ? "" : " ") "-" $i
      }
      if (out != "") print out
    }' "$1"
}

# "Op Fl qv" stands for -q and -v.
single_letters () {
  awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^-[a-z]+$/) { for (k = 2; k <= length ($i); k++) print "-" substr ($i, k, 1) } else print $i }'
}

# check_help NAME WORDS...: the help of "predictor WORDS".
check_help () {
  name=$1
  shift
  "$program" "$@" --help >"$scratch/help" 2>"$scratch/errors"
  status=$?
  [ "$status" = 0 ] && [ -s "$scratch/help" ] && [ ! -s "$scratch/errors" ]
  result $? "/help/$name/stdout" "status $status: $(cat "$scratch/errors")"
  wide=$(sed 's/…/./g; s/×/./g; s/µ/./g' "$scratch/help" | awk 'length ($0) > 80')
  [ -z "$wide" ]
  result $? "/help/$name/columns" "more than 80: $wide"
  grep -q '^Example: \(mpiexec -n [0-9]* \)\{0,1\}predictor' "$scratch/help"
  result $? "/help/$name/example"
  bare=$(joined <"$scratch/help" | grep -v '^  \(-h, \)\{0,1\}--\(help\|version\|check-timer\|check-sync\) ' | grep -v '(default: ')
  [ -z "$bare" ]
  result $? "/help/$name/defaults" "no default: $bare"
  help_options <"$scratch/help" >>"$scratch/$page.help"
}

# check_page PAGE: what check_help collected against the man page.
check_page () {
  file=man/predictor$1.1
  sort -u "$scratch/$page.help" >"$scratch/a"
  page_options "$file" It | sort -u >"$scratch/b"
  cmp -s "$scratch/a" "$scratch/b"
  result $? "/help/page$1/options" "$(diff "$scratch/a" "$scratch/b")"

  page_options "$file" Op | single_letters | sort -u >"$scratch/synopsis"
  lost=$(while read -r spellings; do
    found=
    for s in $spellings; do
      grep -qx -e "$s" "$scratch/synopsis" && found=1
    done
    case $spellings in
    *--help) ;;
    *) [ -n "$found" ] || echo "$spellings" ;;
    esac
  done <"$scratch/a")
  [ -z "$lost" ]
  result $? "/help/page$1/synopsis" "not in the synopsis: $lost"
  odd=$(while read -r s; do grep -qw -e "$s" "$scratch/a" || echo "$s"; done <"$scratch/synopsis")
  [ -z "$odd" ]
  result $? "/help/page$1/synopsis-only" "not in the help: $odd"
}

# ---- every subcommand that the program itself names

commands=$("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -w)" -ge 5 ]
result $? /help/commands "only: $commands"

page=top
check_help predictor
check_page ""
for c in $commands; do
  page=$c
  grep -q "^\.It Cm $c\$" man/predictor.1
  result $? "/help/$c/listed" "predictor(1) does not name it"
  check_help "$c" "$c"
  actions=$("$program" "$c" --help | sed -n '/^Actions:/,/^$/s/^  \([a-z]*\) .*/\1/p')
  for a in $actions; do
    check_help "$c-$a" "$c" "$a"
  done
  if [ -e "man/predictor-$c.1" ]; then
    check_page "-$c"
  else
    result 1 "/help/page-$c" "man/predictor-$c.1 does not exist"
  fi
done

# ---- what newcomers type

# same WORDS --- WORDS: both print the same
same () {
  first=
  while [ "$1" != --- ]; do
    first="$first $1"
    shift
  done
  shift
  [ "$("$program" $first 2>&1)" = "$("$program" "$@" 2>&1)" ] && "$program" $first >"$scratch/help" 2>/dev/null && [ -s "$scratch/help" ]
  result $? "/help/newcomer$first"
}
same help --- --help
same help run --- run --help
same help machine show --- machine show --help

# hinted WORD ARGUMENTS...: a wrong command line that is answered with the word
hinted () {
  word=$1
  shift
  "$program" "$@" >"$scratch/help" 2>"$scratch/errors"
  status=$?
  [ $status = 2 ] && [ ! -s "$scratch/help" ] && head -n 1 "$scratch/errors" | grep -q -e "; did you mean '*$word'*?\$"
  result $? "/help/newcomer/$(echo "$*" | tr ' ' -)" "status $status: $(cat "$scratch/errors")"
}
hinted run rnu
hinted advise help advize
hinted formats help fromats
hinted --html run --htm x heat2d.ptr.gz
hinted show machine shwo
"$program" nothing-like-it 2>&1 | grep -q 'did you mean'
[ $? = 1 ]
result $? /help/newcomer/far
for wrong in "-m gigabit_ethernet" "-m flow:topolgy=star" "-m mvs1000 --set network/startp=1us"; do
  "$program" run tests/data/ring.ti $wrong 2>&1 | grep -q "; did you mean '[a-z/-]*'?"
  result $? "/help/newcomer/run $wrong"
done

# ---- topics: each names a page that exists; what it lists is all that there is

for t in $("$program" --words topics); do
  "$program" help "$t" >"$scratch/help" 2>"$scratch/errors"
  page=$(sed -n 's/^At length: man 5 //p' "$scratch/help")
  [ -s "man/$page.5" ] && [ ! -s "$scratch/errors" ] && "$program" --help | tail -n 2 | grep -qw "$t" && grep -q "^\.Cm .*\b$t\b" man/predictor.1
  result $? "/help/topic/$t" "$(cat "$scratch/help" "$scratch/errors")"
done
"$program" help formats >"$scratch/help"
lost=$(for f in $("$program" --words formats); do grep -q "^  $f .*[;,]" "$scratch/help" || echo "$f"; done)
[ -z "$lost" ] && grep -q '^  dvm ' "$scratch/help"
result $? /help/topic/formats/all "not there: $lost"
"$program" help machines >"$scratch/help"
lost=$("$program" --words keys | grep '^[a-z]*:' | sed 's/=.*//' | sort -u | while IFS=: read -r type key; do
  sed -n "/^$type: /,/^\$/p" "$scratch/help" | grep -q "^  $key " || echo "$type:$key"
done)
[ -z "$lost" ] && grep -q '^  bandwidth .*default: 0' "$scratch/help"
result $? /help/topic/machines/all "not there: $lost"
"$program" help models >"$scratch/help"
lost=$({ "$program" --words types; "$program" --words settings | sed -n 's!^collectives/set=!!p'; } | while read -r w; do grep -q "^  $w\( \|\$\)" "$scratch/help" || echo "$w"; done)
[ -z "$lost" ]
result $? /help/topic/models/all "not there: $lost"

# machines are found from anywhere, and a recording by its folder
mkdir "$scratch/elsewhere" "$scratch/elsewhere/app.recorded"
here=$(realpath "$program")
(cd "$scratch/elsewhere" && unset PREDICTOR_DATADIR && "$here" machine list | grep -q '^gigabit-ethernet ' \
  && "$here" convert "$root/tests/data/ring.ti" app.recorded/traces.otf2 && "$here" check app.recorded \
  && "$here" compare app.recorded app.recorded && "$here" run app.recorded -m gigabit-ethernet) >"$scratch/help" 2>&1
result $? /help/newcomer/elsewhere "$(cat "$scratch/help")"

# ---- predictor-measure, where there is an MPI

predictor=$program
program=${BUILD:-build}/measure/predictor-measure
if [ -x "$program" ]; then
  page=measure
  check_help measure
  for c in transfer collective contention exchange compare guidelines --check-timer --check-sync; do
    "$program" --help | grep -q -e "^  $c "
    result $? "/help/measure/$c/listed" "predictor-measure --help does not name it"
    check_help "measure$c" "$c"
  done
  check_page -measure
else
  skip /help/measure "there is no MPI"
fi
program=$predictor

# ---- predictor-mpi, where there is an MPI: what predictor sweep has, and nothing else

# MPI libraries leave memory behind, which is nothing that we could mend
quiet_sanitizer () {
  said=${ASAN_OPTIONS:-}
  export ASAN_OPTIONS="${said:+$said:}detect_leaks=0"
}
loud_sanitizer () {
  export ASAN_OPTIONS="$said"
}

program=${BUILD:-build}/predictor/predictor-mpi
if [ -x "$program" ]; then
  page=mpi
  quiet_sanitizer
  check_help mpi
  check_help mpi-sweep sweep
  loud_sanitizer
  odd=$(while read -r s; do grep -qx -e "$s" "$scratch/sweep.help" "$scratch/top.help" || echo "$s"; done <"$scratch/mpi.help")
  [ -z "$odd" ] && grep -qx -e --db "$scratch/mpi.help"
  result $? /help/mpi/options "not in predictor sweep --help: $odd"
else
  skip /help/mpi "there is no MPI"
fi
program=$predictor

# ---- predictor-messages(5) has the identifiers that the code has

# The first text of a call, or both of a choice; rows of the table of bad files.
code_identifiers () {
  find base traces intervals dataserver analyse comsys reports scale predictor -name '*.c' -exec cat {} + -o -name '*-template.h' -exec cat {} + | tr '\n' ' ' \
    | grep -oE '(pd_dvm_warn|pd_ti_warn|lose|pd_mp_note|\<note|pd_audit_find|pd_audit_find_here|pd_messages_add|pd_dvm_reader_report) \([^";{]*"[^,]*|\[PD_INPUT_[A-Z]*\] = \{ \{ [^}]*|\[PD_FINDING_[A-Z]*\] = \{ [^}]*' \
    | grep -oE '"[a-z][a-z-]*"' | tr -d '"' | sort -u
}

code_identifiers >"$scratch/a"
awk '$1 == ".It" && $2 == "Cm" { print $3 }' man/predictor-messages.5 | sort -u >"$scratch/b"
[ "$(wc -l <"$scratch/a")" -ge 50 ]
result $? /help/messages/found "only $(wc -l <"$scratch/a") identifiers in the code"
cmp -s "$scratch/a" "$scratch/b"
result $? /help/messages/identifiers "$(diff "$scratch/a" "$scratch/b")"

# ---- the examples: lines after a prompt, run in order in a folder of their own

prepare () {
  mkdir "$scratch/here" "$scratch/bin"
  ln -s "$(realpath "$program")" "$scratch/bin/predictor"
  if [ -x "${BUILD:-build}/measure/predictor-measure" ]; then
    measure=$(realpath "${BUILD:-build}/measure/predictor-measure")
    ln -s "$measure" "$scratch/bin/predictor-measure"
    # the one that belongs to it
    ln -s "$(command -v "mpiexec.${measure##*.}")" "$scratch/bin/mpiexec"
  fi
  if [ -x "${BUILD:-build}/predictor/predictor-mpi" ]; then
    ln -s "$(realpath "${BUILD:-build}/predictor/predictor-mpi")" "$scratch/bin/predictor-mpi"
  fi
  # a program to be recorded, of the same MPI
  if [ -n "${measure:-}" ] && [ -e "$(dirname "$program")/../record/libpredictor-record.so" ]; then
    "mpicc.${measure##*.}" -g -O1 -o "$scratch/here/app" examples/mpi/halo.c
  fi
  cp tests/data/heat2d_600.ptr.gz "$scratch/here/heat2d.ptr.gz"
  cp tests/data/ring.ti tests/data/imbalance.txt tests/data/measure-*.csv "$scratch/here"
  cp -r tests/data/heat2d_600_np2 tests/data/statistics.gz+ machines tests/data/Predictor.par tests/data/dimemas.* "$scratch/here"
  cp machines/example-cluster.xml "$scratch/here/cluster.xml"
  cp tests/data/allprof/pingpong-?.txt "$scratch/here"
  PATH=$scratch/bin:$PATH
  export PATH PREDICTOR_DATADIR="$root"
  (cd "$scratch/here" && predictor run heat2d.ptr.gz -n 1,4,2x2 -q --db results.sqlite \
    && predictor sweep heat2d.ptr.gz -m cluster.xml --vary procs=1,2 --vary network/startup=1us,5us \
      --db grids.sqlite -q)
}

prepare
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
for file in man/*.[15]; do
  name=$(basename "$file")
  grep -q '^\.Sh EXAMPLES' "$file"
  result $? "/examples/$name" "no EXAMPLES section"
  # what a reader sees: without overstriking, continued lines joined
  mandoc -T ascii -O width=400 "$file" | sed 's/.\x08//g' | sed -n '/^EXAMPLES/,/^[A-Z]/p' \
    | sed -e :a -e '/\\$/N; s/\\\n *//; ta' | sed -n 's/^ *\$ //p' >"$scratch/lines"
  if echo "$name" | grep -q 'predictor-\(measure\|mpi\).1' && [ ! -e "$scratch/bin/${name%.1}" ]; then
    skip "/examples/$name" "there is no MPI"
    continue
  fi
  if [ "$name" = predictor-record.1 ] && [ ! -e "$scratch/here/app" ]; then
    skip "/examples/$name" "there is no MPI"
    continue
  fi
  [ "$name" != predictor-mpi.1 ] || quiet_sanitizer
  while read -r line; do
    output=$(cd "$scratch/here" && sh -c "$line" 2>&1 </dev/null)
    result $? "/examples/$name/$(echo "$line" | cut -c 1-60 | tr '#' ' ')" "$output"
  done <"$scratch/lines"
  [ "$name" != predictor-mpi.1 ] || loud_sanitizer
done

tap_done

#!/bin/sh
# Completion for bash: what bash would offer at the end of a line, asked of a real bash; and
# its tables against the option tables.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
. tools/help-lines
build=${BUILD:-build}
script=$build/completion/predictor
program=$(realpath "$build/predictor/predictor")
export LC_ALL=C.UTF-8

command -v bash >/dev/null || {
  skip /completion "there is no bash"
  tap_done
  exit
}

# The words as bash splits them, at = and :, too; then what the function says.
cat >"$scratch/ask" <<'END'
. "$1"
COMP_LINE=$2
COMP_POINT=${#2}
IFS=$'\n' read -r -d '' -a COMP_WORDS < <(printf '%s' "$2" | sed 's/\([=:]\)/ \1 /g' | tr -s ' ' '\n'; printf '\0')
[[ $2 == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt () { :; }
_predictor
printf '%s\n' "${COMPREPLY[@]}"
END

# offers NAME LINE WORD...: WORDs are offered at the end of LINE, "-WORD" after "not" is not, "nothing": none is.
offers () {
  name=$1 line=$2 lost= sense=yes
  shift 2
  PREDICTOR_MACHINES=$PWD/machines bash "$scratch/ask" "$script" "$line" >"$scratch/said" 2>"$scratch/errors"
  for word in "$@"; do
    case $word in
    not) sense=no ;;
    nothing) [ -z "$(tr -d '\n' <"$scratch/said")" ] || lost="$lost something" ;;
    *)
      grep -qxF -e "$word" "$scratch/said" && found=yes || found=no
      [ "$found" = "$sense" ] || lost="$lost $word" ;;
    esac
  done
  [ -z "$lost" ] && [ ! -s "$scratch/errors" ]
  result $? "/completion/$name" "wrong:$lost; offered: $(tr '\n' ' ' <"$scratch/said"); $(cat "$scratch/errors")"
}

p=$program
offers commands "$p " run advise machine --version
offers commands-begun "$p re" record report not run serve
offers topics "$p help " formats run machines not --machine=
offers actions "$p machine " list show fit not run
offers options "$p run x.ti --" --machine= --pop --html= not --to= --by=
offers options-begun "$p run --se" --set= --seed= --sensitivity not --machine=
offers options-short "$p run -" --machine=
offers options-of-action "$p machine fit --" --network= not --points=
offers machines "$p run x.ti -m " mvs1000 two-cores flow: ideal not mvs1000.xml
offers machines-begun "$p run x.ti -m mv" mvs1000 not two-cores
offers machines-long "$p run x.ti --machine=mv" mvs1000
offers machine-files "$p run x.ti -m machines/mvs" machines/mvs1000.xml not mvs1000
offers machine-argument "$p machine show two-cores-2026-m" two-cores-2026-mpich
offers network-keys "$p run x.ti -m flow:nic" nic-latency= nic-bandwidth= not startup=
offers network-choices "$p run x.ti -m flow:topology=" star torus
offers network-second-key "$p run x.ti -m flow:topology=star,nic-l" star,nic-latency= not nic-latency=
offers network-algorithms "$p run x.ti -m flow:alltoall=br" bruck not alltoall=bruck
offers network-sets "$p run x.ti -m flow:collectives=m" mpich1 mpich4 not openmpi4
offers settings "$p run x.ti --set network/st" network/startup= not collectives/set=simple
offers settings-algorithms "$p sweep x.ti --set collectives/bcast=bin" binomial binary not chain
offers settings-long "$p run x.ti --set=collectives/set=m" mpich4
offers axes "$p sweep x.ti --vary " procs= network/latency=
offers axes-machine "$p sweep x.ti --vary machine=mv" mvs1000
offers formats "$p convert a b --to " goal otf2 text not dvm allprof
offers sets "$p convert a b --collectives=" mpich1 smpi
offers words "$p run x.ti --wildcards " recorded simulated
offers words-option-only "$p advise x.ti --by " time efficiency cost
offers list "$p advise x.ti --by time,e" time,efficiency not efficiency
offers axis-of-report "$p report x.sqlite --by " nothing
offers value-without-words "$p run x.ti --xml " nothing
offers files "$p run tests/data/ri" nothing
cp machines/mvs1000.xml "$scratch/odd name.xml"
cp machines/mvs1000.xml "$scratch/odd*.xml"
cp machines/mvs1000.xml "$scratch/oddly.xml"
offers odd-names-left-to-bash "$p run x.ti -m $scratch/o" "$scratch/oddly.xml" not "$scratch/odd" name.xml "$scratch/odd name.xml" "$scratch/odd*.xml"
offers unknown-command "$p frobnicate --" nothing
offers after-dashes "$p record -- ./a" nothing

if [ -x "$build/predictor/predictor-mpi" ]; then
  offers mpi "predictor-mpi " sweep
  offers mpi-variant "predictor-mpi.mpich sweep --" --vary= --db= not --slurm= --jobs=
  offers measure "predictor-measure " transfer collective --check-timer
  offers measure-options "predictor-measure transfer --" --loggp --variant= not --operations=
  offers measure-words "predictor-measure contention --timer " tsc MPI_Wtime
  offers measure-arrival "predictor-measure collective --arrival " late linear random
  offers measure-kinds "predictor-measure contention --sync " tree not hosts
else
  skip /completion/mpi "there is no MPI"
fi

# ---- every option is offered, and no other one

for c in run advise sweep serve record analyse compare info check convert report "machine fit" "machine import"; do
  $program $c --help | grep -oE '^  (-[a-z], )?--[a-z-]+=?' | grep -oE -e '--.*' | sort >"$scratch/a"
  bash "$scratch/ask" "$script" "$program $c --" | sort >"$scratch/b"
  cmp -s "$scratch/a" "$scratch/b" && [ -s "$scratch/a" ]
  result $? "/completion/all-options/$(echo "$c" | tr ' ' '-')" "$(diff "$scratch/a" "$scratch/b")"
done

# ---- words stand in the descriptions of their options

{
  for c in run advise sweep record compare convert report "machine show" "machine import" "machine fit"; do
    $program $c --help | joined | sed "s/^/${c##* }:/"
  done
  for c in transfer collective contention exchange compare guidelines --check-timer --check-sync; do
    [ ! -x "$build/measure/predictor-measure" ] || "$build/measure/predictor-measure" $c --help | joined | sed "s/^/$c:/"
  done
} >"$scratch/descriptions"
grep -v '^#' tools/completion-words.txt | while read -r option kind words; do
  case $option in
  *:*) command=${option%%:*} ;;
  *) command='[^:]*' ;;
  esac
  grep -E -e "^$command: .*${option##*:}=" "$scratch/descriptions" >"$scratch/its" || {
    [ -x "$build/measure/predictor-measure" ] && echo "$option: no command has it"
    continue
  }
  for word in $words; do
    case $kind in
    words | list | axes) grep -qwF -e "${word%[=:]}" "$scratch/its" || echo "$option: nothing says $word" ;;
    esac
  done
done >"$scratch/lost"
[ ! -s "$scratch/lost" ]
result $? /completion/words-described "$(cat "$scratch/lost")"

# ---- and what is offered for machines is understood

lost=$($program --words settings | grep '^collectives/[a-z-]*=.' | grep -v -e '/set=simple' | while read -r s; do
  $program machine check ideal --set "$s" >/dev/null 2>"$scratch/errors" || cat "$scratch/errors"
done)
[ -z "$lost" ]
result $? /completion/settings-understood "$lost"
lost=$($program --words keys | grep '^[a-z]*:' | while read -r s; do
  case $s in
  *=) $program machine check "$s?" 2>&1 | grep -e 'unknown key' -e 'no such' ;;
  *) $program machine check "$s" 2>&1 | grep -e 'unknown key' -e 'no such' -e 'expected one of' ;;
  esac
done)
[ -z "$lost" ]
result $? /completion/keys-understood "$lost"
$program machine check "flow:nosuch=1" 2>&1 | grep -q -e 'unknown key' -e 'no such'
result $? /completion/keys-would-be-refused "$($program machine check "flow:nosuch=1" 2>&1)"
"$program" --words nosuch >"$scratch/said" 2>&1
[ $? = 2 ] && [ ! -s "$scratch/said" ]
result $? /completion/unknown-kind

# descriptions go on in further lines of the help: zsh and fish have all of them
for file in _predictor predictor.fish; do
  grep -q 'timeline-window=.*one may be omitted' "$build/completion/$file"
  result $? "/completion/descriptions/$file" "$(grep timeline-window= "$build/completion/$file")"
done

tap_done

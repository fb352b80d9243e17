#!/bin/sh
# Completion for zsh and fish: syntax, what the shells themselves offer at the end of a line, and
# the same options as for bash, whose completion test-completion.sh holds against the programs.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/completion
export LC_ALL=C.UTF-8 PREDICTOR_MACHINES="$PWD/machines"
made=$build/completion

ask_zsh () {
  zsh -f tests/tools/ask.zsh "$made" "$1" "$scratch/hits"
}

ask_fish () {
  HOME=$scratch fish -N -c 'source $argv[1]; complete -C $argv[2]' "$made/predictor.fish" "$1"
}

# offers NAME LINE WORD...: WORDs are offered at the end of LINE, those behind "not" are not
offers () {
  name=$1 line=$2 lost='' sense=yes
  shift 2
  "ask_$shell" "$line" 2>"$scratch/errors" | sed 's/\t.*//' >"$scratch/said"
  for word in "$@"; do
    if [ "$word" = not ]; then
      sense=no
      continue
    fi
    grep -qxF -e "$word" "$scratch/said" && found=yes || found=no
    [ "$found" = $sense ] || lost="$lost $word"
  done
  [ -z "$lost" ] && [ ! -s "$scratch/errors" ]
  result $? "$area/$shell/$name" "wrong:$lost; offered: $(tr '\n' ' ' <"$scratch/said"); $(cat "$scratch/errors")"
}

check_shell () {
  p=$program
  offers commands "$p " run advise machine --version help
  offers commands-begun "$p re" record report not run
  offers actions "$p machine " list show fit not run
  offers topics "$p help f" formats not models
  offers options "$p run --se" --set= --seed= --sensitivity not --machine=
  offers machines "$p run x.ti -m mv" mvs1000 not two-cores
  offers machines-long "$p run x.ti --machine=mv" --machine=mvs1000
  offers machine-argument "$p machine show fron" frontier
  offers network-keys "$p run x.ti -m flow:nic" flow:nic-latency= flow:nic-bandwidth= not flow:startup=
  offers network-choices "$p run x.ti -m flow:topology=" flow:topology=star flow:topology=torus
  offers network-second-key "$p run x.ti -m flow:topology=star,nic-l" flow:topology=star,nic-latency=
  offers settings "$p run x.ti --set network/st" network/startup= not collectives/set=simple
  offers axes-machine "$p sweep x.ti --vary machine=mv" machine=mvs1000
  offers formats "$p convert a b --to g" goal goal-binary not otf2
  offers words "$p run x.ti --wildcards " recorded simulated
  offers list "$p advise x.ti --by time,e" time,efficiency
  [ ! -x "$build/measure/predictor-measure" ] || offers measure-variant "predictor-measure.mpich transfer --lo" --loggp
  for c in run "machine fit"; do
    "ask_$shell" "$p $c --" 2>/dev/null | sed 's/\t.*//' | sort >"$scratch/a"
    $program $c --help | grep -oE '^  (-[a-z], )?--[a-z-]+=?' | grep -oE -e '--.*' | sort >"$scratch/b"
    cmp -s "$scratch/a" "$scratch/b" && [ -s "$scratch/a" ]
    result $? "$area/$shell/all-options/$(echo "$c" | tr ' ' -)" "$(diff "$scratch/a" "$scratch/b")"
  done
}

for shell in zsh fish; do
  case $shell in
  zsh) script=$made/_predictor ;;
  fish) script=$made/predictor.fish ;;
  esac
  if ! command -v $shell >/dev/null; then
    skip $area/$shell "there is no $shell"
    continue
  fi
  $shell -n "$script" >"$scratch/errors" 2>&1
  result $? $area/$shell/syntax "$(cat "$scratch/errors")"
  check_shell
done

# a file is offered where the tables say nothing
if command -v fish >/dev/null; then
  shell=fish
  offers files "$program run tests/data/ring" tests/data/ring.ti
fi

tap_done

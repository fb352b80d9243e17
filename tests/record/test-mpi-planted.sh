#!/bin/sh
# Programs in which waiting is planted (tests/record/planted) are recorded under each MPI
# that is there, with clocks that show what is planted, and analysed: the states, their
# amounts to the nanosecond, where, for whom, and in which words.
# SPDX-License-Identifier: MIT
set -u
. tests/support/mpi.sh
. "$root/tests/support/planted.sh"
area=/mpi-planted
unit=1000003 # nanoseconds

# says NAME CULPRIT WORDS
says () {
  sed -n 's/^ *"text": "\(.*\)"$/\1/p' json | sed "s,[^ ]*/planted/,,g" >text
  waits=$(place "$1" waits) late=$(place "$1" late)
  there="at $late"
  [ "$waits" != "$late" ] || there=there
  [ "$2" = - ] || grep -qF "for rank $2, late $there" text
  result $? "$area/$1/culprit" "expected rank $2, late at $late: $(cat text)"
  echo "$3" | tr ';' '\n' | sed "s/^ *//; s/@waits/$waits/g; s/@late/$late/g" >words
  while read -r word; do
    grep -qF -e "$word" text
    result $? "$area/$1/says/$word" "$(cat text)"
  done <words
}

# of_file KEY: what the first row of the table of files has
of_file () {
  sed -n '/^ *"files": /,/}/s/^ *"'"$1"'": "*\([^",]*\)"*,*$/\1/p' json | head -n 1
}

# files NAME: the row of files.txt
files () {
  row=$(grep "^$1 " "$planted/files.txt") || return 0
  [ "$(of_file name)" = planted.data ]
  result $? "$area/$1/file" "$(of_file name)"
  for pair in ${row#* }; do
    wanted=${pair#*=}
    case $wanted in *u) wanted=$(awk "BEGIN { printf \"%.12f\", ${wanted%u} * $unit * 1e-9 }") ;; esac
    [ "$(of_file "${pair%%=*}")" = "$wanted" ]
    result $? "$area/$1/file/$pair" "expected $wanted: $(of_file "${pair%%=*}")"
  done
}

# pattern NAME RANKS STATES CULPRIT WORDS
pattern () {
  ./planted --clock "$1" "$2" $unit >clock && record_planted "$1" "$2"
  result $? "$area/$1/record" "$(cat stdout stderr)"
  states_found >found
  states_planted "$1" "$3" $unit >wanted
  ! grep -vxF -f found wanted && [ "$(grep '^all' wanted)" = "$(grep '^all' found)" ]
  result $? "$area/$1/states" "expected $(cat wanted)
found $(cat found)"
  says "$1" "$4" "$5"
  files "$1"
}

test_planted () {
  build_planted
  result $? "$area/build" "$(cat stderr)"
  list_planted >patterns
  while read -r name ranks states culprit words <&3; do
    pattern "$name" "$ranks" "$states" "$culprit" "$words"
  done 3<patterns
}

for_each_mpi planted
tap_done

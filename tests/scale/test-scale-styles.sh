#!/bin/sh
# predictor scale from outside: programs in styles of real ones, made of small recordings, are equal
# to what the program does on a greater number of ranks.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/scale/styles
styles=$PWD/tests/scale/styles.awk
cd "$scratch" || exit 1

# generate PATTERN SIZE: "8", "4x3", "2x4x4"
generate () { awk -v pattern="$1" -v size="$2" -f "$styles" >"$1.$2.pdt"; }

# make PATTERN TARGET SIZES...: made.pdt, true.pdt
make () {
  pattern=$1 target=$2 files=
  shift 2
  for size; do
    generate "$pattern" "$size"
    files="$files $pattern.$size.pdt"
  done
  generate "$pattern" "$target"
  rm -f made.pdt
  "$program" convert "$pattern.$target.pdt" true.pdt 2>stderr
  "$program" scale $files -n "$target" --save made.pdt -o report 2>stderr
}

# strip FILE: calls, without their sites
strip () { sed '/^site /d; /  compute /d; s/ site=[0-9]*//' "$1"; }

# compare: made.pdt is true.pdt
compare () {
  strip true.pdt >true
  strip made.pdt | diff true - >difference
}

# equal PATTERN TARGET SIZES...: what is made is what there is
equal () {
  make "$@" && compare
  result $? "$area/equal/$1" "$(cat stderr) $(head -n 6 difference)"
}

# lists of which each place has a rule of its own, and blocks whose average is a number of the call
equal neighbours 6x5 2x2 3x2 3x3 4x3 5x4
equal uneven 40 4 6 9 16
# ... in a file, too
"$program" scale neighbours.2x2.pdt neighbours.3x2.pdt neighbours.3x3.pdt neighbours.4x3.pdt neighbours.5x4.pdt --save it.model -q 2>stderr \
  && generate neighbours 7x6 && "$program" convert neighbours.7x6.pdt true.pdt 2>>stderr \
  && "$program" scale it.model -n 7x6 --save made.pdt -q 2>>stderr && compare
result $? "$area/file" "$(cat stderr) $(head -n 6 difference)"

# partners at a place of a row or a column, in turn, and kinds of repetitions of an outer loop
equal sweeps 6x5 2x2 3x2 3x3 4x3 4x4
equal rows 6x6 2x2 3x2 3x3 4x4 5x5
equal panels 40 4 8 16
equal triangle 40 4 8 16
equal nodes 64 8 16 24 32
# blocks in other styles; full ones first: only the last rank's says how many elements there are
equal later 64 4 6 9 16 25
equal even 64 4 6 9 16 25
equal full 64 4 6 9 16 25
equal down 6x5 2x2 3x2 3x3 4x3 4x4

# grids of which one size is the same on all numbers of ranks
equal parity 64 4 8 16 32
equal leaders 64 8 16 32
equal layers 2x6x6 2x2x2 2x3x3 2x4x4
has fixed/ambiguous 0 'in a grid of 3x4x6' \
  "$program" scale layers.2x2x2.pdt layers.2x3x3.pdt layers.2x4x4.pdt -n 72
lacks fixed/told 0 scale-ambiguous "$program" scale layers.2x2x2.pdt layers.2x3x3.pdt layers.2x4x4.pdt -n 2x6x6
refused fixed/odd 6 '65 ranks cannot be' "$program" scale parity.4.pdt parity.8.pdt parity.16.pdt -n 65
refused fixed/grid 6 'or not in that grid' "$program" scale parity.4.pdt parity.8.pdt parity.16.pdt -n 8x8
# requests that complete in any order
make anyone 6x5 3x3 4x3 4x4 5x4
awk -v pattern=anyone -v size=6x5 -v settled=1 -f "$styles" >settled.pdt && "$program" convert settled.pdt true.pdt 2>>stderr && compare
result $? "$area/settled/equal" "$(cat stderr) $(head -n 6 difference)"
has settled/note 0 '[scale-settled]' "$program" scale anyone.3x3.pdt anyone.4x3.pdt anyone.4x4.pdt anyone.5x4.pdt -n 30
has settled/validated 0 'give all 1440 calls on 20 ranks' "$program" scale anyone.3x3.pdt anyone.4x3.pdt anyone.4x4.pdt anyone.5x4.pdt -n 30

# a grid that is wrong for the program, whose calls then do not fit together
for size in 2x2x2 2x3x3 2x4x4; do generate replicas $size; done
"$program" scale replicas.2x2x2.pdt replicas.2x3x3.pdt replicas.2x4x4.pdt -n 72 --save never.pdt >stdout 2>stderr
[ $? = 3 ] && grep -q 'the recordings ended: a rule is wrong for the made program.*deadlock: 72 of 72' stderr && [ ! -s stdout ] && [ ! -e never.pdt ]
result $? "$area/deadlock" "$(head -n 2 stderr)"

tap_done

#!/bin/sh
# predictor analyse from outside: what it says, its options and their spellings of
# 2005, predicted runs, bad input.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C SOURCE_DATE_EPOCH=0 PREDICTOR_DATADIR="$PWD"
data=$PWD/tests/data
cd "$scratch" || exit 1

# ---- all that is said of a run

cp "$data/imbalance.txt" .
"$program" analyse imbalance.txt >text
diff "$data/imbalance.analysis" text >difference
result $? /analyse/text "$(head -n 20 difference)"

# has NAME WORD COMMAND...: what it prints has WORD.
has () {
  name=$1 word=$2
  shift 2
  "$@" >stdout 2>stderr
  [ $? = 0 ] && grep -qF -e "$word" stdout
  result $? "/analyse/$name" "$(cat stderr)"
}

# lacks NAME WORD COMMAND...
lacks () {
  name=$1 word=$2
  shift 2
  "$@" >stdout 2>stderr
  [ $? = 0 ] && [ -s stdout ] && ! grep -qF -e "$word" stdout
  result $? "/analyse/$name" "$(grep -F -e "$word" stdout)"
}

has diagnosis 'Rank 0 computes 105' "$program" analyse imbalance.txt
has where 'halo.c:22 MPI_Recv 31 ms' "$program" analyse imbalance.txt
has interval '==== USER loop' "$program" analyse imbalance.txt
lacks level '==== USER loop' "$program" analyse imbalance.txt --level 0
lacks level-at-end '==== USER loop' "$program" analyse imbalance.txt 0
lacks no-per-process 'each rank' "$program" analyse imbalance.txt --no-per-process
lacks wp 'each rank' "$program" analyse -wp imbalance.txt
lacks wp-of-sites 'rank 1:' "$program" analyse -wp imbalance.txt
lacks src 'falling time' "$program" analyse -src 100 imbalance.txt
lacks srct 'by place' "$program" analyse -srct 100 imbalance.txt
lacks calls-above 'MPI_Send' "$program" analyse --calls-above 5 --calls-above-by-source 5 imbalance.txt
has json '"real_sync": 0.030000000000' "$program" analyse imbalance.txt --json
has predicted 'communication 0.000007' "$program" analyse imbalance.txt -m myrinet:startup=7us,per-byte=0 0
has stdin 'Rank 0 computes 105' "$program" analyse - <imbalance.txt

"$program" analyse -wp -src 100 -srct 100 imbalance.txt 0 >least
[ "$(grep -c '' least)" -le 60 ]
result $? /analyse/one-screen "$(grep -c '' least) lines"

cat >single.txt <<'E1'
predictor-trace 1
ranks 1
0 compute 100ms
0 barrier took=1us
E1
has single 'One rank alone takes 100 ms' "$program" analyse imbalance.txt --single single.txt

# Rank 0 computes alone in interval 1, so that all wait for it in interval 2.
cat >late.txt <<'E1'
predictor-trace 1
ranks 3
interval 0: "" index=1
interval 1: "" index=2
0 enter 0
0 compute 100ms
0 leave 0
0 enter 1
0 compute 10ms
0 barrier took=1us
0 leave 1
1 enter 0
1 leave 0
1 enter 1
1 compute 10ms
1 barrier took=100.001ms
1 leave 1
2 enter 0
2 leave 0
2 enter 1
2 compute 10ms
2 barrier took=100.001ms
2 leave 1
E1
joined () {
  "$program" analyse -wp -src 100 -srct 100 "$1" | tr -s ' \n' '  '
}
has alone 'Rank 0 computes alone (100 ms, 100 %' joined late.txt
has late-entry 'but compute about as much: they enter it at different times, rank 0 among the last' joined late.txt
"$program" analyse -wp -src 100 -srct 100 late.txt | sed -n '/^==== USER .2/,$p' | grep -q 'explain it'
result $((1 - $?)) /analyse/late-entry-explains

cat >hardly.txt <<'E1'
predictor-trace 1
ranks 3
0 compute 1ms
0 barrier took=99.001ms
1 compute 100ms
1 barrier took=1us
2 compute 100ms
2 barrier took=1us
E1
has hardly-computes 'Rank 0 hardly computes (1 ms), while rank 1 computes 100 ms' joined hardly.txt
sed 's/0 compute 1ms/0 compute 20ms/' hardly.txt >less.txt
lacks hardly-computes-not 'hardly computes' joined less.txt

# ---- bad input: one line, nothing written

bad () {
  name=$1 expected=$2 word=$3
  shift 3
  rm -rf here
  mkdir here
  (cd here && "$program" analyse "$@" -o text.txt --csv run.csv) >stdout 2>stderr </dev/null
  status=$?
  hints=$(grep -c "^Try 'predictor analyse --help'\.$" stderr)
  [ $status = "$expected" ] && [ $(($(grep -c '' stderr) - hints)) = 1 ] && [ "$hints" = $((expected == 2)) ] \
    && grep -qF -e "$word" stderr && [ ! -s stdout ] && [ -z "$(ls -A here)" ]
  result $? "/analyse/bad/$name" "status $status: $(cat stderr) $(ls -A here)"
}

here=$PWD
cat >hang.txt <<'E1'
predictor-trace 1
ranks 2
0 send 1 8 took=1us
1 barrier took=1us
E1
bad no-trace 2 'a trace'
bad absent 1 absent.otf2 absent.otf2
bad level 2 "'x'" "$here/imbalance.txt" x
bad level-negative 2 "'-3'" "$here/imbalance.txt" --level=-3
bad percent 2 'calls-above' "$here/imbalance.txt" --calls-above 101
bad set-alone 2 'needs -m' "$here/imbalance.txt" --set network/startup=1us
bad unmeasured 1 'recorded times' "$data/ring.ti"
printf 'num_ranks 1\nrank 0 {\nl1: calc 5\n}\n' >one.goal
bad graph 1 'graph' "$here/one.goal"
bad dvm 1 'DVM' "$data/heat2d_600.ptr.gz"
bad strict 1 'errors' "$here/hang.txt" --strict
bad single 1 'expected one' "$here/imbalance.txt" --single "$here/imbalance.txt"
bad machine 1 nowhere "$here/imbalance.txt" -m nowhere
"$program" analyse hang.txt -m ideal >stdout 2>stderr
[ $? = 3 ] && [ ! -s stdout ] && grep -q 'waits for rank 0, which has ended' stderr
result $? /analyse/bad/deadlock "$(cat stderr)"

"$program" analyse hang.txt >stdout 2>stderr
[ $? = 0 ] && [ "$(grep -nF 'matching-incomplete' stdout | cut -d: -f1)" -lt "$(grep -n '^==== ' stdout | head -n 1 | cut -d: -f1)" ]
result $? /analyse/errors-first "$(cat stderr)"

tap_done

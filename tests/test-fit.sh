#!/bin/sh
# predictor machine fit, and show of what it made: on sheets of a machine whose parameters
# are known (tests/support/make-measured.sh).
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

root=$PWD
program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C PREDICTOR_DATADIR="$root"
cp tests/data/measure-*.csv "$scratch"

# try EXPECTED NAME WORDS...: status; out and err stay
try () {
  expected=$1
  name=$2
  shift 2
  (cd "$scratch" && "$program" machine "$@") >"$scratch/out" 2>"$scratch/err"
  status=$?
  [ "$status" = "$expected" ]
  result $? "/fit/$name" "status $status: $(head -n 5 "$scratch/out" "$scratch/err")"
}

# refused STATUS NAME TEXT WORDS...
refused () {
  expected=$1
  name=$2
  text=$3
  shift 3
  try "$expected" "$name" "$@"
  [ "$(wc -l <"$scratch/err")" -le 2 ] && grep -qF -e "$text" "$scratch/err" && [ ! -s "$scratch/out" ]
  result $? "/fit/$name/said" "$(cat "$scratch/err")"
}

# near NAME EXPECTED PERCENT XPATH: a number with a unit
near () {
  value=$(xmllint --xpath "string($4)" "$scratch/known.xml" | sed 's/[a-zA-Z]*$//')
  echo "$value $2 $3" | awk '{ exit !($1 >= $2 * (1 - $3 / 100) && $1 <= $2 * (1 + $3 / 100)) }'
  result $? "/fit/known/$1" "$value, expected $2"
}

# the errors of a row of the last table: median and worst, in percent
errors () {
  sed -n '/^model against/,$p' "$scratch/out" | awk -v what="$1" 'index ($0, what) == 1 {
    worst = $(NF - 1); if (worst < 0) worst = -worst; print $(NF - 2), worst }'
}

mkdir "$scratch/made"
sh tests/support/make-measured.sh "$program" "$scratch/made" 2>"$scratch/err"
for kind in transfer sendrecv collective; do
  cmp "$scratch/made/measure-$kind.csv" "tests/data/measure-$kind.csv" 2>>"$scratch/err"
  result $? "/fit/data/$kind" "$(cat "$scratch/err")"
done

# ---- what was known is found again

all="measure-transfer.csv measure-sendrecv.csv measure-collective.csv"
try 0 known fit $all -o known.xml
cp "$scratch/out" "$scratch/table"
near startup 0.09 3 "//network/@startup"
near send 0.06 1 "//software/@send-overhead"
near wait 0.02 20 "//software/@wait-overhead"
near copy 0.04 10 "//software/@copy-per-byte"
near reduction 0.12 10 "//software/@reduction-per-byte"
near fresh 0.5 10 "//function[@name='MPI_Allreduce']/@per-byte"
near bcast 0.1 10 "//function[@name='MPI_Bcast']/@overhead"
near large 80.3 2 "//row[@size='1048576B']/@time"
near line 0.075 3 "//line[2]/@per-byte"
near r2 1 1 "//measured/@operation-r2"
[ "$(xmllint --xpath 'string(//network/@eager)' "$scratch/known.xml")" = 2048B ]
result $? /fit/known/eager
[ "$(xmllint --xpath 'string(//collectives/@set)' "$scratch/known.xml")" = openmpi4 ]
result $? /fit/known/set
xmllint --noout --relaxng schemas/machine.rng "$scratch/known.xml" 2>"$scratch/err"
result $? /fit/known/schema "$(cat "$scratch/err")"
for what in ping-pong sendrecv bcast reduce allreduce gather scatter allgather alltoall; do
  errors "$what" | awk '{ exit !($1 <= 2 && $2 <= 5) }'
  result $? "/fit/known/error-$what" "$(errors "$what")"
done

# ---- one command prints it again, from the description alone

cp "$scratch/known.xml" "$scratch/elsewhere.xml"
try 0 again show --measured elsewhere.xml
cmp -s "$scratch/out" "$scratch/table"
result $? /fit/again/same "$(diff "$scratch/out" "$scratch/table" | head -n 5)"
try 0 changed show --measured elsewhere.xml --set network/table/row/factors=3
errors alltoall | awk '{ exit !($2 > 20) }'
result $? /fit/changed/worse "$(errors alltoall)"
try 0 points show --measured elsewhere.xml --points known.xml
cmp -s "$scratch/out" "$scratch/table"
result $? /fit/points/same
try 1 no-points show --measured elsewhere.xml --points "$root/machines/mvs1000.xml"
try 0 deterministic fit $all -o second.xml --name known
cmp -s "$scratch/known.xml" "$scratch/second.xml"
result $? /fit/deterministic/same
try 0 check check known.xml
refused 1 nothing "no measured points" show --measured "$root/machines/mvs1000.xml"

# ---- other networks

for network in loggops memory ethernet myrinet; do
  try 0 "network-$network" fit $all -o other.xml --network $network --bound 0.5
  [ "$(xmllint --xpath 'string(//network/@type)' "$scratch/other.xml")" = $network ]
  result $? "/fit/network-$network/type"
done
try 0 larger fit $all -o other.xml --processors 8
[ "$("$program" machine check "$scratch/other.xml")" = "$scratch/other.xml: ok, 8 processors" ]
result $? /fit/larger/size
refused 1 more-nodes "nothing was measured between hosts" fit $all -o bad.xml --nodes 4

# ---- two hosts: half of the ranks on each

sed 's/0\*2/0*1 1*1/' tests/data/measure-transfer.csv >"$scratch/between.csv"
sed 's/0\*2/0*1 1*1/' tests/data/measure-collective.csv >"$scratch/spread.csv"
try 0 hosts fit measure-transfer.csv measure-sendrecv.csv between.csv spread.csv -o hosts.xml --nodes 4 --processors 2
[ "$("$program" machine check "$scratch/hosts.xml")" = "$scratch/hosts.xml: ok, 8 processors" ]
result $? /fit/hosts/size
[ "$(xmllint --xpath 'count(//table)' "$scratch/hosts.xml")" = 2 ]
result $? /fit/hosts/tables
errors 'ping-pong between nodes' | awk '{ exit !(NF == 2 && $1 <= 2 && $2 <= 5) }'
result $? /fit/hosts/error "$(cat "$scratch/out")"
errors 'bcast, 2 ranks, 1 a node' | awk '{ exit !(NF == 2 && $1 <= 10) }'
result $? /fit/hosts/collective "$(cat "$scratch/out")"

# ---- pictures

if command -v gnuplot >/dev/null 2>&1; then
  try 0 png fit $all -o known.xml --plot known.png
  [ "$(head -c 8 "$scratch/known.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]
  result $? /fit/png/form
  try 0 svg show known.xml --plot known.svg
  xmllint --noout "$scratch/known.svg" 2>"$scratch/err" && grep -q 'allreduce, 2 ranks' "$scratch/known.svg"
  result $? /fit/svg/form "$(cat "$scratch/err")"
  refused 1 unwritable "gnuplot" show known.xml --plot /nowhere/x.png
else
  skip /fit/png "gnuplot is missing"
fi
refused 1 ending "ends with .png or .svg" show known.xml --plot known.gif
PREDICTOR_GNUPLOT=/nowhere/gnuplot
export PREDICTOR_GNUPLOT
refused 1 no-gnuplot "need gnuplot" show known.xml --plot none.png
unset PREDICTOR_GNUPLOT
[ ! -e "$scratch/none.png" ]
result $? /fit/no-gnuplot/nothing

# ---- what is refused

sed 's/,0$/,1/' tests/data/measure-transfer.csv >"$scratch/crowded.csv"
refused 1 crowded "crowded.csv:10: there were more processes than processors" fit crowded.csv -o bad.xml
try 0 crowded-forced fit crowded.csv -o other.xml --force
awk -F, -v OFS=, '$1 == "transfer" { $9 = ($5 * 7919 % 11 + 0.1) ^ 3; $10 = $11 = "" } { print }' \
  tests/data/measure-transfer.csv >"$scratch/wild.csv"
refused 1 poor "does not fit the transfers: R2 is" fit wild.csv -o bad.xml
try 0 poor-forced fit wild.csv -o other.xml --force
sed 's/Open MPI v4.1.4/MPICH 4.0.2/' tests/data/measure-collective.csv >"$scratch/mpich.csv"
refused 1 mixed "measured with 'MPICH" fit measure-transfer.csv mpich.csv -o bad.xml
sed 's/"Open MPI v4.1.4, as played"/Own MPI/' tests/data/measure-transfer.csv >"$scratch/own.csv"
refused 1 unknown-mpi "say with --collectives" fit own.csv -o bad.xml
try 0 unknown-mpi-said fit own.csv -o other.xml --collectives mpich1
refused 1 no-transfers "no transfers of variant 1" fit measure-collective.csv -o bad.xml
head -c 2000 tests/data/measure-transfer.csv >"$scratch/cut.csv"
refused 1 cut "cut.csv:" fit cut.csv -o bad.xml
refused 1 missing "No such file" fit absent.csv -o bad.xml
refused 2 no-output "expected FILE" fit measure-transfer.csv
refused 2 network "expected contention, loggops" fit measure-transfer.csv -o bad.xml --network carrier-pigeon
refused 2 bound "expected 0 to 1" fit measure-transfer.csv -o bad.xml --bound 2
[ ! -e "$scratch/bad.xml" ]
result $? /fit/refused/nothing-written

tap_done

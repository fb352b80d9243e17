#!/bin/sh
# predictor machine fit, and show of what it made: on sheets of a machine whose parameters
# are known (tests/support/make-measured.sh).
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/fit
data=$root/tests/data
cd "$scratch" || exit 1
cp "$data"/measure-*.csv .

machine () { "$program" machine "$@"; }

# near NAME EXPECTED PERCENT XPATH: a number with a unit
near () {
  value=$(xmllint --xpath "string($4)" known.xml | sed 's/[a-zA-Z]*$//')
  echo "$value $2 $3" | awk '{ exit !($1 >= $2 * (1 - $3 / 100) && $1 <= $2 * (1 + $3 / 100)) }'
  result $? "/fit/known/$1" "$value, expected $2"
}

# the errors of a row of the last table: median and worst, in percent
errors () {
  sed -n '/^model against/,$p' stdout | awk -v what="$1" 'index ($0, what) == 1 {
    worst = $(NF - 1); if (worst < 0) worst = -worst; print $(NF - 2), worst }'
}

mkdir made
sh "$root/tests/support/make-measured.sh" "$program" made 2>err
for kind in transfer sendrecv collective; do
  cmp "$scratch/made/measure-$kind.csv" "$data/measure-$kind.csv" 2>>err
  result $? "/fit/data/$kind" "$(cat err)"
done

# ---- what was known is found again

all="measure-transfer.csv measure-sendrecv.csv measure-collective.csv"
gives known 0 machine fit $all -o known.xml
cp stdout table
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
equal known/eager 2048B "$(xmllint --xpath 'string(//network/@eager)' known.xml)"
equal known/set openmpi4 "$(xmllint --xpath 'string(//collectives/@set)' known.xml)"
valid known/schema machine known.xml
for what in ping-pong sendrecv bcast reduce allreduce gather scatter allgather alltoall; do
  errors "$what" | awk '{ exit !($1 <= 2 && $2 <= 5) }'
  result $? "/fit/known/error-$what" "$(errors "$what")"
done

# ---- the error of the points is the spread of the network, which samples draw from

sigma=$(sed -n 's/.*<spread path="network-ratio" kind="lognormal" sigma="\([0-9.]*\)".*/\1/p' known.xml)
median=$(awk '$1 == "all" { print $3 }' table)
[ -n "$sigma" ] && awk -v s="$sigma" -v m="$median" 'BEGIN { exit !(s >= 0.014826 * (m - 0.06) && s <= 0.014826 * (m + 0.06)) }'
result $? /fit/spread "sigma $sigma, median $median %"
printf '0 init\n0 send 1 0 1000 6\n0 finalize\n1 init\n1 recv 0 0 1000 6\n1 finalize\n' >two.ti
"$program" run two.ti -m known.xml --samples 9 >samples 2>&1
grep -q 'Execution time of 9 samples' samples && [ "$(grep -A 2 'Execution time of 9' samples | awk 'END { print $3 < $9 }')" = 1 ]
result $? /fit/samples "$(head -n 30 samples)"

# ---- the verdict, and its status

grep -q '^Verdict: good\. Half of the ' table
result $? /fit/verdict/good "$(tail -n 3 table)"
# what was measured of operations is nearly all there is, and rises and falls as no algorithm does
awk -F, -v OFS=, '$1 == "collective" && $2 != "barrier" { n++; for (i = 14; i <= 16; i++) $i *= 9 ^ (n % 3) } { print }' \
  measure-collective.csv >wild.csv
gives verdict/poor 5 machine fit measure-transfer.csv wild.csv -o wild.xml --bound 0
tr '\n' ' ' <stdout | grep -q 'Verdict: poor\. .*programs that spend their time in these operations: .*alltoall' && valid verdict/written machine wild.xml
result $? /fit/verdict/named "$(tail -n 6 stdout)"

# ---- one command prints it again, from the description alone

cp known.xml elsewhere.xml
gives again 0 machine show --measured elsewhere.xml
same again/same stdout table
gives changed 0 machine show --measured elsewhere.xml --set network/table/row/factors=3
errors alltoall | awk '{ exit !($2 > 20) }'
result $? /fit/changed/worse "$(errors alltoall)"
gives points 0 machine show --measured elsewhere.xml --points known.xml
same points/same stdout table
gives no-points 1 machine show --measured elsewhere.xml --points "$root/machines/mvs1000.xml"
gives deterministic 0 machine fit $all -o second.xml --name known
same deterministic/same known.xml second.xml
gives check 0 machine check known.xml
refused nothing 1 "no measured points" machine show --measured "$root/machines/mvs1000.xml"

# ---- other networks

for network in loggops memory ethernet myrinet; do
  gives "network-$network" 0 machine fit $all -o other.xml --network $network --bound 0.5
  equal "network-$network/type" $network "$(xmllint --xpath 'string(//network/@type)' other.xml)"
done
gives larger 0 machine fit $all -o other.xml --processors 8
equal larger/size 'other.xml: ok, 8 processors' "$(machine check other.xml)"
refused more-nodes 1 "nothing was measured between hosts" machine fit $all -o bad.xml --nodes 4

# ---- two hosts: half of the ranks on each

sed 's/0\*2/0*1 1*1/' "$data/measure-transfer.csv" >between.csv
sed 's/0\*2/0*1 1*1/' "$data/measure-collective.csv" >spread.csv
gives hosts 0 machine fit measure-transfer.csv measure-sendrecv.csv between.csv spread.csv -o hosts.xml --nodes 4 --processors 2
equal hosts/size 'hosts.xml: ok, 8 processors' "$(machine check hosts.xml)"
equal hosts/tables 2 "$(xmllint --xpath 'count(//table)' hosts.xml)"
errors 'ping-pong between nodes' | awk '{ exit !(NF == 2 && $1 <= 2 && $2 <= 5) }'
result $? /fit/hosts/error "$(cat stdout)"
errors 'bcast, 2 ranks, 1 a node' | awk '{ exit !(NF == 2 && $1 <= 10) }'
result $? /fit/hosts/collective "$(cat stdout)"

# ---- the eager limit that was measured, of the least pair of the level, is not where times jump

pairs () { printf '\ntable,variant,first,second,eager_bytes,oversubscribed\n'; printf 'pair,1,0,1,%s,0\n' "$@"; }
{ cat "$data/measure-transfer.csv" && pairs 300 256; } >limit.csv
{ cat between.csv && pairs 9000; } >between-limit.csv
gives eager 0 machine fit limit.csv between-limit.csv -o eager.xml --network ethernet --nodes 2 --bound 0.5
equal eager/memory 256B "$(xmllint --xpath 'string(//memory/@eager)' eager.xml)"
equal eager/network 9000B "$(xmllint --xpath 'string(//network/@eager)' eager.xml)"
gives eager-table 0 machine fit limit.csv -o eager.xml
equal eager-table/limit 256B "$(xmllint --xpath 'string(//network/@eager)' eager.xml)"
{ cat "$data/measure-transfer.csv" && pairs none; } >limit.csv
refused eager-wrong 1 "limit.csv:38: eager_bytes 'none': expected a whole number" machine fit limit.csv -o bad.xml

# ---- pictures

if command -v gnuplot >/dev/null 2>&1; then
  gives png 0 machine fit $all -o known.xml --plot known.png
  equal png/form 89504e470d0a1a0a "$(head -c 8 known.png | od -An -tx1 | tr -d ' \n')"
  gives svg 0 machine show known.xml --plot known.svg
  xmllint --noout known.svg 2>err && grep -q 'allreduce, 2 ranks' known.svg
  result $? /fit/svg/form "$(cat err)"
  refused unwritable 1 "cannot write '/nowhere/x.png'" machine show known.xml --plot /nowhere/x.png
else
  skip /fit/png "gnuplot is missing"
fi
refused ending 1 "ends with .png or .svg" machine show known.xml --plot known.gif
PREDICTOR_GNUPLOT=/nowhere/gnuplot
export PREDICTOR_GNUPLOT
refused no-gnuplot 1 "need gnuplot" machine show known.xml --plot none.png
unset PREDICTOR_GNUPLOT
[ ! -e none.png ]
result $? /fit/no-gnuplot/nothing

# ---- what is refused

sed 's/,0$/,1/' "$data/measure-transfer.csv" >crowded.csv
refused crowded 1 "crowded.csv:10: there were more processes than processors" machine fit crowded.csv -o bad.xml
gives crowded-forced 0 machine fit crowded.csv -o other.xml --force
awk -F, -v OFS=, '$1 == "transfer" { $9 = ($5 * 7919 % 11 + 0.1) ^ 3; $10 = $11 = "" } { print }' \
  "$data/measure-transfer.csv" >wild.csv
refused poor 1 "does not fit the transfers: R2 is" machine fit wild.csv -o bad.xml
gives poor-forced 0 machine fit wild.csv -o other.xml --force
sed 's/Open MPI v4.1.4/MPICH 4.0.2/' "$data/measure-collective.csv" >mpich.csv
refused mixed 1 "measured with 'MPICH" machine fit measure-transfer.csv mpich.csv -o bad.xml
sed 's/"Open MPI v4.1.4, as played"/Own MPI/' "$data/measure-transfer.csv" >own.csv
refused unknown-mpi 1 "say with --collectives" machine fit own.csv -o bad.xml
gives unknown-mpi-said 0 machine fit own.csv -o other.xml --collectives mpich1
refused no-transfers 1 "no transfers of variant 1" machine fit measure-collective.csv -o bad.xml
head -c 2000 "$data/measure-transfer.csv" >cut.csv
refused cut 1 "cut.csv:" machine fit cut.csv -o bad.xml
refused missing 1 "No such file" machine fit absent.csv -o bad.xml
refused no-output 2 "expected FILE" machine fit measure-transfer.csv
refused network 2 "expected contention, loggops" machine fit measure-transfer.csv -o bad.xml --network carrier-pigeon
refused bound 2 "expected 0 to 1" machine fit measure-transfer.csv -o bad.xml --bound 2
[ ! -e bad.xml ]
result $? /fit/refused/nothing-written

tap_done

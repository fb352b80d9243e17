#!/bin/sh
# predictor run, info, check and advise of message-passing traces, from outside.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
ring=$PWD/tests/data/ring.ti
heat=$PWD/tests/data/heat2d_600.ptr.gz
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C SOURCE_DATE_EPOCH=0 PREDICTOR_DATADIR="$PWD"
schema=$PWD/schemas/report.rng
cd "$scratch" || exit 1
machine=myrinet:startup=7us,per-byte=4ns

printf '0 init\n0 location solve.c 7\n0 recv 1 0 16 6\n0 finalize\n1 init\n1 finalize\n' >stuck.ti
printf '0 init\n0 send 1 0 16 6\n0 finalize\n1 init\n1 finalize\n' >unmatched.ti
printf '0 init\n0 compute -1\n0 finalize\n' >bad.ti
{
  printf '1 init\n1 recv 0 0 16 6\n1 finalize\n0 init\n'
  seq -f '0 compute %.0f' 1000000 12345 9000000
  printf '0 send 1 0 16 6\n0 finalize\n'
} | gzip -nc | head -c -200 >cut.ti.gz
cp "$ring" ring.ti

# expect NAME STATUS TEXT ARGUMENTS...: the status, and what is said somewhere
expect () {
  name=$1 expected=$2 text=$3
  shift 3
  "$program" "$@" >out 2>err </dev/null
  status=$?
  [ "$status" = "$expected" ]
  result $? "/mp-cli/$name/status" "status $status; $(cat err)"
  [ -z "$text" ] || cat out err | grep -qF -e "$text"
  result $? "/mp-cli/$name/text" "no '$text' in: $(cat out err | head -c 2000)"
}

expect run 0 " SendRecv_time" run ring.ti -m $machine --check
expect flops-assumed 0 "[flops-assumed]" run ring.ti
expect flops 0 "Execution_time" run ring.ti --flops 2Gf
expect count-of-trace 0 "" run ring.ti -n 4
expect other-count 2 "of 4 ranks" run ring.ti -n 8
expect grid 2 "of 4 ranks" run ring.ti -n 2x2
expect bad-flops 2 "--flops" run ring.ti --flops fast
expect no-flops 2 "--flops" run ring.ti --flops 0
expect bad-wildcards 2 "--wildcards" run ring.ti --wildcards any
expect simulated 0 "" run ring.ti --wildcards simulated
expect dvm-option 2 "--rts" run ring.ti --rts Msk3=3
expect log 2 "--log" run ring.ti --log protocol
expect mp-option-of-dvm 2 "--flops" run "$heat" --flops 1Gf
expect reproduce-without-times 1 "--reproduce" run ring.ti --reproduce
expect no-such-ratio 1 "nowhere.c" run ring.ti --cpu-ratio nowhere.c:3=2
expect deadlock 3 "MPI_Recv                   1          0           16  action 1 at solve.c:7" run stuck.ti
expect unmatched 3 "never matched" run unmatched.ti
expect bad 1 "bad.ti" run bad.ti
expect cut 4 "ends early" run cut.ti.gz
expect cut-ranks 4 "[ranks-cut]" run cut.ti.gz --check
expect cut-strict 1 "ends early" run cut.ti.gz --strict
expect advise 2 "nothing to choose" advise ring.ti
expect info 0 "time-independent trace" info ring.ti
expect info-counts 0 "MPI_Irecv                     4" info ring.ti
expect check 0 "ring.ti: ok" check ring.ti
expect check-audit 0 "[unmatched-send]" check unmatched.ti
expect check-audit-strict 1 "not ok" check --strict unmatched.ti
expect check-bad 1 "bad.ti: not ok" check bad.ti bad.ti
expect check-cut 4 "cut.ti.gz: incomplete" check cut.ti.gz
expect missing 1 "absent.ti" run absent.ti

# ---- standard input, and the forms of output

"$program" run - -m $machine --json <ring.ti >a.json 2>err
result $? /mp-cli/stdin "$(cat err)"
"$program" run ring.ti -m $machine --json --per-processor --xml r.xml --csv r.csv --html r.html --db r.sqlite >b.json
result $? /mp-cli/outputs
grep -q '"sendrecv_time"' b.json && grep -q '"end_times_ps": \[' b.json && ! grep -q wait_shadow b.json
result $? /mp-cli/json
"$program" run ring.ti -m $machine --json --per-processor --one-step >c.json
sed 's/"command_line".*//' b.json >b; sed 's/"command_line".*//' c.json >c
cmp -s b c
result $? /mp-cli/one-step "$(diff b c | head -n 5)"
if command -v xmllint >/dev/null 2>&1; then
  xmllint --noout --relaxng "$schema" r.xml 2>err
  result $? /mp-cli/schema "$(cat err)"
else
  skip /mp-cli/schema "xmllint is absent"
fi
head -n 1 r.csv | grep -q ',sendrecv_time,'
result $? /mp-cli/csv
"$program" report r.sqlite --run 1 --csv | head -n 1 | grep -q ',sendrecv_time,'
result $? /mp-cli/db
"$program" run "$heat" --db r.sqlite -q && "$program" report r.sqlite --run 2 --csv | head -n 1 \
  | grep -q ',wait_shadow,.*' && ! "$program" report r.sqlite --run 2 --csv | head -n 1 | grep -q sendrecv
result $? /mp-cli/db-of-both

tap_done

#!/bin/sh
# predictor run, info, check and advise of message-passing traces, from outside.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/mp-cli
ring=$PWD/tests/data/ring.ti
imbalance=$PWD/tests/data/imbalance.txt
heat=$PWD/tests/data/heat2d_600.ptr.gz
schema=$root/schemas/report.rng
cd "$scratch" || exit 1
machine=myrinet:startup=7us,per-byte=4ns

printf '0 init\n0 location solve.c 7\n0 recv 1 0 16 6\n0 finalize\n1 init\n1 finalize\n' >stuck.ti
printf '0 init\n0 send 1 0 16 6\n0 finalize\n1 init\n1 finalize\n' >unmatched.ti
printf '0 init\n0 compute -1\n0 finalize\n' >bad.ti
printf '0 init\n0 recv 1 0 8 6\n0 send 1 0 8 6\n0 finalize\n1 init\n1 recv 0 0 8 6\n1 send 0 0 8 6\n1 finalize\n' >cycle.ti
printf '0 init\n0 send 1 0 8 6\n0 recv 1 0 8 6\n0 finalize\n1 init\n1 send 0 0 8 6\n1 recv 0 0 8 6\n1 finalize\n' >buffered.ti
printf '0 init\n0 compute 1e9\n0 location solve.c 7\n0 compute 4e9\n0 finalize\n' >located.ti
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
printf '0 init\n0 send 1 5 100 6\n0 send 1 5 100 6\n0 finalize\n1 init\n1 recv -1 5 100 6\n1 finalize\n' >left.ti
expect left 3 "the first: rank 0 sends 100 bytes to rank 1 with tag 5" run left.ti
expect dvm-option 2 "--rts" run ring.ti --rts Msk3=3
expect log 0 "1         0       0.001000000000       0.001000000000  MPI_Irecv from 3, tag 1" run ring.ti -q --log -
expect log-ranks 0 "none of the ranks" run ring.ti -q --log - --log-procs 9
expect log-stuck 3 "MPI_Recv from 1, tag 0, 16 bytes; at solve.c:7" run stuck.ti --log -
expect log-bad 2 "--log-records" run ring.ti --log - --log-records x
expect cache-of-dvm 2 "--cache" run "$heat" --cache kept
expect mp-option-of-dvm 2 "--flops" run "$heat" --flops 1Gf
expect reproduce-without-times 1 "--reproduce" run ring.ti --reproduce
expect no-such-ratio 1 "nowhere.c" run ring.ti --cpu-ratio nowhere.c:3=2

# ratios of whole machines: options are short for --set
for words in '--set network-ratio=0.5' '--network-ratio=0.5' '--network-ratio 0.5'; do
  # shellcheck disable=SC2086 # words
  "$program" run ring.ti -m $machine --json $words | grep '^ *"execution_time' >"ratio.$(echo "$words" | tr ' ' _)"
done
"$program" run ring.ti -m $machine --json | grep '^ *"execution_time' >ratio-1
set -- ratio.*
[ $# = 3 ] && cmp -s "$1" "$2" && cmp -s "$1" "$3" && ! cmp -s "$1" ratio-1 && [ -s "$1" ]
result $? /mp-cli/network-ratio "$(tail ratio*)"
expect ratio-none 1 "setting 'network-ratio': expected PATH=VALUE" run ring.ti -m $machine --network-ratio
expect ratio-bad 1 "setting 'speed-ratio=fast': expected a number" run ring.ti -m $machine --speed-ratio fast
expect ratio-near 2 "did you mean --network-ratio?" run ring.ti -m $machine --networkratio=2
expect ratio-end 1 "--network-ratio=2: no trace of that name" run -m $machine -- --network-ratio=2
expect deadlock 3 "MPI_Recv                   1          0           16  action 1 at solve.c:7" run stuck.ti
expect unmatched 3 "never matched" run unmatched.ti
expect bad 1 "bad.ti" run bad.ti
expect cut 4 "ends early" run cut.ti.gz
expect cut-ranks 4 "[ranks-cut]" run cut.ti.gz --check
expect cut-strict 1 "ends early" run cut.ti.gz --strict
expect advise 2 "nothing to choose" advise ring.ti
expect machine-any 0 "ok, any number of processors" machine check flow:topology=star,nic-latency=1us,nic-bandwidth=1GB/s
expect machine-some 0 "ok, 1024 processors" machine check mvs1000
expect info 0 "time-independent trace" info ring.ti
expect info-counts 0 "MPI_Irecv                     4" info ring.ti
expect check 0 "ring.ti: ok" check ring.ti
expect check-audit 3 "[unmatched-send]" check unmatched.ti
expect check-verdict 3 "unmatched.ti: not ok" check unmatched.ti
expect run-stuck 3 "rank 0 (MPI_Recv, action 1 at solve.c:7) waits for rank 1, which has ended" run stuck.ti
expect check-cycle 3 "waits for rank 1 (MPI_Recv, action 0) waits for rank 0" check cycle.ti
expect check-buffering 0 "[relies-on-buffering]" check buffered.ti
expect check-buffering-strict 1 "buffered.ti: not ok" check --strict buffered.ti
expect ratio 0 "" run located.ti --cpu-ratio solve.c:7=4
expect check-audit-strict 3 "not ok" check --strict unmatched.ti
expect check-bad 1 "bad.ti: not ok" check bad.ti bad.ti
expect check-worst 1 "cycle.ti: not ok" check ring.ti cycle.ti bad.ti cut.ti.gz
expect check-deadlock-worse 3 "cycle.ti: not ok" check cut.ti.gz cycle.ti ring.ti
expect check-cut 4 "cut.ti.gz: incomplete" check cut.ti.gz
expect missing 1 "absent.ti" run absent.ti

# ---- standard input, and parsed traces

for command in info check; do
  "$program" $command - <ring.ti >out 2>err
  result $? "/mp-cli/stdin-$command" "$(cat out err)"
  "$program" $command - <"$heat" >out 2>err
  result $? "/mp-cli/stdin-$command-dvm" "$(cat out err)"
done
"$program" advise - <ring.ti >out 2>err
[ $? = 2 ] && grep -q 'nothing to choose' err
result $? /mp-cli/stdin-advise "$(cat err)"
"$program" advise - -m $machine --max-procs 2 <"$heat" >out 2>err
result $? /mp-cli/stdin-advise-dvm "$(cat err)"
for command in run info check; do
  rm -rf kept
  mkdir kept
  "$program" $command ring.ti --cache kept >a && [ -n "$(ls kept)" ] && "$program" $command ring.ti --cache kept >b && [ -s b ]
  result $? "/mp-cli/cache-$command" "$(ls kept)"
done

# ---- recorded times

"$program" convert ring.ti ring.otf2 >/dev/null 2>err
result $? /mp-cli/otf2 "$(cat err)"
expect reproduce 0 "Recorded and predicted" run ring.otf2 --reproduce -m $machine --check
"$program" run ring.otf2 --reproduce --json >reproduced.json && python3 -c '
import json
run = json.load (open ("reproduced.json"))["runs"][0]
assert len (run["recorded_end_times_ps"]) == len (run["end_times_ps"]) == 4
assert "recorded_time" in run["intervals"][0]' 2>err
result $? /mp-cli/reproduce-json "$(cat err)"
"$program" run ring.otf2 --reproduce -q --xml reproduced.xml --csv reproduced.csv --db reproduced.db 2>err &&
  xmllint --noout --relaxng "$schema" reproduced.xml 2>err &&
  grep -q 'recorded_end_times_ps' reproduced.xml && grep -q ',recorded_time' reproduced.csv
result $? /mp-cli/reproduce-files "$(cat err)"
expect otf2-info 0 "how long each call took" info ring.otf2

# ---- call sites: in all outputs but CSV, and no other figure changes

cp "$imbalance" .
expect sites 0 'halo.c:22 MPI_Recv          1  0.030040   50.1  0.030000        1' run imbalance.txt -m $machine
expect sites-reason 0 'The reason is load imbalance' run imbalance.txt -m $machine
expect sites-waits 0 'wait at NxN' run imbalance.txt -m $machine -v
"$program" run ring.ti -m $machine >out 2>err && ! grep -q 'Call site' out
result $? /mp-cli/sites-of-none
# time without a processor is no call of the prediction, and no end of what a rank computes
sed 's/^  allreduce 8 took=1ms.*/  local "(no processor)" 0ps took=3ms\n&/' imbalance.txt >lost.txt
expect sites-lost 0 'between halo.c:22 and main.c:7' analyse lost.txt -m $machine --full
! grep -qF '(no processor)' out
result $? /mp-cli/sites-lost/none "$(grep -F '(no processor)' out)"
"$program" run imbalance.txt -m $machine -q --xml quiet.xml && "$program" run imbalance.txt -m $machine --xml loud.xml --html loud.html >out 2>err
sed -i '/command_line/d; s/ elapsed="[^"]*"//' quiet.xml loud.xml && cmp -s quiet.xml loud.xml && grep -q 'Waiting and call sites' loud.html
result $? /mp-cli/sites-change-nothing "$(diff quiet.xml loud.xml | head -n 4)"
# those of the whole program, as 'analyse -m' has them
for command in run 'analyse --no-per-process'; do
  "$program" $command imbalance.txt -m $machine -q --xml sites.xml --db sites.db --json >sites.json || break
  xmllint --noout --relaxng "$schema" sites.xml 2>err || break
  xmllint --xpath '/report/run/interval/call_site' sites.xml >"${command%% *}.sites"
  sqlite3 sites.db 'SELECT * FROM call_site WHERE node = 0; SELECT * FROM call_site_traffic WHERE node = 0;
    SELECT * FROM frame ORDER BY stack, position' >"${command%% *}.rows"
  python3 -c 'import json, sys; print (json.load (sys.stdin)["runs"][0]["intervals"][0]["call_sites"])' \
    <sites.json >"${command%% *}.list"
  rm -f sites.db
done
cmp run.sites analyse.sites && cmp run.rows analyse.rows && cmp run.list analyse.list &&
  [ "$(grep -c '<call_site ' run.sites)" = 3 ] && [ "$(wc -l <run.rows)" = 9 ]
result $? /mp-cli/sites-files "$(cat err; diff run.sites analyse.sites)"
"$program" run imbalance.txt -m $machine -q --per-processor --xml - >out && xmllint --noout --relaxng "$schema" out 2>err &&
  [ "$(xmllint --xpath 'count(/report/run/interval/call_site/rank)' out)" = 4 ]
result $? /mp-cli/sites-ranks "$(cat err; grep '<rank ' out)"

# ---- a document on standard output is there alone

for form in xml csv html; do
  "$program" run ring.ti --$form - >printed 2>err && "$program" run ring.ti -q --$form written 2>>err &&
    grep -v -e '<command_line>' -e 'predictor run' printed >a && grep -v -e '<command_line>' -e 'predictor run' written >b && cmp a b 2>>err
  result $? "/mp-cli/printed-$form" "$(cat err)"
done

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

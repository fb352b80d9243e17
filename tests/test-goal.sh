#!/bin/sh
# GOAL from outside: convert and check. Speaks TAP.
set -u
BUILD=${BUILD:-build}
predictor=$BUILD/predictor/predictor
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
. tests/support/tap.sh

# status EXPECTED NAME COMMAND...: what it prints is in $scratch/out
status () {
  expected=$1 name=$2
  shift 2
  "$@" >"$scratch/out" 2>&1
  [ $? = "$expected" ]
  result $? "$name" "$(cat "$scratch/out")"
}

# ---- from a program to text, to binary, to text

status 0 /goal/convert/folder "$predictor" convert tests/data/allprof "$scratch/a.goal"
cat >"$scratch/expected" <<'END'
num_ranks 2

rank 0 {
l0: calc 10000
l1: send 64b to 1 tag 3
l1 requires l0
l2: calc 4500
l2 requires l1
l3: recv 64b from 1 tag 3
l3 requires l2
l4: calc 20000
l4 requires l3
}

rank 1 {
l0: recv 64b from 0 tag 3
l1: calc 10250
l1 requires l0
l2: send 64b to 0 tag 3
l2 requires l1
l3: calc 35250
l3 requires l2
}
END
cmp "$scratch/a.goal" "$scratch/expected" >"$scratch/out" 2>&1
result $? /goal/convert/text "$(cat "$scratch/a.goal")"
status 0 /goal/convert/file "$predictor" convert tests/data/allprof/pingpong-1.txt "$scratch/b.goal"
cmp "$scratch/a.goal" "$scratch/b.goal" >"$scratch/out" 2>&1
result $? /goal/convert/same "$(cat "$scratch/out")"
status 0 /goal/convert/binary "$predictor" convert "$scratch/a.goal" "$scratch/a.bin"
status 0 /goal/convert/back "$predictor" convert --to goal "$scratch/a.bin" "$scratch/c.goal"
cmp "$scratch/a.goal" "$scratch/c.goal" >"$scratch/out" 2>&1
result $? /goal/convert/round-trip "$(cat "$scratch/out")"
gzip -k "$scratch/a.goal"
status 0 /goal/convert/gzip "$predictor" convert "$scratch/a.goal.gz" "$scratch/d.bin"
cmp "$scratch/a.bin" "$scratch/d.bin" >"$scratch/out" 2>&1
result $? /goal/convert/gzip-same "$(cat "$scratch/out")"
printf "MPI_Init:-:1:2:0\nMPI_Barrier:1:0,0,1:2\nMPI_Finalize:3:-\n" >"$scratch/bcast-0.txt"
status 2 /goal/convert/no-messages "$predictor" convert --collectives simple \
  "$scratch/bcast-0.txt" "$scratch/x.goal"
status 2 /goal/convert/no-such-set "$predictor" convert --collectives other \
  tests/data/allprof "$scratch/x.goal"

# ---- info and run

graph=tests/data/graphs/wildcards.goal
says () {
  grep -qF -e "$2" "$scratch/out"
  result $? "$1" "no '$2' in: $(cat "$scratch/out")"
}
"$predictor" info $graph >"$scratch/out" 2>&1
result $? /goal/info "$(cat "$scratch/out")"
says /goal/info/wildcards "sources and tags"
says /goal/info/kinds "calc                         "
for machine in ideal loggops:L=2us,o=1us flow:topology=crossbar,latency=2us,bandwidth=1GB/s; do
  name=${machine%%:*}
  status 0 "/goal/run/$name" "$predictor" run $graph -m $machine --check --per-processor \
    --csv "$scratch/text.csv"
  "$predictor" convert $graph "$scratch/graph.bin" >"$scratch/out" 2>&1
  status 0 "/goal/run/$name-binary" "$predictor" run "$scratch/graph.bin" -m $machine --one-step \
    --per-processor --csv "$scratch/binary.csv"
  cmp "$scratch/text.csv" "$scratch/binary.csv" >"$scratch/out" 2>&1
  result $? "/goal/run/$name-same" "$(cat "$scratch/out")"
  printf 'num_ranks 2\nrank 0 {\nsend 5b to 1\nrecv 5b from 1\n}\nrank 1 {\n}\n' >"$scratch/stuck.goal"
  status 3 "/goal/run/$name-deadlock" "$predictor" run "$scratch/stuck.goal" -m $machine
  printf 'num_ranks 2\nrank 0 {\nsend 5b to 1\n}\nrank 1 {\n}\n' >"$scratch/lost.goal"
  status 3 "/goal/run/$name-unmatched" "$predictor" run "$scratch/lost.goal" -m $machine
done

# ---- check

status 0 /goal/check/good "$predictor" check "$scratch/a.goal" "$scratch/a.bin" tests/data/allprof
sed 's/tag 3/tag 4/' "$scratch/a.goal" | sed '/rank 1/,$ s/tag 4/tag 3/' >"$scratch/bad.goal"
status 3 /goal/check/unmatched "$predictor" check "$scratch/bad.goal"
grep -q 'graph-unmatched' "$scratch/out"
result $? /goal/check/said "$(cat "$scratch/out")"
head -n 6 "$scratch/a.goal" >"$scratch/cut.goal"
status 1 /goal/check/cut "$predictor" check "$scratch/cut.goal"

tap_done

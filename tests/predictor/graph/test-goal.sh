#!/bin/sh
# GOAL from outside: convert and check. Speaks TAP.
set -u
. tests/support/checks.sh
area=/goal
# ---- from a program to text, to binary, to text

gives convert/folder 0 "$program" convert tests/data/allprof "$scratch/a.goal"
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
same convert/text "$scratch/a.goal" "$scratch/expected"
gives convert/file 0 "$program" convert tests/data/allprof/pingpong-1.txt "$scratch/b.goal"
same convert/same "$scratch/a.goal" "$scratch/b.goal"
gives convert/binary 0 "$program" convert "$scratch/a.goal" "$scratch/a.bin"
gives convert/back 0 "$program" convert --to goal "$scratch/a.bin" "$scratch/c.goal"
same convert/round-trip "$scratch/a.goal" "$scratch/c.goal"
gzip -k "$scratch/a.goal"
gives convert/gzip 0 "$program" convert "$scratch/a.goal.gz" "$scratch/d.bin"
same convert/gzip-same "$scratch/a.bin" "$scratch/d.bin"
printf "MPI_Init:-:1:2:0\nMPI_Barrier:1:0,0,1:2\nMPI_Finalize:3:-\n" >"$scratch/bcast-0.txt"
gives convert/no-messages 2 "$program" convert --collectives simple \
  "$scratch/bcast-0.txt" "$scratch/x.goal"
gives convert/no-such-set 2 "$program" convert --collectives other \
  tests/data/allprof "$scratch/x.goal"

# ---- info and run

graph=tests/data/graphs/wildcards.goal
"$program" info $graph >"$scratch/out" 2>&1
result $? /goal/info "$(cat "$scratch/out")"
in_file info/wildcards "sources and tags" "$scratch/out"
in_file info/kinds "calc                         " "$scratch/out"
for machine in ideal loggops:L=2us,o=1us flow:topology=crossbar,latency=2us,bandwidth=1GB/s; do
  name=${machine%%:*}
  gives "run/$name" 0 "$program" run $graph -m $machine --check --per-processor \
    --csv "$scratch/text.csv"
  "$program" convert $graph "$scratch/graph.bin" >"$scratch/out" 2>&1
  gives "run/$name-binary" 0 "$program" run "$scratch/graph.bin" -m $machine --one-step \
    --per-processor --csv "$scratch/binary.csv"
  same "run/$name-same" "$scratch/text.csv" "$scratch/binary.csv"
  printf 'num_ranks 2\nrank 0 {\nsend 5b to 1\nrecv 5b from 1\n}\nrank 1 {\n}\n' >"$scratch/stuck.goal"
  gives "run/$name-deadlock" 3 "$program" run "$scratch/stuck.goal" -m $machine
  printf 'num_ranks 2\nrank 0 {\nsend 5b to 1\n}\nrank 1 {\n}\n' >"$scratch/lost.goal"
  gives "run/$name-unmatched" 3 "$program" run "$scratch/lost.goal" -m $machine
done

# ---- check

gives check/good 0 "$program" check "$scratch/a.goal" "$scratch/a.bin" tests/data/allprof
sed 's/tag 3/tag 4/' "$scratch/a.goal" | sed '/rank 1/,$ s/tag 4/tag 3/' >"$scratch/bad.goal"
gives check/unmatched 3 "$program" check "$scratch/bad.goal"
in_file check/said graph-unmatched "$scratch/stderr"
head -n 6 "$scratch/a.goal" >"$scratch/cut.goal"
gives check/cut 1 "$program" check "$scratch/cut.goal"

tap_done

#!/bin/sh
# What tools/make-performance makes of what benchmarks say, and that it measures nothing
# on a busy machine. How fast anything is, is not asserted.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
document=$scratch/performance.md
BUILD=${BUILD:-build}
export BUILD
cat >"$scratch/log" <<'END'
== host
Measured once upon a time.
== bench-goal
2-D halo, 16,384 ranks, 20 steps     4.59 M events   0.3112 s   14.6 M/s   22.4 B/event (graph 15.7), peak so far 160 MiB
linear alltoall, 512 ranks           0.78 M events   0.0333 s   23.6 M/s   30.0 B/event (graph 10.7), peak so far 403 MiB
-- 7 s
== bench-predict
gauss_240                     16     0.0445 s       18831 events    509607 events/s      6.1 MiB
heat2d_600               256x256     7.1442 s     7870986 events   1101728 events/s     86.3 MiB
growth with processors: time ~ P^1.18, memory ~ P^0.52
1026 records               16x16     0.0177 s       32234 events   1823293 events/s      5.0 MiB
== bench-dim
ring  P=16    no links   1440000 records: parsing  13.7 M/s ( 299 MB/s), simulation  18.5 M/s, together   7.9 M/s
== bench-mp
stencil        256 ranks,   256000 actions:  13.49 M actions/s on ideal
== bench-mp-flow
sweep.256    recorded,  244480 actions:  0.061 s,   4.01 M actions/s, predicts 0.065724218 s on flow:topology=fat-tree,arity=8
== bench-batch
ring           eager, speeds   8 machines: alone   16.9, at once  146.0 M actions/s: 8.6 times
== bench-collective
alltoall linear, latency              512    261632     0.104      2.51      3.00
== bench-record
mpich, 2 ranks, PREDICTOR_STACK_DEPTH=1
MPI_Irecv, Isend, Wait, Wait         0.022 us without,   0.128 us with,  0.106 us per call
mpich, 2 ranks, PREDICTOR_STACK_DEPTH=4
MPI_Irecv, Isend, Wait, Wait         0.019 us without,   0.127 us with,  0.108 us per call
MPI_Comm_rank, unknown stacks        0.003 us without,   1.914 us with,  1.911 us per call
== record-kinds
mpich                                  alone, ns recorded, ns per call, ns   ratio
         MPI_Irecv,Isend,Wait,Wait          51.1        203.4        152.3    3.98
openmpi: skipped, there is no working mpicc.openmpi
== sweeps
heat2d, 2x2               2000 points,  0.94 ms of a processor each:    340 points/s with 1 worker,    571 with 2; 1.68 times as fast, at 1.04 times the processor time
heat2d, 16x16              120 points, 22.42 ms of a processor each:     45 points/s with 1 worker,     81 with 2; 1.79 times as fast, at 1.05 times the processor time
== peers
peer       program          ranks       theirs s           ours s theirs CPU  ours CPU   ratio
simgrid    sweep.256          256       0.065724   0.065724218000    0.8300    0.0800    10.4
dimemas: skipped, there is no Dimemas
END

cp docs/performance.md "$document"
DOCUMENT=$document LOG=$scratch/log sh tools/make-performance >"$scratch/said" 2>&1
result $? /performance/from-log "$(cat "$scratch/said")"
while IFS= read -r line; do
  grep -qxF -e "$line" "$document"
  result $? "/performance/line/$(echo "$line" | cut -c 1-60)" "$(grep -F -e "$(echo "$line" | cut -c 1-20)" "$document")"
done <<'END'
Measured once upon a time.
| DVM trace of 128,662 records, 16 processors | 0.0445 s | < 0.1 s | yes |
| the same, 65,536 processors | 7.1442 s | < 5 s | no |
| the same, 64 processors | - s | < 0.2 s |  |
| mpich | MPI_Irecv, Isend, Wait, Wait | 51.1 | 203.4 | 152.3 | 3.98 |
| LogGOPS, 2-D halo of 16,384 ranks | 14.6 M events/s | ≥ 20 M events/s | no |
| LogGOPS, 2-D halo, memory | 22.4 B/event | < 24 B/event | yes |
| LogGOPS, linear alltoall of 512 ranks | 0.0333 s | < 0.1 s | yes |
| Dimemas' model, 16 ranks, simulation | 18.5 M records/s | ≥ 10 M records/s | yes |
| the same with reading the trace, 16 ranks | 7.9 M records/s |  |  |
| a sweep with 2 workers against 1, points of some 20 ms | 1.79 times | ≥ 1.9 times | no |
| the same, points of less than 1 ms | 1.68 times |  |  |
| recording a call of MPI, stacks of 1 | 0.106 us | < 0.3 us | yes |
| recording a call of MPI, stacks of 4 | 0.108 us | < 1.2 us | yes |
| the same, of stacks not seen before | 1.911 us | < 1.2 us | no |
| heat2d_600 | 256x256 | 7.1442 | 7870986 | 1101728 | 86.3 |
| 1026 records | 16x16 | 0.0177 | 32234 | 1823293 | 5.0 |
- growth with processors: time ~ P^1.18, memory ~ P^0.52
| stencil | 256 | `ideal` | 13.49 |
| sweep.256 | 256 | `flow:topology=fat-tree,arity=8` | 4.01 |
| ring eager, speeds | 8 | 16.9 | 146.0 | 8.6 |
| alltoall linear, latency | 512 | 261632 | 0.104 | 2.51 |
| simgrid | sweep.256 | 256 | 0.065724 | 0.065724218000 | 0.8300 | 0.0800 | 10.4 |
Not measured: dimemas: skipped, there is no Dimemas.
END

# what is written by hand stays
grep -v '^<!-- ' docs/performance.md | grep '^##' >"$scratch/a"
grep '^##' "$document" | cmp -s - "$scratch/a"
result $? /performance/by-hand "$(diff docs/performance.md "$document")"

# nothing is measured where nobody wants it, nor written
cp docs/performance.md "$document"
DOCUMENT=$document MEASURE=no sh tools/make-performance >"$scratch/said" 2>&1
result $? /performance/not-now/status "$(cat "$scratch/said")"
cmp -s docs/performance.md "$document"
result $? /performance/not-now/left "$(cat "$scratch/said")"
(
  load_before=0.5
  block=x
  . tools/host-facts
  ! may_measure 2>"$scratch/said" && grep -q 'x: left as it is, the machine is busy (load 0.5' "$scratch/said" \
    && MEASURE=yes may_measure && load_before=0.02 && may_measure
)
result $? /performance/busy "$(cat "$scratch/said")"

# the commands that the documents name
make -n accuracy performance BUILD="$BUILD" >"$scratch/said" 2>&1 && grep -q 'sh tools/make-accuracy' "$scratch/said" \
  && grep -q 'sh tools/make-performance' "$scratch/said"
result $? /performance/make "$(tail -n 3 "$scratch/said")"

DOCUMENT=$document LOG=$scratch/nothing sh tools/make-performance >"$scratch/said" 2>&1
[ $? = 1 ] && grep -q 'cannot be read' "$scratch/said"
result $? /performance/no-log "$(cat "$scratch/said")"

tap_done

#!/bin/sh
# predictor-measure contention under each MPI that is there: which levels and
# numbers of processes it measures where, and that it says what it pretends.
set -u
. tests/support/measure.sh
area=/measure

# Processes that share a processor wait for each other: few and short rounds. Where
# they do not yield it either, clocks are not synchronised.
few="--rounds 2 --repetitions 1 --at-least 0 --sizes 8,2000 --sync linear --bound 1e6 -q"
export OMPI_MCA_mpi_yield_when_idle=1
crowded () {
  case $mpi in
  mpich) echo "$few --force --as-published" ;;
  *) echo "$few --force" ;;
  esac
}

# rows FILE: level, cf and number of processes of all lengths, once each
rows () {
  awk -F, '$1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == "contention" { print $(at["level"]) "-" $(at["sharing"]) "-" $(at["processes"]) }' "$1" | uniq
}

# everywhere TABLE COLUMN VALUE NAME: in all rows of out.csv
everywhere () {
  equal "$4" "$3" "$(column "$1" "$2" <out.csv | sort -u | words)"
}

# two processes, which are on one socket or on two
test_two () {
  rm -f r.db
  gives two 0 measure 2 contention $few --rounds 6 --csv out.csv --xml out.xml --db r.db
  case $(rows out.csv | words) in
  "memory-1-1 memory-2-2" | "interconnect-1-2") true ;;
  *) false ;;
  esac
  result $? "/measure/$mpi/two/levels" "$(rows out.csv)"
  equal two/lengths "0 8 2000" "$(column contention bytes <out.csv | sort -nu | words)"
  grep -q '^fact,skipped_network,all processes are on one node' out.csv && grep -q '^skipped_network: ' stdout
  result $? "/measure/$mpi/two/skipped" "$(cat stdout)"
  everywhere contention synchronised 1 two/synchronised
  everywhere contention pretended 0 two/not-pretended
  everywhere contention oversubscribed 0 two/not-oversubscribed
  grep -q 't(m, cf), us' stdout && grep -q 't(m, cf) / t(m, 1)' stdout
  result $? "/measure/$mpi/two/matrices" "$(cat stdout)"
  valid two/xml measurement out.xml
  equal two/db-is-csv "$(column contention median_us <out.csv | words)" \
    "$(sqlite3 r.db 'SELECT printf("%.9g", median_us) FROM contention ORDER BY number' | words)"
  equal two/db-tables "place contention recommended" \
    "$(sqlite3 r.db "SELECT name FROM sqlite_master WHERE name IN ('place', 'contention', 'recommended')" | words)"
}

# What rows say follows from their times.
test_formulas () {
  ran 0 measure 2 contention $few --rounds 6 --csv out.csv
  awk -F, 'function off(a, b) { return a - b > 1e-5 * (b + 1e-3) || b - a > 1e-5 * (b + 1e-3) }
    $1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == "contention" {
      t = $(at["median_us"]); cf = $(at["sharing"]); key = $(at["level"]) $(at["bytes"])
      if (cf == 1) alone[key] = t
      if (off($(at["factor"]), t / alone[key])) wrong = 1
      if (off($(at["throughput_mb_s"]), cf * $(at["bytes"]) / t)) wrong = 1
      if ($(at["super_linear"]) != ($(at["factor"]) > cf)) wrong = 1
      if ($(at["median_low_us"]) > t || $(at["median_high_us"]) < t || $(at["mean_us"]) > $(at["median_high_us"])) wrong = 1
      if ($(at["together"]) < 0 || $(at["together"]) > 1) wrong = 1
      n++
    } END { exit wrong || n == 0 }' out.csv
  result $? "/measure/$mpi/formulas" "$(cat out.csv)"
}

# With one name the others are not even skipped; the barrier of the paper.
test_asked_for () {
  gives as-published 0 measure 2 contention $few --as-published --csv out.csv
  everywhere contention synchronised 0 as-published/said
  everywhere contention together "" as-published/unknown
  gives sharing 0 measure 4 contention $(crowded) --sharing 3 --topology "package:1 core:4 pu:1" --csv out.csv
  equal sharing/counts "memory-1-1 memory-3-3" "$(rows out.csv | words)"
  gives levels 0 measure 4 contention $(crowded) --levels network --processes-per-node 2 --csv out.csv
  equal levels/counts "network-1-2 network-2-4" "$(rows out.csv | words)"
  ! grep -q '^fact,skipped' out.csv
  result $? "/measure/$mpi/levels/others" "$(cat out.csv)"
}

# Four processes on two processors: refused, or said in every row.
test_crowd () {
  crowd=$((2 * $(nproc)))
  fails crowd/refused 1 "more processes than processors" measure $crowd contention $few
  gives crowd/force 0 measure $crowd contention $(crowded) --csv out.csv
  everywhere contention oversubscribed 1 crowd/said
  everywhere recommended oversubscribed 1 crowd/said-of-recommended
  [ "$(grep -c '^  *[0-9][0-9]*  .*  oversubscribed$' stdout)" = "$(($(rows out.csv | sed 's/-.*//' | sort -u | wc -l) * 3 * 2))" ]
  result $? "/measure/$mpi/crowd/said-in-matrices" "$(cat stdout)"
}

# All levels, on invented nodes.
test_pretended () {
  gives nodes 0 measure 8 contention $(crowded) --sizes 8 --processes-per-node 4 --topology "package:2 core:2 pu:1" --csv out.csv
  equal nodes/counts "memory-1-1 memory-2-2 interconnect-1-2 interconnect-2-4 network-1-2 network-2-4 network-3-6 network-4-8" \
    "$(rows out.csv | words)"
  everywhere contention pretended 1 nodes/said
  everywhere contention bound 0 nodes/not-bound
  equal nodes/places "0.0.0 0.0.1 0.1.2 0.1.3 1.0.0 1.0.1 1.1.2 1.1.3" \
    "$(awk -F, '$1 == "place" { print $3 "." $4 "." $5 }' out.csv | words)"
  equal nodes/recommended "memory interconnect network overall" "$(column recommended level <out.csv | words)"
  equal nodes/facts "2 2 2" "$(sed -n 's/^fact,\(nodes\|sockets_per_node\|cores_per_socket\),//p' out.csv | words)"

  gives siblings 0 measure 4 contention $(crowded) --topology "package:1 core:2 pu:2" --threads --csv out.csv
  equal siblings/places "0.0 1.0 0.1 1.1" "$(awk -F, '$1 == "place" { print $5 "." $6 }' out.csv | words)"
}

# A machine that was saved.
test_saved () {
  command -v lstopo-no-graphics >/dev/null 2>&1 || { skip "/measure/$mpi/saved" "lstopo is missing"; return; }
  rm -f saved.xml
  lstopo-no-graphics -i "package:2 core:1 pu:1" --of xml saved.xml 2>/dev/null
  gives saved 0 measure 2 contention $few --topology saved.xml --csv out.csv
  equal saved/counts "interconnect-1-2" "$(rows out.csv | words)"
}

# Bound by mpiexec or not at all: left so.
test_binding () {
  gives keep 0 measure 2 contention $few --keep-binding --csv out.csv
  grep -q '^fact,binding,"\{0,1\}as mpiexec made it' out.csv
  result $? "/measure/$mpi/keep/said" "$(grep fact out.csv)"
  everywhere contention pretended 0 keep/not-pretended
}

test_usage () {
  fails usage/one-process 2 "at least 2 processes" measure 1 contention
  fails usage/option 2 "Try 'predictor-measure contention --help'" measure 2 contention --thing
  fails usage/levels 2 "expected memory, interconnect and network" measure 2 contention --levels disk
  fails usage/timer 2 "unknown timer" measure 2 contention --timer sundial
  fails usage/sync 2 "unknown synchronisation" measure 2 contention --sync prayer
  fails usage/topology 1 "hwloc finds no processors" measure 2 contention --topology thing
  fails usage/absent 1 "no processes share a channel" measure 2 contention $few --levels network
  fails usage/unwritable 1 "cannot write '/nowhere/x'" measure 2 contention $few --csv /nowhere/x
}

# What is measured, and what is not.
test_progress () {
  ran 0 measure 2 contention --rounds 1 --repetitions 1 --at-least 0 --sizes 8 --sync linear --bound 1e6 -o /dev/null
  [ "$status" = 0 ] && grep -q 'cf 1 of [12]: 8 bytes (2 of 2)' stderr && grep -q 'network: skipped' stderr
  result $? "/measure/$mpi/progress" "status $status: $(cat stderr)"
}

for_each_mpi two formulas asked_for crowd pretended saved binding usage progress
tap_done

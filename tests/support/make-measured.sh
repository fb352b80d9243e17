#!/bin/sh
# make-measured.sh PROGRAM FOLDER: sheets as predictor-measure writes them, of a machine
# whose parameters are known: measure-transfer.csv, -sendrecv.csv and -collective.csv.
# Times are those that ComSys plays on it, with up to 2 % of noise that is always the same.
# What is in tests/data has been made by this; a test compares.
set -eu
program=$1
folder=$2
export LC_ALL=C

# Two protocols: 0.15 us + 0.1 ns/B up to 2 KiB, 1.8 us + 0.075 ns/B above; an exchange
# takes 1.3 times as long for its bytes.
describe () {
  awk 'BEGIN {
    print "<machine name=\"known\"><network type=\"contention\" startup=\"0.09us\" eager=\"2KiB\" control=\"free\">"
    print "<table level=\"memory\" cf=\"1:2\">"
    for (size = 1; size <= 1048576; size *= 2) {
      time = size <= 2048 ? 0.1e-3 * size : 1.65 + 0.075e-3 * size
      printf "<row size=\"%dB\" time=\"%.6fus\" factors=\"1.3\"/>\n", size, time
    }
    print "</table><nodes count=\"1\" processors=\"2\"/></network><collectives set=\"openmpi4\"/>"
    print "<software send-overhead=\"0.06us\" recv-overhead=\"0.05us\" wait-overhead=\"0.02us\""
    print " copy-per-byte=\"0.04ns\" reduction-per-byte=\"0.12ns\">"
    n = split ("Barrier Bcast Reduce Allreduce Gather Scatter Allgather Alltoall", names, " ")
    for (i = 1; i <= n; i++)
      printf "<function name=\"MPI_%s\" overhead=\"%.2fus\"%s/>\n", names[i], 0.05 * i,
        names[i] == "Allreduce" ? " per-byte=\"0.5ns\" from=\"4KiB\"" : ""
    print "</software><measured>"
    for (i = 1; i <= 2; i++)
      for (size = 0; size <= 1048576; size = size == 0 ? 1 : 2 * size)
        printf "<point what=\"%s\" bytes=\"%dB\" time=\"1us\"/>\n", i == 1 ? "ping-pong" : "sendrecv", size
    for (i = 1; i <= n; i++)
      for (size = i == 1 ? 0 : 8; size <= (i == 1 ? 0 : 1048576); size *= 4)
        { printf "<point what=\"%s\" bytes=\"%dB\" time=\"1us\"/>\n", tolower (names[i]), size; if (i == 1) break }
    print "</measured></machine>"
  }'
}

# Lines "what bytes us" of what the model says.
play () {
  "$program" machine show --measured "$folder/known.xml" | awk '
    /^model against/ { exit }
    NF == 1 || / ranks$/ { what = $1; sub (",", "", what) }
    NF >= 4 && $1 ~ /^[0-9]+$/ { print what, $1, $(NF - 1) }'
}

facts () {
  printf 'table,name,value\nfact,command,%s\nfact,date,2026-01-31T12:00:00Z\nfact,host,known\n' "$1"
  printf 'fact,mpi,"Open MPI v4.1.4, as played"\nfact,processes,2\nfact,hosts,0*2\n\n'
}

noise='function noisy(us) { seed = (seed * 1103515245 + 12345) % 2147483648; return us * (1 + 0.04 * (seed / 2147483648 - 0.5)) }
       BEGIN { seed = 1 }'

describe >"$folder/known.xml"
play >"$folder/played"

# transfer NAME VARIANT SHARE: T/(2N), of an exchange half its time
transfer () {
  facts transfer
  echo "table,variant,first,second,bytes,repetitions,rounds,best_us,median_us,median_low_us,median_high_us,mean_us,relative_error,best_mb_s,median_mb_s,oversubscribed"
  awk -v what="$1" -v variant="$2" -v share="$3" "$noise"'
    $1 == what { us = noisy ($3 * share)
      printf "transfer,%d,0,1,%d,1000,9,%.6f,%.6f,%.6f,%.6f,%.6f,0.01,%.6g,%.6g,0\n", variant, $2, 0.98 * us, us, 0.98 * us, 1.02 * us, us, $2 / us, $2 / us }' "$folder/played"
}

transfer ping-pong 1 1 >"$folder/measure-transfer.csv"
cat >>"$folder/measure-transfer.csv" <<'END'

table,from_bytes,to_bytes,latency_us,send_us,receive_us,gap_us,gap_of_byte_us,residual,oversubscribed
loggp,1,2048,0.15,0.06,0.05,0.08,0.0001,0.01,0
loggp,4096,1048576,0.15,0.06,0.05,1.8,7.5e-05,0.01,0
END
transfer sendrecv 2 0.5 >"$folder/measure-sendrecv.csv"
{
  facts collective
  echo "table,operation,form,processes,bytes,root,datatype,op,in_place,buffers,launches,correct,kept,global_median_us,global_median_low_us,global_median_high_us,synchronised,oversubscribed"
  awk "$noise"'
    $1 != "ping-pong" && $1 != "sendrecv" { us = noisy ($3)
      printf "collective,%s,blocking,2,%d,0,double,sum,0,warm,100,98,98,%.6f,%.6f,%.6f,1,0\n", $1, $2, us, 0.98 * us, 1.02 * us }' "$folder/played"
} >"$folder/measure-collective.csv"
rm "$folder/played"

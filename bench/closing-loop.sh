#!/bin/sh
# closing-loop.sh [FOLDER]: this machine measured by predictor-measure under each MPI with
# 2 processes, twice; a description fitted to the first time; what it says against what was
# measured, the first time and the second, which it has not been fitted to. Descriptions,
# sheets and pictures are left in FOLDER (default: build/bench/closing-loop). Takes some
# minutes; the machine has to be idle. With REUSE=1 nothing is measured, what lies in
# FOLDER is fitted again.
#
# The best of machines/ is made by it: copy FOLDER/HOST-MPI.xml there, and summary.md into
# machines/README.md.
set -u
build=${BUILD:-build}
folder=${1:-$build/bench/closing-loop}
predictor=$build/predictor/predictor
host=${NAME:-$(hostname)}
mkdir -p "$folder" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LC_ALL=C

operations=barrier,bcast,reduce,allreduce,gather,scatter,allgather,alltoall,scan,exscan,reduce_scatter_block

# measure FILES WORDS...: under $mpi; a failed run is reported and left out
measure () {
  file=$1
  shift
  rm -f "$file"
  timeout "${TIMEOUT:-900}" "mpiexec.$mpi" -n 2 "$build/measure/predictor-measure.$mpi" "$@" -q --csv "$file" -o /dev/null ||
    echo "$mpi: predictor-measure $* failed with status $?"
}

# measure_all PREFIX
measure_all () {
  measure "$1-transfer.csv" transfer --loggp --max 1048576 --rounds 21 --at-least 5
  measure "$1-sendrecv.csv" transfer --variant 2 --max 1048576 --rounds 21 --at-least 5
  measure "$1-collective.csv" collective --warm --operations $operations --factor 2
}

# markdown FILE TITLE: the last table
markdown () {
  printf '\n%s\n\n| what | points | median, %% | worst, %% | at bytes |\n|---|---|---|---|---|\n' "$2"
  sed '1,/^model against/d; /^$/,$d' "$1" | sed 's/  */ /g; s/\(.*\) \([^ ]*\) \([^ ]*\) \([^ ]*\) \([^ ]*\)$/| \1 | \2 | \3 | \4 | \5 |/'
}

processor=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
cat >"$folder/summary.md" <<END
## $host: measured machines

$(nproc) processors${processor:+ ($processor)}, $(date -u +%Y-%m-%d), two processes, by \`bench/closing-loop.sh\`: \`predictor-measure transfer\` (variants 1, with
LogGP parameters, and 2; medians of 21 rounds) and \`collective\` (warm buffers, medians of the time from the earliest start to the latest end),
then \`predictor machine fit\`. The error is model / measured - 1; its median is without the sign.
\`predictor machine show NAME --measured\` prints every point.
END
for mpi in ${MPIS:-mpich openmpi}; do
  if ! [ -x "$build/measure/predictor-measure.$mpi" ] || ! command -v "mpiexec.$mpi" >/dev/null 2>&1; then
    echo "$mpi: skipped, there is no predictor-measure.$mpi or mpiexec.$mpi"
    continue
  fi
  for time in first second; do
    prefix=$folder/$mpi-$time
    [ "${REUSE:-0}" = 1 ] || measure_all "$prefix"
    name=$host-$mpi
    [ $time = first ] || name=$host-$mpi-again
    sheets=$(ls "$prefix"-*.csv)
    "$predictor" machine fit $sheets -o "$folder/$name.xml" --plot "$folder/$name.png" ${FORCE:+--force} >"$folder/$name.txt" || [ $? = 5 ] || continue 2
  done
  name=$host-$mpi
  echo "$mpi: the times it was fitted to"
  sed -n '/^model against/,$p' "$folder/$name.txt"
  echo "$mpi: times measured again"
  "$predictor" machine show "$folder/$name.xml" --measured --points "$folder/$name-again.xml" >"$folder/$name-held-out.txt"
  sed -n '/^model against/,$p' "$folder/$name-held-out.txt"
  {
    markdown "$folder/$name.txt" "\`$name\`, against the times it was fitted to:"
    markdown "$folder/$name-held-out.txt" "\`$name\`, against the same measured again:"
  } >>"$folder/summary.md"
done
echo "in $folder: descriptions, sheets, pictures, and summary.md for machines/README.md"

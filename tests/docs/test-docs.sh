#!/bin/sh
# The commands of docs/*.md and README.md: lines after "$ " are run.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh
. tests/support/docs.sh

root=$PWD
program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/docs" "$scratch/README" "$scratch/own" "$scratch/scale"
ln -s "$program" "$scratch/bin/predictor"
mkdir "$scratch/docs/tests" && ln -s "$root/tests/data" "$scratch/docs/tests/data"
ln -s "$root/tests" "$root/machines" "$scratch/README/"
cp examples/mpi/* "$scratch/docs/"
cp examples/mpi/* "$scratch/own/"
cp examples/mpi/* "$scratch/scale/"
PATH=$scratch/bin:$PATH
export PATH LC_ALL=C PREDICTOR_DATADIR="$root"

# Whether there is what the programs of docs/tutorial-analyse.md need.
has_mpi () {
  for command in mpicc mpif90 mpiexec; do
    if ! command -v $command >/dev/null 2>&1; then
      skip "/docs/$(basename "$1")" "$command is absent"
      return 1
    fi
  done
  [ -e "$(dirname "$program")/../record/libpredictor-record.so" ] && return
  skip "/docs/$(basename "$1")" "the recorder is built for MPICH and Open MPI, and neither was there"
  return 1
}

# run_tutorial FILE FOLDER: with real programs, whose clocks show a run that nothing
# disturbs, so that what it shows holds on any machine
run_tutorial () {
  has_mpi "$1" || return
  mkdir -p "$scratch/tmp"
  rm "$scratch/bin/predictor"
  cp tests/support/predictor-ideal.sh "$scratch/bin/predictor"
  chmod +x "$scratch/bin/predictor"
  PREDICTOR_REAL=$program PREDICTOR_CLOCKS=$root/tests/support/mpi-clocks.awk
  TMPDIR=$scratch/tmp OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  export PREDICTOR_REAL PREDICTOR_CLOCKS TMPDIR OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_rmaps_base_oversubscribe
  run_commands "$1" "$2"
  rm "$scratch/bin/predictor"
  ln -s "$program" "$scratch/bin/predictor"
}

# run_measuring FILE FOLDER: a machine that is known is measured
run_measuring () {
  if ! command -v gnuplot >/dev/null 2>&1; then
    skip "/docs/$(basename "$1")" "gnuplot is absent"
    return
  fi
  cp tests/support/mpiexec-known.sh "$scratch/bin/mpiexec"
  PREDICTOR_KNOWN=$root/tests/data PREDICTOR_MEASURE=$(dirname "$program")/../measure/predictor-measure
  export PREDICTOR_KNOWN PREDICTOR_MEASURE
  run_commands "$1" "$2"
  rm "$scratch/bin/mpiexec"
}

for file in docs/*.md; do
  case $file in
  */tutorial-measure.md) run_measuring "$file" "$scratch/docs" ;;
  */tutorial-analyse.md) run_tutorial "$file" "$scratch/docs" ;;
  */tutorial-own-program.md) run_tutorial "$file" "$scratch/own" ;;
  */tutorial-scale.md) run_tutorial "$file" "$scratch/scale" ;;
  */tutorial-embed.md | */tutorial-format.md | */tutorial-network.md) ;; # make docs-check
  */models.md | */accuracy.md | */performance.md) ;; # have tests of their own
  */limits.md | */reliability.md) ;; # have no commands, but make torture
  */README.md) run_commands "$file" "$scratch/README" ;;
  *) run_commands "$file" "$scratch/docs" ;;
  esac
  [ "$file" = docs/README.md ] || grep -qF "(${file#docs/})" docs/README.md
  result $? "/docs/$(basename "$file")/linked" "docs/README.md does not name it"
done
run_commands README.md "$scratch/README"

# what README.md shows behind its command is in what that prints: the table and the answers
sed -n 's/^    \$ //p' README.md | head -n 1 >"$scratch/lines"
(cd "$scratch/README" && sh -c "$(cat "$scratch/lines")") >"$scratch/printed"
sed -n '/^    \$ /,/^## /{/^    \$ /d; s/^    //p}' README.md >"$scratch/shown"
grep -vxF -f "$scratch/printed" "$scratch/shown" >"$scratch/others"
[ "$(wc -l <"$scratch/shown")" -ge 15 ] && [ ! -s "$scratch/others" ]
result $? /docs/README.md/table "$(cat "$scratch/others")"

# the table of ranks that were not recorded is that of the tutorial, whose command printed it
awk '/^    Processors  Grid.* Idle/ { table = ++n == 1 ? 4 : 0 } table-- > 0' README.md >"$scratch/shown"
awk '/^    Processors  Grid/ { table = 4 } table-- > 0' docs/tutorial-scale.md >"$scratch/printed"
[ "$(wc -l <"$scratch/shown")" = 4 ] && cmp -s "$scratch/shown" "$scratch/printed"
result $? /docs/README.md/scaled "$(diff "$scratch/shown" "$scratch/printed")"

# its figures are those of the generated tables
# block DOCUMENT NAME: the rows of a table, columns separated by tabs
block () {
  sed -n "/<!-- begin $2 -->/,/<!-- end $2 -->/p" "docs/$1.md" | sed -n 's/^| \(.*\) |$/\1/p' | sed 's/ | /\t/g' | tail -n +2
}

# says NAME TEXT: README.md has it
says () {
  grep -qF -e "$2" README.md
  result $? "/docs/README.md/figure/$1" "README.md does not say '$2'"
}

says errors "$(block accuracy dvm | awk -F '\t' '$1 !~ /[+]/ { e = $7 < 0 ? -$7 : $7; n++; sum += e; if (n == 1 || e < least) least = e; if (e > most) most = e }
  END { printf "Errors of %.1f to %.1f %%, on average %.1f %%", least, most, sum / n }')"
says speed "$(block performance peers | awk -F '\t' '$1 == "dvm" && $3 == "32x32" { printf "1024 processors of a DVM program in %.2f s, %d times as fast", $7, $8 }')"
worst=$({ block accuracy loggopsim | awk -F '\t' '$1 !~ /^Q/ { print $4 } { print $5 }'; block accuracy simgrid | awk -F '\t' '{ print ($5 < 0 ? -$5 : $5) / 1000 }'; } | sort -g | tail -n 1)
awk -v worst="$worst" 'BEGIN { exit !(worst != "" && worst <= 10) }'
result $? /docs/README.md/figure/peers "LogGOPSim and SimGrid differ by up to $worst ns"
says nanoseconds '10 nanoseconds'

tap_done

#!/bin/sh
# scale.sh FOLDER [PROGRAMS]: predictor scale on recorded programs: each pattern of
# examples/mpi/patterns.c is recorded on several numbers of ranks, made from the smaller ones for a
# greater one, and compared, call by call, with the recording there. PROGRAMS has the NAS benchmarks
# built (NPB 3.3 or later, the MPI version, one program for each number of ranks) as
# openmpi/bin/cg.S.16 and so on; openmpi/run, if it is there, is where they run, with inputlu.data and
# the like for fewer steps. FOLDER gets the recordings; those that are there are taken as they are.
#
# Ranks outnumber processors here, so that recorded computations are of no use: they are replaced
# by 100 us divided by the number of ranks, between any two calls.
#
# A line of each, separated by tabs: MPI, program, recorded numbers of ranks, the number that was
# made, "equal", "other", "refused" or "failed", and calls of the recording, per cent of them that are equal and
# per cent of its predicted time that was missed, or the reason. Of a refused one a second line with
# "approximated": per cent of the recorded calls that are approximated, of the made ends of messages and
# collective calls that are changed so that ranks fit together, seconds, and those of the recording.
# SPDX-License-Identifier: MIT
set -u
[ $# = 1 ] || [ $# = 2 ] || {
  echo "usage: $0 FOLDER [PROGRAMS]" >&2
  exit 2
}
build=$(realpath "${BUILD:-build}") || exit 1
mkdir -p "$1" && folder=$(realpath "$1") || exit 1
programs=
[ $# = 1 ] || programs=$(realpath "$2") || exit 1
predictor=$build/predictor/predictor
here=$PWD
sources=$here/examples/mpi
export PREDICTOR_DATADIR="${PREDICTOR_DATADIR:-$PWD}" LC_ALL=C
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
tab=$(printf '\t')
cd "$folder" || exit 1

# record NAME N COMMAND...: NAME.N.pdt, with known computations
record () {
  name=$1 n=$2
  shift 2
  [ -s "$folder/$name.$n.pdt" ] && return
  timeout "${LIMIT:-300}" "$predictor" record -q --force --stack-depth 4 -o "$folder/recorded" -- \
    "mpiexec.$mpi" -n "$n" "$@" >"$folder/log" 2>&1
  "$predictor" convert "$folder/recorded/traces.otf2" --to text - 2>>"$folder/log" |
    awk '$1 == "cost" || $1 == "local" { next }
      $1 == "ranks" { n = $2 }
      $1 == "compute" { $0 = sprintf("  compute %.6fus", 100 / n) }
      { print }' >"$folder/text"
  [ -s "$folder/text" ] && mv "$folder/text" "$folder/$name.$n.pdt"
}

# seconds REPORT
seconds () { sed -n 's/^Execution time \([0-9.]*\) s.*/\1/p' "$1"; }

# approximate NAME SIZES TARGET: what --approximate makes of a program that is refused
approximate () {
  files=
  for n in $2; do files="$files $1.$n.pdt"; done
  printf '%s\t%s\t%s\t%s\t' "$mpi" "${1#*.}" "$2" "$3"
  "$predictor" scale $files -m mvs1000 -n "$3" --approximate -o report 2>err || {
    printf 'failed\t%s\n' "$(sed -n 's/^predictor scale: //p' err | head -n 1)"
    return
  }
  "$predictor" run "$1.$3.pdt" -m mvs1000 -o there 2>>err
  printf 'approximated\t%s\t%s\t%s\t%s\n' "$(sed -n 's/.*approximated are \([0-9.]*\) %.*/\1/p' report | head -n 1)" \
    "$(sed -n 's/.*do not fit together: .*(\([0-9.]*\) %) have .*(\([0-9.]*\) %) are left out.*/\1 + \2/p' report | head -n 1 | grep . || echo 0)" \
    "$(seconds report)" "$(seconds there)"
}

# compare NAME SIZES TARGET
compare () {
  files=
  for n in $2; do files="$files $1.$n.pdt"; done
  printf '%s\t%s\t%s\t%s\t' "$mpi" "${1#*.}" "$2" "$3"
  "$predictor" scale $files -m mvs1000 -n "$3" -o report 2>err
  status=$?
  if [ $status != 0 ]; then
    [ $status = 6 ] && result=refused || result=failed
    printf '%s\t%s\n' "$result" "$(sed -n 's/^predictor scale: //p' err | sed "s|$sources/||g" | head -n 1)"
    [ $result = failed ] || approximate "$@"
  elif [ ! -s "$1.$3.pdt" ]; then
    printf 'unrecorded\n'
  else
    rm -f report
    "$predictor" scale $files "$1.$3.pdt" -m mvs1000 -o report 2>err
    sed -n "s/.*give all \([0-9]*\) calls.*(\(.*\) %) .*/equal$tab\1${tab}100$tab\2/p
      s/.*give \([0-9.]*\) % of the \([0-9]*\) calls.*/other$tab\2$tab\1/p
      s/^predictor scale: /other$tab/p" report err 2>/dev/null | head -n 1 | grep . || printf 'other\tno rules of the smaller recordings\n'
  fi
}

# pattern NAME SIZES TARGETS
pattern () {
  for n in $2 $3; do record "$mpi.$1" "$n" "$folder/patterns.$mpi" "$1" 10 10; done
  for n in $3; do compare "$mpi.$1" "$2" "$n"; done
}

patterns () {
  for name in ring halo1d halo2d wavefront transpose broadcast; do pattern $name "$1" "$2"; done
  for name in cg butterfly multigrid; do pattern $name "$3" "$4"; done
  pattern halo3d "$5" "$6"
  pattern random "4 8 16" 32
  pattern switch "4 8 16" 32
}

master_worker () {
  for n in 3 5 9 17; do record "$mpi.master-worker" $n "$folder/master-worker.$mpi" 12 10; done
  compare "$mpi.master-worker" "3 5 9" 17
}

# Not recorded: a sort by its rule.
sort_keys () {
  for n in 4 8 16 32; do awk -v n=$n -f "$here/tests/scale/sort.awk" >"$mpi.sort.$n.pdt"; done
  compare "$mpi.sort" "4 8 16" 32
}

# nas NAME.CLASS SIZES TARGET
nas () {
  [ -x "$programs/$mpi/bin/$1.$3" ] || return
  cd "$programs/$mpi/run" 2>/dev/null || cd "$folder" || return
  for n in $2 $3; do record "$mpi.$1" "$n" "$programs/$mpi/bin/$1.$n"; done
  cd "$folder" || exit 1
  compare "$mpi.$1" "$2" "$3"
}

for mpi in mpich openmpi; do
  if ! command -v "mpicc.$mpi" >/dev/null 2>&1; then
    echo "$mpi: skipped, mpicc.$mpi is absent" >&2
    continue
  fi
  for name in patterns master-worker; do
    "mpicc.$mpi" -g -O1 -std=gnu17 -o "$name.$mpi" "$sources/$name.c" || exit 1
  done
  # MPICH waits without giving its processor away: 100 ranks of two would take minutes
  if [ $mpi = mpich ]; then
    patterns "4 9 16" 25 "4 8 16" 32 "8 12 18 27 36 48" 64
  else
    patterns "4 9 16 25" "64 100" "4 8 16 32" "64 128" "8 12 18 27 36 48" "64 100"
  fi
  master_worker
  [ $mpi = mpich ] || sort_keys
  [ -z "$programs" ] || {
    for name in ep.S ft.S is.S mg.S lu.W; do nas $name "4 8 16 32" 64; done
    nas cg.S "8 16 32" 64
    for name in bt.W sp.W; do nas $name "4 9 16 25 36" 64; done
  }
done

#!/bin/sh
# The program that PREDICTOR_REAL names; but what it records of examples/mpi shows the
# times of a run that nothing disturbs (PREDICTOR_CLOCKS names mpi-clocks.awk), so that a guide can show
# what is said of it. Which worker gets how many tasks depends on real times, so
# that example has them.
# SPDX-License-Identifier: MIT
ranks=$(echo "$*" | sed -n 's/^record .* -n \([0-9]*\) \.\/.*/\1/p')
words=$(echo "$*" | sed -n 's/^record .* -n [0-9]* \.\/\(.*\)/\1/p')
clock=$(mktemp) || exit 1
trap 'rm -f "$clock"' EXIT

# clock PROGRAM ASSIGNMENT...: of awk
clock () {
  name=$1
  shift
  for assignment; do
    shift
    set -- "$@" -v "$assignment"
  done
  awk -v program="$name" -v n="$ranks" "$@" -f "$PREDICTOR_CLOCKS" >"$clock" || exit 1
  PREDICTOR_RECORD_CLOCK=$clock
  export PREDICTOR_RECORD_CLOCK
}

# the arguments with which the program runs otherwise
set_clock () {
  case $1 in
  halo) clock halo steps="${2:-50}" work="${3:-1000}000" factor="${4:-2}" ;;
  pipeline) clock pipeline steps="${2:-3}" work=$((${3:-30000} * 1000 / ${2:-3})) ;;
  intervals) clock intervals steps="${2:-20}" work="${3:-1000}000" writers="${4:-1}" ;;
  stencil) clock stencil steps=40 work=1000000 converters="${2:-1}" ;;
  esac
}

[ -z "$words" ] || set_clock $words
"$PREDICTOR_REAL" "$@"

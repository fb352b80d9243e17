#!/bin/sh
# docs/accuracy.md and docs/performance.md: what is exact is what tools/make-accuracy
# writes; both have what is written into them between markers; and what that does where
# there is nothing to compare with.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
shared=${PREDICTOR_SHARED:-../shared}
BUILD=${BUILD:-build}
export BUILD

# block NAME FILE
block () {
  sed -n "/^<!-- begin $1 -->\$/,/^<!-- end $1 -->\$/p" "$2"
}

cp docs/accuracy.md "$scratch/now.md"
DOCUMENT=$scratch/now.md MEASURE=no sh tools/make-accuracy >"$scratch/said" 2>&1
result $? /accuracy/make "$(cat "$scratch/said")"
for name in dvm coverage loggopsim dimemas simgrid alltoall closing-loop; do
  if [ $name != closing-loop ] && [ ! -d "$shared/reference" ]; then
    skip "/accuracy/$name" "../shared is absent"
    continue
  fi
  grep -q "^$name: written" "$scratch/said"
  result $? "/accuracy/$name/written" "$(cat "$scratch/said")"
  block $name docs/accuracy.md >"$scratch/a"
  block $name "$scratch/now.md" >"$scratch/b"
  [ "$(grep -c '^| ' "$scratch/a")" -ge 4 ] && cmp -s "$scratch/a" "$scratch/b"
  result $? "/accuracy/$name/true" "make accuracy writes: $(diff "$scratch/a" "$scratch/b")"
done

# what is measured is left alone where nobody wants it measured
for name in nas examples known planted scale; do
  block $name docs/accuracy.md >"$scratch/a"
  block $name "$scratch/now.md" >"$scratch/b"
  [ -s "$scratch/a" ] && cmp -s "$scratch/a" "$scratch/b"
  result $? "/accuracy/$name/left" "$(diff "$scratch/a" "$scratch/b")"
done

# what was learned is what the program has
for kind in dvm:DVM mpi:message-passing; do
  floor=$(sed -n "s/^- ${kind#*:} programs: floor \([0-9.]*\),.*/\1/p" docs/accuracy.md)
  [ -n "$floor" ] && grep -qi "^#define PD_RANGE_FLOOR_${kind%:*} $floor\$" predictor/range/pd-range-floor.h
  result $? "/accuracy/floor/${kind%:*}" "docs/accuracy.md says '$floor'"
done

# without reference data nothing is lost
cp docs/accuracy.md "$scratch/without.md"
PREDICTOR_SHARED=$scratch/nothing DOCUMENT=$scratch/without.md MEASURE=no sh tools/make-accuracy >"$scratch/said" 2>&1
result $? /accuracy/without/status "$(cat "$scratch/said")"
[ "$(grep -c 'skipped, ../shared is absent' "$scratch/said")" = 6 ]
result $? /accuracy/without/said "$(cat "$scratch/said")"
block simgrid docs/accuracy.md >"$scratch/a"
block simgrid "$scratch/without.md" | cmp -s - "$scratch/a"
result $? /accuracy/without/kept "$(diff docs/accuracy.md "$scratch/without.md")"

# a document without the markers is refused
echo text >"$scratch/empty.md"
DOCUMENT=$scratch/empty.md MEASURE=no sh tools/make-accuracy closing-loop >"$scratch/said" 2>&1
[ $? = 1 ] && grep -q "has no line '<!-- begin closing-loop -->'" "$scratch/said" && [ "$(cat "$scratch/empty.md")" = text ]
result $? /accuracy/no-markers "$(cat "$scratch/said")"

tap_done

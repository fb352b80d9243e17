#!/bin/sh
# The points of a page's sliders are what run --set predicts, they change no result, and what costs too much is
# left out.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/predictor/search/scan
heat=tests/data/heat2d_600.ptr.gz

# Two ranks that send each other 1 and 100 kB.
awk 'BEGIN {
  for (turn = 0; turn < 20; turn++)
    for (rank = 0; rank < 2; rank++) {
      print rank, "compute", 1e6 * (1 + rank)
      print rank, "isend", 1 - rank, turn, (turn % 2 ? 1000 : 100000)
      print rank, "recv", 1 - rank, turn, (turn % 2 ? 1000 : 100000)
      print rank, "wait", rank, 1 - rank, turn
    }
}' >"$scratch/pairs.ti"
# A program that ends only where its messages are eager.
printf '%s\n' '0 send 1 0 2000' '0 recv 1 0 2000' '1 send 0 0 2000' '1 recv 0 0 2000' >"$scratch/unsafe.ti"

# time_of COMMAND...: the execution time, seconds
time_of () {
  "$program" run "$@" --json 2>/dev/null | grep -o '"execution_time": *[0-9.e-]*' | head -n 1 | sed 's/.*[: ]//'
}

# point PAGE SETTING COLUMN N: the Nth number of that column of a parameter, or of "eager"
point () {
  awk -v parameter="\"$2\"" -v column="\"$3\":" -v n="$4" '
    /"run1-scan": \{/ { inside = 1 }
    inside && index($0, parameter) { found = 1 }
    found && index($0, column) { sub(/.*\[/, ""); sub(/\].*/, ""); split($0, all, ","); print all[n]; exit }' "$scratch/$1.html"
}

# equal NAME PAGE SETTING COLUMN N COMMAND...: a page's numbers have nine digits
equal () {
  case_name=$1
  found=$(point "$2" "$3" "$4" "$5")
  shift 5
  wanted=$(time_of "$@")
  awk -v a="${found:-0}" -v b="${wanted:-0}" 'BEGIN { exit !(a > 0 && a - b < 1e-8 * b && b - a < 1e-8 * b) }'
  result $? "$area/$case_name" "the page has $found, run says $wanted"
}

# scan NAME COMMAND...: its page, and without it
scan () {
  case_page=$1
  shift
  "$program" run "$@" -j 1 --json --html "$scratch/$case_page.html" >"$scratch/with"
  "$program" run "$@" -j 1 --json >"$scratch/without"
  for file in with without; do grep -v '"command_line"\|seconds"' "$scratch/$file" | grep -v per_second >"$scratch/$file.results"; done
  cmp "$scratch/with.results" "$scratch/without.results" >"$scratch/stderr" 2>&1
  result $? "$area/$case_page/no-result-changes" "$(cat "$scratch/stderr")"
  equal "$case_page/latency-first" "$case_page" latency-ratio seconds 1 "$@" --set latency-ratio=0.0625
  equal "$case_page/as-described" "$case_page" latency-ratio seconds 17 "$@"
  equal "$case_page/latency" "$case_page" latency-ratio seconds 20 "$@" --set latency-ratio=1.682
  equal "$case_page/bandwidth" "$case_page" bandwidth-ratio seconds 10 "$@" --set bandwidth-ratio=0.29725
  equal "$case_page/speed-last" "$case_page" speed-ratio seconds 33 "$@" --set speed-ratio=16
  equal "$case_page/latency-and-bandwidth" "$case_page" speed-ratio others 11 "$@" --set latency-ratio=0.125 --set bandwidth-ratio=0.125
  equal "$case_page/bandwidth-and-speed" "$case_page" latency-ratio others 79 "$@" --set bandwidth-ratio=16 --set speed-ratio=4
  "$program" run "$@" -j 3 -q --html "$scratch/threads.html"
  for file in threads "$case_page"; do sed -n '/"run1-scan": {/,/^ }/p' "$scratch/$file.html" >"$scratch/$file.data"; done
  [ -s "$scratch/threads.data" ] && cmp "$scratch/threads.data" "$scratch/$case_page.data" >"$scratch/stderr" 2>&1
  result $? "$area/$case_page/threads" "$(cat "$scratch/stderr")"
}
scan dvm $heat -m mvs1000 -n 4x4
scan batch "$scratch/pairs.ti" -m dimemas:latency=2us,bandwidth=1GB/s
scan loggops "$scratch/pairs.ti" -m loggops:L=2us,o=1us,G=1ns
scan shared "$scratch/pairs.ti" -m fat-tree-200g

# Eager limits are the sizes of messages; with none the unsafe program waits for ever.
"$program" run "$scratch/pairs.ti" -m example-cluster -q --html "$scratch/pairs.html"
grep -q '"bytes": \[-1,1000,100000\]' "$scratch/pairs.html"
result $? "$area/eager/sizes"
equal eager/between pairs eager seconds 2 "$scratch/pairs.ti" -m example-cluster --set network/eager=50000B --set network/nodes/memory/eager=50000B
equal eager/none pairs eager seconds 1 "$scratch/pairs.ti" -m example-cluster --set network/eager=none --set network/nodes/memory/eager=none
"$program" run "$scratch/unsafe.ti" -m myrinet:startup=5us,per-byte=4ns,eager=4000B -q --html "$scratch/unsafe.html"
[ "$(point unsafe eager seconds 1)" = null ] && [ "$(point unsafe eager seconds 2)" != null ] && grep -q 'does not end' "$scratch/unsafe.html"
result $? "$area/eager/does-not-end"

# Factors multiply what the user has set.
"$program" run "$scratch/pairs.ti" -m example-cluster --set latency-ratio=4 -q --html "$scratch/set.html"
equal settings set latency-ratio seconds 1 "$scratch/pairs.ti" -m example-cluster --set latency-ratio=0.25

# On one processor, and where communication costs nothing, there is nothing to choose.
"$program" run $heat -m mvs1000 -n 1 -q --html "$scratch/one.html" && ! grep -q 'run1-scan' "$scratch/one.html"
result $? "$area/one-processor"
"$program" run $heat -n 4 -q --html "$scratch/ideal.html" && ! grep -q 'run1-scan' "$scratch/ideal.html"
result $? "$area/ideal"
"$program" run $heat -m myrinet:startup=7us,per-byte=1ns -n 64x64 -q --html "$scratch/large.html" \
  && grep -q 'Left out: 24 predictions' "$scratch/large.html" && ! grep -q '"run1-scan": {' "$scratch/large.html"
result $? "$area/left-out"
tap_done

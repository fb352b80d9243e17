#!/bin/sh
# Archives of several chunks: what is written is read again, also where many events are at
# the beginning of time, and files that are cut where a chunk ends are refused at once, with
# the file and the offset.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/traces/otf2/cut
cd "$scratch" || exit 1

# Events of two chunks of 1 MiB for each rank, all at one time for rank 1, and definitions of
# two chunks of 4 MiB.
awk 'BEGIN {
  print "predictor-trace 1\nranks 2"
  name = sprintf ("%0400d", 0)
  for (rank = 0; rank < 2; rank++) {
    print "rank " rank " {"
    for (i = 0; i < 11000; i++) {
      region = "\"f" (rank * 11000 + i) "-" name "\""
      print "  enter " region
      if (rank == 0) print "  compute 1us"
      for (k = 0; k < 10; k++) print rank == 0 ? "  send 1 100" : "  recv 0 100"
      print "  leave " region
    }
    print "}"
  }
}' >big.txt
gives written 0 "$program" convert big.txt big.otf2
[ "$(stat -c %s big/0.evt)" -gt 1048576 ] && [ "$(stat -c %s big/1.evt)" -gt 1048576 ] \
  && [ "$(stat -c %s big.def)" -gt 4194304 ]
result $? "$area/several-chunks" "$(ls -lR)"
gives read-again 0 timeout 300 "$program" check big.otf2
for name in big.txt big.otf2; do "$program" convert $name - --to text | sed -e '/^  end /d' -e 's/ took=.*//' >"$name.pdt"; done
same same-program big.txt.pdt big.otf2.pdt

# cut FILE SIZE OFFSET: the file of so many bytes is refused
cut () {
  rm -rf cut
  mkdir cut
  cp -r big big.def big.otf2 cut
  truncate -s "$2" "cut/$1"
  fails "$1-$2" 1 "cut/$1: offset $3: expected" timeout 300 "$program" check cut/big.otf2
}

for file in big/0.evt big/1.evt; do
  cut "$file" 0 0
  cut "$file" 1048576 1048576
  cut "$file" 1048577 1048576
  cut "$file" 1048594 1048594
done
cut big.def 0 0
cut big.def 4194304 4194304
cut big.def 4194305 4194304
cut big/0.def 18 18

# ---- timelines: all is at time 0 on an ideal machine

sed 's/compute 1us/compute 0us/' big.txt >idle.txt
gives timeline 0 "$program" run idle.txt -q --timeline idle.otf2
gives timeline-read 0 timeout 300 "$program" check idle.otf2

tap_done

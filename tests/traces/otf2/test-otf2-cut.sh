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

# ---- files of two runs: same events, one of which took longer

sed 's/compute 1us/compute 2us/' big.txt >other.txt
gives other 0 "$program" convert other.txt other.otf2
gives other-again 0 "$program" run -q other.otf2

# mixed NAME FROM TO: one file of the other run is in the archive, which every command says
mixed () {
  rm -rf cut && mkdir cut && cp -r big big.def big.otf2 cut
  cp "$2" "cut/$3"
  fails "mixed-$1" 4 'archive-mixed' "$program" run -q cut/big.otf2
  fails "mixed-$1-strict" 1 'archive-mixed' "$program" run -q --strict cut/big.otf2
  fails "mixed-$1-check" 1 'archive-mixed' "$program" check cut/big.otf2
  fails "mixed-$1-analyse" 4 'archive-mixed' "$program" analyse cut/big.otf2
}

mixed events other/0.evt big/0.evt
mixed definitions other.def big.def
mixed anchor other.otf2 big.otf2

# ---- forms of files that are not read: SION containers, compression; both are bytes of the anchor

# anchored NAME OFFSET BYTE TEXT: refused by every command, at once
anchored () {
  rm -rf cut && mkdir cut && cp -r big big.def big.otf2 cut
  printf "\\$3" | dd of=cut/big.otf2 bs=1 seek="$2" conv=notrunc 2>/dev/null
  fails "$1-check" 1 "cut/big.otf2: $4" "$program" check cut/big.otf2
  for command in 'run -q' info analyse 'advise -m mvs1000 -m ideal' 'compare big.otf2'; do
    # shellcheck disable=SC2086
    refused "$1-${command%% *}" 1 "cut/big.otf2: $4" "$program" $command cut/big.otf2
  done
  refused "$1-convert" 1 "cut/big.otf2: $4" "$program" convert cut/big.otf2 a.goal
  fails "$1-sweep" 1 "cut/big.otf2: $4" "$program" sweep cut/big.otf2 --vary flops=1Gf,2Gf --db forms.db -j 1
  rm -f forms.db
  truncate -s 100 cut/big/0.evt
  refused "$1-cut" 1 "cut/big.otf2: $4" timeout 300 "$program" run cut/big.otf2
}

[ "$(od -An -tu1 -j 28 -N 2 big.otf2 | tr -d ' ')" = 11 ]
result $? "$area/anchor" "$(od -An -tx1 big.otf2)"
anchored sion 28 002 'the files of this archive are in SION containers: expected plain files'
anchored zlib 29 002 'the files of this archive are compressed by zlib: expected plain files'

# ---- timelines: all is at time 0 on an ideal machine

sed 's/compute 1us/compute 0us/' big.txt >idle.txt
gives timeline 0 "$program" run idle.txt -q --timeline idle.otf2
gives timeline-read 0 timeout 300 "$program" check idle.otf2

tap_done

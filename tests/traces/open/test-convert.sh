#!/bin/sh
# predictor convert from outside: formats by content and by suffix, standard
# streams, compressed input, what is lost, the folder of parsed traces, and
# files that stay as they are when something fails.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/convert
cd "$scratch" || exit 1
cp "$root/tests/data/ring.ti" ring.ti

# status WANTED NAME ARGUMENTS...: "predictor convert ARGUMENTS" and its status.
convert () { "$program" convert "$@"; }

# ---- round trips

gives to-text 0 convert ring.ti ring.pdt
in_file text-form '  isend 1 1024 tag=1 request=1' ring.pdt
empty quiet stderr
gives text-again 0 convert ring.pdt again.pdt
same text-is-stable ring.pdt again.pdt
gives to-ti 0 convert ring.pdt ring2.ti
gives from-ti 0 convert ring2.ti again.pdt
same ti-is-stable ring.pdt again.pdt
gives by-option 0 convert ring.ti --to ti plain
same option-wins ring2.ti plain

# ---- what an archive does not tell: who gets how much in an uneven exchange

printf '%s\n' '0 init' '0 alltoallv 9 4 5 9 4 5' '0 finalize' \
  '1 init' '1 alltoallv 9 5 4 9 5 4' '1 finalize' >uneven.ti
gives uneven-otf2 0 convert uneven.ti uneven.otf2
in_file uneven-said 'counts-lost' stderr
# ... of a sum that n does not divide, nobody says that it is without the own block
gives uneven-back 0 convert uneven.otf2 uneven.pdt
in_file uneven-averaged 'alltoallv 4 send=[4,4] recv=[4,4]' uneven.pdt
sed 's/alltoallv .*/alltoallv 8 4 4 8 4 4/' uneven.ti >even.ti
gives even-otf2 0 convert even.ti even.otf2
empty even-quiet stderr

# ---- by content, from anywhere

mv ring.ti odd.suffix
gives by-content 0 convert odd.suffix again.pdt
same by-content-same ring.pdt again.pdt
gzip -c odd.suffix >ring.gz
gives gzip 0 convert ring.gz again.pdt
same gzip-same ring.pdt again.pdt
if command -v zstd >/dev/null 2>&1; then
  zstd -q -c odd.suffix >ring.zst
  gives zstd 0 convert ring.zst again.pdt
  same zstd-same ring.pdt again.pdt
else
  skip /convert/zstd "zstd is absent"
fi
"$program" convert - - <ring.gz >stdout 2>stderr
same standard-streams ring.pdt stdout
mkfifo pipe
cat ring.gz >pipe &
gives pipe 0 convert pipe again.pdt
same pipe-same ring.pdt again.pdt
awk '$1 != "#" { print >"r" $1 ".txt" }' odd.suffix
printf 'r0.txt\nr1.txt\nr2.txt\nr3.txt\n' >list
gives list 0 convert list again.pdt
same list-same ring.pdt again.pdt
cp r0.txt kept.txt
gives list-part 2 convert list r0.txt --to ti
same list-part-stays kept.txt r0.txt
(mkdir -p elsewhere && cd elsewhere && "$program" convert ../list again.pdt)
same list-from-elsewhere ring.pdt elsewhere/again.pdt

# ---- what is lost, what is incomplete

cat >rich.pdt <<'END'
predictor-trace 1
ranks 2
comm 1: 1 0
0 send 0 8 comm=1
1 recv 1 8 comm=1
0 barrier comm=1
1 barrier comm=1
0 other "MPI_File_open" 1us
0 compute 1ms
END
gives lossy 0 convert rich.pdt rich.ti
for id in ti-lost-communicator ti-lost-collective ti-lost-call; do
  in_file "lossy-$id" "[$id]" stderr
done
in_file counted 'ti-lost-collective], 2 times' stderr
in_file world-rank '0 send 1 0 8 6' rich.ti
in_file flops '0 compute 1000000' rich.ti
gives flops-option 0 convert rich.pdt --flops 2Gf rich.ti
in_file flops-given '0 compute 2000000' rich.ti
head -n 26 odd.suffix >cut.ti
gives incomplete 4 convert cut.ti again.pdt
in_file incomplete-says '[ti-unfinished]' stderr

cat >richer.pdt <<'END'
predictor-trace 1
ranks 1
0 probe any
0 other "fopen" 1us
0 ssend_init 0 8 request=0
0 test 0
0 allreduce 8 sent=16
0 iallreduce 8 request=1 then=3ms
0 wait 1
0 compute 9000000s
0 compute 9000000s
END
gives lossy-otf2 0 convert richer.pdt richer.otf2
for id in probe-lost call-lost outcome-lost sums-lost time-lost; do
  in_file "lossy-$id" "[$id]" stderr
done
gives from-otf2 0 convert richer.otf2 again.pdt
in_file computation-stays 'compute 3ms' again.pdt

# ---- what fails leaves everything as it is

echo old >old.pdt
printf '0 init\n0 frobnicate\n0 finalize\n' >bad.ti
gives bad 1 convert bad.ti old.pdt
in_file bad-place 'predictor convert: bad.ti:2: ' stderr
in_file old-file-stays old old.pdt
gives no-file 1 convert absent.ti old.pdt
gives no-trace 1 convert rich.pdt/x old.pdt
gives unwritable 1 convert odd.suffix absent/out.pdt
gives folder 1 convert odd.suffix elsewhere --to text
gives dvm 1 convert "$root/tests/data/heat2d_600.ptr.gz" old.pdt
gives no-suffix 2 convert odd.suffix out
gives no-format 2 convert odd.suffix out --to nonsense
gives read-only 2 convert odd.suffix out --to dvm
gives one-name 2 convert odd.suffix
gives three-names 2 convert odd.suffix a b
gives bad-flops 2 convert odd.suffix out.ti --flops 0
[ "$(ls | grep -c 'pdt\.')" = 0 ]
result $? /convert/no-temporaries "$(ls)"

# ---- the folder of parsed traces

gives cache-first 0 convert odd.suffix --cache cache again.pdt
same cache-first-same ring.pdt again.pdt
gives cache-second 0 convert odd.suffix --cache cache again.pdt
same cache-second-same ring.pdt again.pdt
PREDICTOR_CACHE=cache "$program" convert odd.suffix again.pdt
same cache-environment ring.pdt again.pdt
[ "$(ls cache | wc -l)" = 1 ]
result $? /convert/cache-once "$(ls cache)"
echo damaged >"cache/$(ls cache)"
gives cache-damaged 0 convert odd.suffix --cache cache again.pdt
same cache-damaged-same ring.pdt again.pdt

# Names of files are bytes, and need not be UTF-8.
odd=$(printf 'odd\377')
if mkdir "$odd" 2>/dev/null; then
  cp list r?.txt "$odd"
  gives cache-bytes 0 convert "$odd/list" --cache cache again.pdt
  empty cache-bytes-quiet stderr
  gives cache-bytes-again 0 convert "$odd/list" --cache cache again.pdt
  same cache-bytes-same ring.pdt again.pdt
else
  skip /convert/cache-bytes "the file system wants UTF-8"
fi

# ---- damaged input of a format that cannot use a part of it

gives goal-binary 0 convert ring.pdt ring.bin
gzip -c ring.bin >ring.bin.gz
gives goal-gzip 0 convert ring.bin.gz again.bin
same goal-gzip-same ring.bin again.bin
{ head -c -8 ring.bin.gz && printf 'damaged!'; } >damaged.bin.gz
gives goal-damaged 1 convert damaged.bin.gz again.bin
in_file goal-damaged-says 'damaged.bin.gz: the compressed file is damaged' stderr
# ... nor is a compressed file an empty trace that is cut before its first line
gzip -c uneven.ti | head -c 12 >cut.gz
gives cut-at-once 1 convert cut.gz cut.pdt
in_file cut-at-once-says 'cut.gz: the compressed file is cut' stderr

# ---- the traces of ../shared

if [ -d "$shared/traces/ti" ]; then
  for trace in dt.S.SH.12 is.S.4 ring.256; do
    gives "shared/$trace" 0 convert "$shared/traces/ti/$trace.ti.gz" a.pdt
    "$program" convert a.pdt b.ti && "$program" convert b.ti b.pdt
    same "shared/$trace-same" a.pdt b.pdt
  done
else
  skip /convert/shared "../shared is absent"
fi

tap_done

#!/bin/sh
# predictor convert from outside: formats by content and by suffix, standard
# streams, compressed input, what is lost, the folder of parsed traces, and
# files that stay as they are when something fails.
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh

root=$PWD
program=$(realpath "${BUILD:-build}/predictor/predictor") || exit 1
shared=${PREDICTOR_SHARED:-../shared}
shared=$(realpath "$shared" 2>/dev/null || echo "$shared")
export LC_ALL=C
unset PREDICTOR_CACHE
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
cp "$root/tests/data/ring.ti" ring.ti

# status WANTED NAME ARGUMENTS...: "predictor convert ARGUMENTS" and its status.
status () {
  wanted=$1
  name=$2
  shift 2
  "$program" convert "$@" >stdout 2>stderr
  got=$?
  [ "$got" = "$wanted" ]
  result $? "/convert/$name" "status $got, expected $wanted: $(cat stderr)"
}

same () {
  cmp -s "$2" "$3"
  result $? "/convert/$1" "$(diff "$2" "$3" 2>&1 | head -n 5)"
}

says () {
  grep -q -- "$2" "$3"
  result $? "/convert/$1" "no '$2' in: $(head -n 5 "$3")"
}

# ---- round trips

status 0 to-text ring.ti ring.pdt
says text-form '^  isend 1 1024 tag=1 request=1$' ring.pdt
[ ! -s stderr ]
result $? /convert/quiet "$(cat stderr)"
status 0 text-again ring.pdt again.pdt
same text-is-stable ring.pdt again.pdt
status 0 to-ti ring.pdt ring2.ti
status 0 from-ti ring2.ti again.pdt
same ti-is-stable ring.pdt again.pdt
status 0 by-option ring.ti --to ti plain
same option-wins ring2.ti plain

# ---- what an archive does not tell: who gets how much in an uneven exchange

printf '%s\n' '0 init' '0 alltoallv 9 4 5 9 4 5' '0 finalize' \
  '1 init' '1 alltoallv 9 5 4 9 5 4' '1 finalize' >uneven.ti
status 0 uneven-otf2 uneven.ti uneven.otf2
says uneven-said 'counts-lost' stderr
sed 's/alltoallv .*/alltoallv 8 4 4 8 4 4/' uneven.ti >even.ti
status 0 even-otf2 even.ti even.otf2
[ ! -s stderr ]
result $? /convert/even-quiet "$(cat stderr)"

# ---- by content, from anywhere

mv ring.ti odd.suffix
status 0 by-content odd.suffix again.pdt
same by-content-same ring.pdt again.pdt
gzip -c odd.suffix >ring.gz
status 0 gzip ring.gz again.pdt
same gzip-same ring.pdt again.pdt
if command -v zstd >/dev/null 2>&1; then
  zstd -q -c odd.suffix >ring.zst
  status 0 zstd ring.zst again.pdt
  same zstd-same ring.pdt again.pdt
else
  skip /convert/zstd "zstd is absent"
fi
"$program" convert - - <ring.gz >stdout 2>stderr
same standard-streams ring.pdt stdout
mkfifo pipe
cat ring.gz >pipe &
status 0 pipe pipe again.pdt
same pipe-same ring.pdt again.pdt
awk '$1 != "#" { print >"r" $1 ".txt" }' odd.suffix
printf 'r0.txt\nr1.txt\nr2.txt\nr3.txt\n' >list
status 0 list list again.pdt
same list-same ring.pdt again.pdt
cp r0.txt kept.txt
status 2 list-part list r0.txt --to ti
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
status 0 lossy rich.pdt rich.ti
for id in ti-lost-communicator ti-lost-collective ti-lost-call; do
  says "lossy-$id" "\[$id\]" stderr
done
says counted 'ti-lost-collective\], 2 times' stderr
says world-rank '^0 send 1 0 8 6$' rich.ti
says flops '^0 compute 1000000$' rich.ti
status 0 flops-option rich.pdt --flops 2Gf rich.ti
says flops-given '^0 compute 2000000$' rich.ti
head -n 26 odd.suffix >cut.ti
status 4 incomplete cut.ti again.pdt
says incomplete-says '\[ti-unfinished\]' stderr

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
status 0 lossy-otf2 richer.pdt richer.otf2
for id in probe-lost call-lost mode-lost outcome-lost sums-lost time-lost; do
  says "lossy-$id" "\[$id\]" stderr
done
status 0 from-otf2 richer.otf2 again.pdt
says computation-stays 'compute 3ms' again.pdt

# ---- what fails leaves everything as it is

echo old >old.pdt
printf '0 init\n0 frobnicate\n0 finalize\n' >bad.ti
status 1 bad bad.ti old.pdt
says bad-place '^predictor convert: bad.ti:2: ' stderr
says old-file-stays old old.pdt
status 1 no-file absent.ti old.pdt
status 1 no-trace rich.pdt/x old.pdt
status 1 unwritable odd.suffix absent/out.pdt
status 1 folder odd.suffix elsewhere --to text
status 1 dvm "$root/tests/data/heat2d_600.ptr.gz" old.pdt
status 2 no-suffix odd.suffix out
status 2 no-format odd.suffix out --to nonsense
status 2 read-only odd.suffix out --to dvm
status 2 one-name odd.suffix
status 2 three-names odd.suffix a b
status 2 bad-flops odd.suffix out.ti --flops 0
[ "$(ls | grep -c 'pdt\.')" = 0 ]
result $? /convert/no-temporaries "$(ls)"

# ---- the folder of parsed traces

status 0 cache-first odd.suffix --cache cache again.pdt
same cache-first-same ring.pdt again.pdt
status 0 cache-second odd.suffix --cache cache again.pdt
same cache-second-same ring.pdt again.pdt
PREDICTOR_CACHE=cache "$program" convert odd.suffix again.pdt
same cache-environment ring.pdt again.pdt
[ "$(ls cache | wc -l)" = 1 ]
result $? /convert/cache-once "$(ls cache)"
echo damaged >"cache/$(ls cache)"
status 0 cache-damaged odd.suffix --cache cache again.pdt
same cache-damaged-same ring.pdt again.pdt

# Names of files are bytes, and need not be UTF-8.
odd=$(printf 'odd\377')
if mkdir "$odd" 2>/dev/null; then
  cp list r?.txt "$odd"
  status 0 cache-bytes "$odd/list" --cache cache again.pdt
  [ ! -s stderr ]
  result $? /convert/cache-bytes-quiet "$(cat stderr)"
  status 0 cache-bytes-again "$odd/list" --cache cache again.pdt
  same cache-bytes-same ring.pdt again.pdt
else
  skip /convert/cache-bytes "the file system wants UTF-8"
fi

# ---- damaged input of a format that cannot use a part of it

status 0 goal-binary ring.pdt ring.bin
gzip -c ring.bin >ring.bin.gz
status 0 goal-gzip ring.bin.gz again.bin
same goal-gzip-same ring.bin again.bin
{ head -c -8 ring.bin.gz && printf 'damaged!'; } >damaged.bin.gz
status 1 goal-damaged damaged.bin.gz again.bin
says goal-damaged-says 'damaged.bin.gz: the compressed file is damaged' stderr

# ---- the traces of ../shared

if [ -d "$shared/traces/ti" ]; then
  for trace in dt.S.SH.12 is.S.4 ring.256; do
    status 0 "shared/$trace" "$shared/traces/ti/$trace.ti.gz" a.pdt
    "$program" convert a.pdt b.ti && "$program" convert b.ti b.pdt
    same "shared/$trace-same" a.pdt b.pdt
  done
else
  skip /convert/shared "../shared is absent"
fi

tap_done

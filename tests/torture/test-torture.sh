#!/bin/sh
# What make torture has found, and that it still finds: calls of the system that fail (fail.c), by number.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/torture
cp tests/data/ring.ti tests/data/heat2d_600.ptr.gz "$scratch"
${CC:-cc} -O2 -shared -fPIC -o "$scratch/fail.so" tests/torture/fail.c -ldl || { skip /torture/all "no compiler"; tap_done; exit; }
cd "$scratch" || exit 1
SOURCE_DATE_EPOCH=0
export SOURCE_DATE_EPOCH

# calls KIND COMMAND...: how many it makes
calls () {
  kind=$1
  shift
  rm -f counts
  env TORTURE_COUNT="$scratch/counts" LD_PRELOAD="$scratch/fail.so" "$@" >/dev/null 2>&1
  sed -n "s/^$kind //p" counts | sort -n | tail -n 1
}

# failing KIND NUMBER COMMAND...: its status in $status
failing () {
  how=$1:$2
  shift 2
  env TORTURE_FAIL="$how" LD_PRELOAD="$scratch/fail.so" "$@" >out 2>err
  status=$?
}

# ---- a study that is merged on a disk that gets full: all of it, or status 1 and nothing

for i in 1 2; do
  "$program" sweep ring.ti --vary flops=1Gf,2Gf,3Gf,4Gf --shard $i/2 --db $i.sqlite -q -j 1
done
n=$(calls write "$program" sweep -q --merge a.db 1.sqlite 2.sqlite)
rm -f a.db
[ "$n" -gt 20 ]
result $? /torture/merge/calls "$n calls"
k=1 wrong=
while [ $k -le "$n" ]; do
  failing write $k "$program" sweep -q --merge a.db 1.sqlite 2.sqlite
  points=
  [ ! -e a.db ] || points=$(sqlite3 -readonly a.db "SELECT count (*) FROM point WHERE status = 'done'" 2>&1)
  left=$(ls | grep '^a\.db\..')
  case $status in
  0) [ "$points" = 4 ] && [ -z "$left" ] ;;
  *) [ "$status$points$left" = 1 ] ;;
  esac || wrong="$wrong $k: status $status, $points points, $left;"
  rm -f a.db*
  k=$((k + 1))
done
[ -z "$wrong" ]
result $? /torture/merge/full "$wrong"

# ---- the three files of Paraver: old ones stay unless all can be written

n=$(calls write "$program" run heat2d_600.ptr.gz -m mvs1000 -n 2 -q --timeline a.prv)
k=1 wrong=
while [ $k -le "$n" ]; do
  for form in prv pcf row; do echo previous >a.$form; done
  failing write $k "$program" run heat2d_600.ptr.gz -m mvs1000 -n 2 -q --timeline a.prv
  [ $status = 0 ] || [ "$(cat a.prv a.pcf a.row 2>&1 | sort -u)" = previous ] || wrong="$wrong $k"
  k=$((k + 1))
done
[ "$n" -ge 3 ] && [ -z "$wrong" ]
result $? /torture/paraver/full "$n calls, wrong:$wrong"

# ---- an error of a disk is not kept in the cache

k=1 wrong= incomplete=0
n=$(calls read "$program" run ring.ti -q --cache kept)
while [ $k -le "$n" ]; do
  rm -rf kept
  failing read $k "$program" run ring.ti -q --cache kept
  [ $status != 4 ] || incomplete=$((incomplete + 1))
  "$program" run ring.ti -q --cache kept 2>err || wrong="$wrong $k: $(cat err)"
  k=$((k + 1))
done
[ $incomplete -gt 0 ] && [ -z "$wrong" ]
result $? /torture/cache/read-error "$incomplete of $n incomplete; wrong:$wrong"

# ---- a file that cannot be opened once more: all figures and warnings are there, or an error

n=$(calls open "$program" run heat2d_600.ptr.gz -m mvs1000 -n 2)
"$program" run heat2d_600.ptr.gz -m mvs1000 -n 2 >whole
k=1 wrong= refused=0
while [ $k -le "$n" ]; do
  failing open $k "$program" run heat2d_600.ptr.gz -m mvs1000 -n 2
  if [ $status = 0 ]; then
    cmp -s out whole || wrong="$wrong $k: $(diff out whole | head -n 3);"
  else
    refused=$((refused + 1))
  fi
  k=$((k + 1))
done
[ $refused -gt 0 ] && [ -z "$wrong" ]
result $? /torture/outliers "$refused of $n refused; wrong:$wrong"

# ---- memory that zstd, SQLite and OTF2 do not get: one line and status 1, files as they were; or, where
# the program has another way, status 0 and the same report as ever

# as_before FILE: the old one or none, and none of the other parts of an archive
as_before () {
  rm -rf a a.def "$1"
  [ ! -e "$1.old" ] || cp "$1.old" "$1"
}

# starved NAME LEAST STEP FILE COMMAND...: every STEP-th request of a library fails, with which the command
# does, LEAST times or more; FILE is the old one, none, or whole
starved () {
  name=$1 least=$2 step=$3 file=$4
  shift 4
  n=$(calls library "$@")
  cp "$file" whole.file
  as_before "$file"
  k=1 wrong= failed=0
  while [ $k -le "$n" ]; do
    failing library $k "$@"
    if [ $status != 0 ]; then
      failed=$((failed + 1))
      [ $status = 1 ] && [ "$(grep -c . err)" = 1 ] && grep -qE 'memory|Allocation|cannot be written|not an OTF2' err \
        && { [ ! -e "$file.old" ] && [ ! -e "$file" ] && [ ! -e a ] && [ ! -e a.def ] || cmp -s "$file" "$file.old"; } || wrong="$wrong $k: status $status, $(head -n 1 err);"
    elif [ "${file%.xml}" != "$file" ] && ! cmp -s "$file" whole.file; then
      wrong="$wrong $k: another file;"
    fi
    [ -z "$(ls | grep -E '^a\..*\.[A-Za-z0-9]{6}$|-journal$|-wal$')" ] || wrong="$wrong $k: $(ls | tr '\n' ' ');"
    as_before "$file"
    k=$((k + step))
  done
  [ $failed -ge $least ] && [ -z "$wrong" ]
  result $? "/torture/memory/$name" "$failed of $n requests failed; wrong:$(echo "$wrong" | head -c 500)"
}

gzip -dc heat2d_600.ptr.gz >heat.ptr
"$program" convert "$root/tests/data/imbalance.txt" i.otf2
cat >w.txt <<'EOF'
predictor-trace 1
ranks 2
computation time
rank 0 {
  win_fence
  put 1 80
  win_fence
}
rank 1 {
  win_fence
  compute 5us
  win_fence
}
EOF
"$program" convert w.txt w.otf2
"$program" run ring.ti -q --db a.db.old
if command -v zstd >/dev/null && zstd -q heat.ptr; then
  starved zstd 4 1 a.xml "$program" run heat.ptr.zst -m mvs1000 -n 2 -q --xml a.xml
else
  skip /torture/memory/zstd "no zstd"
fi
starved sqlite 4 41 a.db "$program" run ring.ti -q --db a.db
# Events that need no library are read once more when that failed: one request is made once only.
starved otf2-read 1 1 a.xml "$program" run i.otf2 -m mvs1000 -q --xml a.xml
starved otf2-windows 1 1 a.xml "$program" run w.otf2 -m mvs1000 -q --xml a.xml
starved otf2-write 4 1 a.otf2 "$program" convert i.otf2 a.otf2
starved gzip 4 1 a.json.gz "$program" run ring.ti -q --timeline a.json.gz

# ---- sums over campaigns: what stands in the document and the new inputs, by target

cat >sums.md <<'EOF'
<!-- begin fuzz -->

| target | inputs | inputs of all campaigns | edges | findings |
|---|---|---|---|---|
| a | 5 | 3000000000 | 7 | 0 |
| gone | 1 | 40 | 2 | 0 |
| all | 6 | 3000000040 |  |  |

<!-- end fuzz -->
EOF
(cd "$root" && . tests/torture/common.sh && DOCUMENT=$scratch/sums.md && printf '| new | 2 | 9 | 1 |\n| a | 3000000000 | 8 | 0 |\n' | add_up fuzz) >sums
cat >sums.expected <<'EOF'
| a | 3000000000 | 6000000000 | 8 | 0 |
| gone | 0 | 40 | - | - |
| new | 2 | 2 | 9 | 1 |
| all | 3000000002 | 6000000042 |  |  |
EOF
(cd "$root" && . tests/torture/common.sh && printf '| a | 7 | 8 | 0 |\n' | add_up fuzz) >>sums
printf '| a | 7 | 7 | 8 | 0 |\n| all | 7 | 7 |  |  |\n' >>sums.expected
cmp -s sums sums.expected
result $? /torture/sums "$(cat sums)"

# ---- the driver: its parts, what it says, and the tables of the document

cd "$root" || exit 1
ONLY=list sh tests/torture/torture >"$scratch/parts"
cut -d ' ' -f 1 "$scratch/parts" | while read -r part; do
  [ -e "tests/torture/$part.sh" ] && grep -qx "<!-- begin $part -->" docs/reliability.md || echo "$part"
done >"$scratch/missing"
[ "$(wc -l <"$scratch/parts")" -ge 7 ] && [ ! -s "$scratch/missing" ]
result $? /torture/parts "$(cat "$scratch/missing")"
ONLY=nothing sh tests/torture/torture >"$scratch/out" 2>&1
[ $? = 2 ] && grep -q "no part is called 'nothing'" "$scratch/out"
result $? /torture/no-part "$(cat "$scratch/out")"
cp docs/reliability.md "$scratch/document.md"
TIME=1 SEED=5 ONLY=writers FOUND=$scratch/found DOCUMENT=$scratch/document.md BUILD=$build sh tests/torture/torture >"$scratch/out" 2>&1
[ $? = 0 ] && grep -q '^| writers | .* | [1-9][0-9]* pairs of processes | 0 | ' "$scratch/out" && grep -q 'SEED=5' "$scratch/document.md"
result $? /torture/writers "$(cat "$scratch/out")"

tap_done

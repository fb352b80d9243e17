#!/bin/sh
# What make torture has found, and that it still finds: calls of the system that fail (fail.c), by number.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/torture
cp tests/data/ring.ti tests/data/heat2d_600.ptr.gz "$scratch"
${CC:-cc} -O2 -shared -fPIC -o "$scratch/fail.so" tests/torture/fail.c -ldl || { skip /torture/all "no compiler"; tap_done; exit; }
cd "$scratch" || exit 1

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

#!/bin/sh
# What is wrong with an input is told by every command: no number comes with status 0.
# Usage: test-wrong-answers.sh, with BUILD
# SPDX-License-Identifier: MIT
set -u
. tests/support/tap.sh
build=$(cd "${BUILD:-build}" && pwd)
program=$build/predictor/predictor
data=$(cd tests/data && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
cd "$scratch" || exit 1
PREDICTOR_CACHE= ; export PREDICTOR_CACHE

# expect NAME FILE ID STATUS COMMAND…: COMMAND on FILE ends with STATUS, and says ID
expect () {
  name=$1 file=$2 id=$3 wanted=$4
  shift 4
  "$program" "$@" >out 2>err
  status=$?
  [ "$status" = "$wanted" ] && cat out err | grep -q "$id"
  result $? "/wrong/$name/$1$([ "$1" = run ] && case "$*" in *--strict*) echo -strict;; esac)" "status $status, expected $wanted, $id: $(cat err)"
}

# dvm NAME FILE ID: of a DVM program that contradicts itself
dvm () {
  expect "$1" "$2" "$3" 4 run "$2" -n 2
  expect "$1" "$2" "$3" 1 run "$2" -n 2 --strict
  expect "$1" "$2" "$3" 4 advise "$2" --max-procs 2
  expect "$1" "$2" "$3" 1 check "$2"
  rm -f a.sqlite
  expect "$1" "$2" . 4 sweep "$2" -n 1,2 --db a.sqlite
  sqlite3 a.sqlite 'SELECT status, message FROM point; SELECT id FROM warning' | grep -q "$3"
  result $? "/wrong/$1/points"
}

# mp NAME FILE ID: of message passing, whose ranks do not fit together; STATUS of a doubtful trace
mp () {
  expect "$1" "$2" "$3" "${4:-3}" run "$2" -m ideal
  expect "$1" "$2" "$3" "${4:-3}" run "$2" -m example-cluster --timeline t.json
  expect "$1" "$2" "$3" "${4:-3}" analyse "$2" -m ideal
  rm -rf converted.txt
  expect "$1" "$2" "$3" "${4:-3}" convert "$2" converted.txt
  [ "${4:-3}" = 3 ] && checked=3 || checked=1
  expect "$1" "$2" "$3" $checked check "$2"
  expect "$1" "$2" "$3" "${4:-3}" advise "$2" -m ideal -m example-cluster
  rm -f a.sqlite
  [ "$1" = roots ] && return # each point is a deadlock
  expect "$1" "$2" . 4 sweep "$2" -m example-cluster --vary network/startup=1us,2us --db a.sqlite
  sqlite3 a.sqlite 'SELECT status, message FROM point; SELECT id FROM warning' | grep -q "$3"
  result $? "/wrong/$1/points"
}

# ---- DVM traces

gzip -dc "$data/heat2d_600.ptr.gz" >whole.ptr
"$program" run whole.ptr -n 2 --strict -q
result $? /wrong/whole

size=$(wc -c <"$data/heat2d_600.ptr.gz")
{ head -c $((size - 6)) "$data/heat2d_600.ptr.gz"; printf 'XX'; tail -c 4 "$data/heat2d_600.ptr.gz"; } >sum.ptr.gz
dvm gzip-sum sum.ptr.gz gzip-damaged
if command -v zstd >/dev/null; then
  zstd -q --check whole.ptr -o whole.ptr.zst
  size=$(wc -c <whole.ptr.zst)
  { head -c $((size - 2)) whole.ptr.zst; printf 'XX'; } >sum.ptr.zst
  dvm zstd-sum sum.ptr.zst zstd-damaged
else
  skip /wrong/zstd-sum "no zstd"
fi
cat whole.ptr whole.ptr >second.ptr
dvm second-trace second.ptr second-trace
cat "$data/heat2d_600.ptr.gz" "$data/heat2d_600.ptr.gz" >second.ptr.gz
dvm second-member second.ptr.gz second-trace
awk '/^call_/ && ++n == 100 { sub(/TIME=0\.0/, "TIME=1.0") } { print }' whole.ptr >edited.ptr
cmp -s whole.ptr edited.ptr && result 1 /wrong/edited "nothing was edited"
dvm edited edited.ptr time-sum
last=$(grep -n '^ret_enloop_' whole.ptr | tail -1 | cut -d: -f1)
sed "${last}d" whole.ptr >lost.ptr
dvm lost-return lost.ptr unmatched-record

# ---- files of several processors

for case in 'copy 0 0' 'swapped 1 0'; do
  set -- $case
  mkdir "$1"
  cp "$data/heat2d_600_np2/heat2d$2_$2.ptr.gz" "$1/heat2d0_0.ptr.gz"
  cp "$data/heat2d_600_np2/heat2d$3_$3.ptr.gz" "$1/heat2d1_1.ptr.gz"
  for command in run check advise; do
    expect "$1" "$1" "the trace is of processor" 1 $command "$1"
  done
done

# ---- message passing

# program NAME: two ranks, of standard input
program () {
  { printf 'predictor-trace 1\nranks 2\n'; cat; } >"$1.txt"
}

program sizes <<'END'
0 allreduce 8
1 allreduce 16
END
mp sizes sizes.txt collective-mismatch
program roots <<'END'
0 bcast 8 root=0
1 bcast 8 root=1
0 compute 1s
END
mp roots roots.txt collective-mismatch
program room <<'END'
0 send 1 800
1 recv 0 8
END
mp room room.txt message-truncated
program anyone <<'END'
0 send 1 800
1 recv any 8
END
expect anyone anyone.txt message-truncated 3 run anyone.txt
expect anyone anyone.txt message-truncated 3 check anyone.txt
program reused <<'END'
0 isend 1 8 request=0
0 isend 1 8 request=0
0 wait 0
1 recv 0 8
1 recv 0 8
END
mp reused reused.txt request-reused
program vectors <<'END'
0 alltoallv send=[0,8] recv=[0,9]
1 alltoallv send=[9,0] recv=[7,0]
END
mp vectors vectors.txt counts-mismatch
program alike <<'END'
0 alike_begin 1
0 compute 1s
1 compute 1s
END
mp alike alike.txt alike-mismatch 4
printf '%s\n' '0 init' '0 compute 1e9' '0 finalize' '1 init' '1 compute 1e9' '1 finalize' >once.ti
cat once.ti once.ti >twice.ti
mp twice twice.ti after-finalize 4
printf '%s\n' '0 init' '0 compute 1e9' '0 finalize' '0 compute 1e9' '1 init' '1 finalize' >after.ti
mp after after.ti after-finalize 4

tap_done

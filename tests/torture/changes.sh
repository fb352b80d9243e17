# changes: random programs in which one record is changed: who notices it?
# SPDX-License-Identifier: MIT
set -u
. tests/torture/common.sh
mkdir -p "$scratch/changes"
TMPDIR=$scratch/changes "$build/tests/torture/changes" "$SEED" $((deadline - $(date +%s))) "$FOUND/found" >"$FOUND/tables/changes" 2>"$scratch/changes.err"
status=$?
grep -v ' changes to ' "$scratch/changes.err" | head -n 20
tried changes "$(grep ' changes to ' "$scratch/changes.err")"
[ $status -le 1 ] || found changes crash "status $status" "$scratch/changes.err"

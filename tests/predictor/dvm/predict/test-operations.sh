#!/bin/sh
# The table of operations of recorded programs: its sums in every interval and on every processor,
# taken from what is written, in all forms; waits of pipelines in protocols.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/operations
cd "$scratch" || exit 1
data=$root/tests/data

# What must give no row: characteristics of a processor that are not the sums of its operations.
cat >sums.sql <<'END'
WITH o AS (
  SELECT run, node, processor, sum (communication_ps) AS c, sum (real_sync_ps) AS r, sum (synchronization_ps) AS s,
    sum (time_variation_ps) AS v, sum (overlap_ps) AS l,
    sum (CASE WHEN kind IN ('shadow', 'pipeline') THEN communication_ps ELSE 0 END) AS shadow,
    sum (CASE WHEN kind IN ('task', 'other') THEN communication_ps ELSE 0 END) AS other,
    sum (CASE WHEN kind = 'io' THEN communication_ps ELSE 0 END) AS io,
    sum (CASE WHEN kind = 'reduction' THEN communication_ps ELSE 0 END) AS reduction,
    sum (CASE WHEN kind = 'remote_access' THEN communication_ps ELSE 0 END) AS remote,
    sum (CASE WHEN kind = 'redistribution' THEN communication_ps ELSE 0 END) AS redistribution
  FROM processor_operation GROUP BY run, node, processor)
SELECT 'processor', p.run, p.node, p.processor FROM processor p LEFT JOIN o USING (run, node, processor)
  WHERE p.communication_ps <> ifnull (c, 0) OR p.real_sync_ps <> ifnull (r, 0) OR p.synchronization_ps <> ifnull (s, 0)
    OR p.time_variation_ps <> ifnull (v, 0) OR p.overlap_ps <> ifnull (l, 0) OR p.wait_shadow_ps <> ifnull (shadow, 0)
    OR p.other_comm_ps <> ifnull (other, 0) OR p.io_comm_ps <> ifnull (io, 0) OR p.wait_reduction_ps <> ifnull (reduction, 0)
    OR p.remote_access_ps <> ifnull (remote, 0) OR p.redistribution_ps <> ifnull (redistribution, 0);
SELECT 'kind', o.run, o.node, o.kind FROM operation o
  JOIN (SELECT run, node, kind, max (count) AS most, sum (count) AS all_of_them, sum (communication_ps) AS c
    FROM processor_operation GROUP BY run, node, kind) p USING (run, node, kind)
  WHERE most > o.count OR all_of_them < o.count OR abs (c / 1e12 - o.communication) > 1e-9 * (1 + o.communication);
SELECT 'counter', i.run, i.node FROM interval i
  WHERE reduction_count <> ifnull ((SELECT count FROM operation o WHERE o.run = i.run AND o.node = i.node AND kind = 'reduction'), 0)
    OR pipeline_count <> ifnull ((SELECT count FROM operation o WHERE o.run = i.run AND o.node = i.node AND kind = 'pipeline'), 0);
SELECT 'empty' WHERE NOT EXISTS (SELECT 1 FROM processor_operation);
END

# sums NAME TRACE GRID MACHINE
sums () {
  rm -f r.sqlite
  "$program" run "$2" -n "$3" -m "$4" --check --per-processor --db r.sqlite -q >stdout 2>stderr
  case $? in 0 | 4) ;; *)
    result 1 "$area/sums/$1" "$(cat stderr)"
    return
    ;;
  esac
  wrong=$(sqlite3 r.sqlite <sums.sql 2>&1)
  [ -z "$wrong" ]
  result $? "$area/sums/$1" "$wrong"
}

# every TRACE NAME: grids of two kinds on machines that differ
every () {
  grid=2x2
  case $2 in *userps4*) grid=4 ;; esac
  for machine in ideal example-cluster mvs1000 gigabit-ethernet fat-tree-200g 'ethernet:startup=9us,per-byte=3ns'; do
    sums "$2/$grid/${machine%%:*}" "$1" $grid "$machine"
  done
  [ $grid = 4 ] || sums "$2/5/example-cluster" "$1" 5 example-cluster
}

if command -v sqlite3 >/dev/null 2>&1; then
  for trace in "$data"/*.ptr.gz "$data/heat2d_600_np2"; do
    every "$trace" "$(basename "$trace" .ptr.gz)"
  done
  if [ -d "$shared/traces/dvm" ]; then
    for trace in "$shared"/traces/dvm/*.ptr "$shared"/traces/dvm/*.ptr.gz "$shared/traces/dvm/heat2d_600_np2"; do
      every "$trace" "shared/$(basename "$trace" .ptr.gz)"
    done
  else
    skip $area/sums/shared "$shared is absent"
  fi
else
  skip $area/sums "sqlite3 is absent"
fi

# ---- an operation is counted once

for grid in 1 2 8; do
  "$program" run "$data/heat2d_600.ptr.gz" -n $grid -m example-cluster --json 2>stderr |
    sed -n 's/^ *"reduction_count": \([0-9]*\),/\1/p' | head -1
done >counts
[ "$(sort -u counts | wc -l)" = 1 ] && [ "$(head -1 counts)" -gt 0 ]
result $? $area/counted-once "$(cat counts stderr)"

# ---- text, CSV, XML

"$program" run "$data/sor2d_2000.ptr.gz" -n 4 -m example-cluster -v --per-processor --csv r.csv --xml r.xml >text 2>stderr
grep -q '^Pipeline *15 ' text && grep -q '^Pipeline, 3 *15 ' text && grep -q '^Total ' text
result $? $area/text "$(head -60 text; cat stderr)"
head -1 r.csv | grep -q ',pipeline_communication,pipeline_real_sync,pipeline_synchronization,pipeline_time_variation,pipeline_overlap,'
result $? $area/csv "$(head -1 r.csv)"
grep -q '<operation kind="pipeline" count="15"' r.xml
result $? $area/xml "$(grep '<operation' r.xml | head)"

# ---- waits of pipelines, portion by portion

"$program" run "$data/sor2d_2000.ptr.gz" -n 4 -m example-cluster --log log -q >text 2>stderr
grep -q 'of this .* s until processor 2 came with portion 1$' log
result $? $area/log/portion "$(grep portion log | head)"

tap_done

# writers: two processes write the same file at the same time: the same SQLite file gets the runs of
# both, a study has each point once, any other output is one of the two, whole.
# SPDX-License-Identifier: MIT
set -u
. tests/torture/common.sh
program=$build/predictor/predictor
n=0

# both COMMAND OTHER: at the same time; their statuses in $first and $second
both () {
  sh -c "$1" >out.1 2>err.1 &
  sh -c "$2" >out.2 2>err.2
  second=$?
  wait $!
  first=$?
  n=$((n + 1))
}

wrong () {
  found writers "$n-$1" "$2 (status $first and $second)" out.* err.* a.*
}

stored () {
  both "$program run in/ring.ti -m mvs1000 -q --db a.db" "$program run in/small.ptr -n 2 -m ideal -q --db a.db"
  runs=$(sqlite3 a.db 'SELECT count (*) FROM run' 2>&1)
  [ $first$second = 00 ] && [ "$runs" = 2 ] && [ -z "$(bad_file a.db)" ] || wrong db "$runs runs of 2"
}

studies () {
  sweep="$program sweep in/ring.ti -m mvs1000 --vary network/startup=1us:9us:lin20 -q -j 1 --db a.db"
  both "$sweep" "$sweep"
  $sweep >out 2>err
  points=$(sqlite3 a.db "SELECT count (*), (SELECT count (*) FROM result) FROM point WHERE status = 'done'" 2>&1)
  [ "$points" = "20|20" ] && [ -z "$(bad_file a.db)" ] || wrong study "points and results: $points"
}

outputs () {
  one="$program run in/ring.ti -m mvs1000 -q --xml a.xml --timeline a.prv"
  other="$program run in/ring.ti -m ideal -q --xml a.xml --timeline a.prv"
  for i in 1 2; do
    $([ $i = 1 ] && echo "$one" || echo "$other")
    mv a.xml whole.$i.xml && mv a.prv whole.$i.prv
  done
  both "$one" "$other"
  for form in xml prv; do
    cmp -s a.$form whole.1.$form || cmp -s a.$form whole.2.$form || wrong $form "a.$form is neither's"
  done
  [ $first$second = 00 ] || wrong status "one of two failed"
  [ -z "$(ls | grep '^a\.[a-z]*\.')" ] || wrong left "temporary files are left"
}

archives () {
  both "$program convert in/imbalance.txt a.otf2" "$program convert in/imbalance.txt a.otf2"
  $program check a.otf2 >out 2>err
  [ $? = 0 ] || wrong otf2 "$(tail -n 1 err out)"
  [ -z "$(ls -d a.otf2.* a.?????? 2>/dev/null)" ] || wrong otf2-left "temporary files are left"
}

caches () {
  both "$program run in/ring.ti -m mvs1000 --cache a.kept" "$program run in/ring.ti -m mvs1000 --cache a.kept"
  $program run in/ring.ti -m mvs1000 --cache a.kept >out 2>err
  cmp -s out out.1 && cmp -s out out.2 || wrong cache "the cache gives another result"
}

while time_is_left; do
  for what in stored studies outputs archives caches; do
    rm -rf "$scratch/writers" && mkdir "$scratch/writers" && cd "$scratch/writers" && ln -s ../in in || exit 1
    $what
  done
done
echo "| two processes at once | findings |
|---|---|
| $n pairs: \`run --db\`, \`sweep --db\`, outputs, archives, caches | $(count_found writers) |" >"$FOUND/tables/writers"
tried writers "$n pairs of processes"

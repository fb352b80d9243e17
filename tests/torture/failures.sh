# failures: each command that writes something is run with one call of the system failing
# (tests/torture/fail.c), the k-th of its kind for each k, and with files that cannot grow beyond
# some size. Where it ends with status 0, everything it writes is what it writes undisturbed; else
# each file is the previous one, untouched, or the new one, whole; nothing is left beside them.
# SPDX-License-Identifier: MIT
set -u
. tests/torture/common.sh
PATH=$build/predictor:$build/fit:$PATH

# Name, what is there before, command. Outputs are called a.*.
cases='run|runs|predictor run in/ring.ti -m mvs1000 --sensitivity -q -o a.text --xml a.xml --csv a.csv --html a.html --db a.db --log a.log --timeline a.json
dvm|runs|predictor run in/heat2d_600.ptr.gz -m mvs1000 -n 2 -q --xml a.xml --db a.db --timeline a.prv
stdout|files|predictor run in/ring.ti -m mvs1000 --per-processor -v
json|files|predictor run in/ring.ti -m mvs1000 --json
otf2|nothing|predictor run in/ring.ti -m mvs1000 -q --timeline a.otf2
zstd|files|predictor run in/heat.ptr.zst -m mvs1000 -n 2 -q --xml a.xml
compressed|files|predictor run in/imbalance.txt -m mvs1000 -q --timeline a.json.gz
cache|nothing|predictor run in/ring.ti -m mvs1000 -q --csv a.csv --cache a.kept
advise|files|predictor advise in/ring.ti -m mvs1000 -m gigabit-smp --csv a.csv --json
analyse|runs|predictor analyse in/imbalance.txt -q --html a.html --xml a.xml --db a.db -o a.text
compare|files|predictor compare in/imbalance.txt in/even.txt --csv a.csv -o a.text
text|files|predictor convert in/ring.otf2 a.pdt
goal|files|predictor convert in/ring.ti a.goal
binary|files|predictor convert in/ring.ti --to goal-binary a.bin
archive|nothing|predictor convert in/imbalance.txt a.otf2
report|files|predictor report in/runs.db --run 1 --html a.html -o a.text --no-plot
fit|files|predictor machine fit in/measure-transfer.csv in/measure-sendrecv.csv -o a.xml
import|files|predictor machine import --from dimemas in/dimemas.cfg -o a.xml
sweep|study|predictor sweep in/ring.ti -m mvs1000 --vary network/startup=1us:9us:lin4 -q -j 1 --db a.db
merge|files|predictor sweep -q --merge a.db in/shard.1.sqlite in/shard.2.sqlite
finish|nothing|cp -R in/hand a.hand && predictor record -q --finish a.hand -o a.recorded
info|files|predictor info in/heat2d_600.ptr.gz
check|files|predictor check in/ring.ti'


# before WHAT: what the outputs replace
before () {
  case $1 in
  nothing | study) return ;;
  esac
  for form in text xml csv html log json json.gz pdt goal bin prv pcf row; do
    echo "previous" >a.$form
  done
  if [ "$1" = runs ]; then cp "$scratch/previous.db" a.db; fi
}

# shape FILE: what is compared of it; times of archives and identifiers of their own do not count
shape () {
  case $1 in
  # who computed a point, and at which attempt, may differ
  *.db) sqlite3 "$1" .dump 2>&1 | grep -v '^INSERT INTO work ' ;;
  *.otf2) predictor convert --to text "$1" - 2>&1 ;;
  */*.evt | */*.def | *.def | a.kept/*) echo "a part" ;;
  *) cat "$1" ;;
  esac
}

files () {
  find . -path ./in -prune -o -type f ! -name 'std*' -print | sed 's!^\./!!' | LC_ALL=C sort
}

# shapes FOLDER: those of all files here
shapes () {
  mkdir -p "$1"
  files | while read -r file; do
    shape "$file" >"$1/$(echo "$file" | tr / %)"
  done
}

# here FOLDER CASE: into an empty one of that name, with what is there before
here () {
  rm -rf "$1" && mkdir "$1" && cd "$1" && ln -s "$scratch/in" in && before "$2" || exit 1
}

# run_case COMMAND: in the folder; with the variables that let calls fail
run_case () {
  TMPDIR=$scratch/failures.tmp timeout -k 5 60 sh -c "${1%%predictor *}${limit:+ulimit -f $limit; trap '' XFSZ; }exec env ${fail:+LD_PRELOAD=$scratch/fail.so TORTURE_FAIL=$fail} ${count:+LD_PRELOAD=$scratch/fail.so TORTURE_COUNT=$count} predictor ${1#*predictor }" \
    >stdout 2>stderr </dev/null
  status=$?
}

# Whether FILE, as it is, is what it was, or what it was to become.
is_old_or_new () {
  name=$(echo "$1" | tr / %)
  shape "$1" >"$scratch/shape"
  cmp -s "$scratch/shape" "$scratch/new/$name" || cmp -s "$scratch/shape" "$scratch/old/$name"
}

# Missing memory ends the program with one line of error, whoever asked for it.
verdict () {
  bad_status $status | grep -v '^status 14[0-9]'
  case $fail in
  memory:* | library:* | map:*) [ $status = "$expected" ] || [ "$(grep -c '^predictor' stderr)" = 1 ] || echo "status $status, and not one line of error" ;;
  esac
  if [ $status = $expected ]; then
    cmp -s stdout "$scratch/stdout.new" || echo "status $status, and not all of standard output"
    (cd "$scratch/new" && ls) | while read -r name; do
      file=$(echo "$name" | tr % /)
      # a cache is not needed
      case $file in a.kept/*) continue ;; esac
      [ -e "$file" ] || { echo "status $status, and no $file"; continue; }
      shape "$file" | cmp -s - "$scratch/new/$name" || echo "status $status, and $file is another"
    done
    return
  fi
  [ -s stderr ] || echo "status $status, and no word why"
  (cd "$scratch/old" && ls) | while read -r name; do
    [ -e "$(echo "$name" | tr % /)" ] || echo "$name is gone"
  done
  # with status 4 what there is has been written
  [ $status = 4 ] || files | while read -r file; do
    case $what$file in
    sweep*.db | cache*a.kept/* | finish*) continue ;;
    esac
    is_old_or_new "$file" || echo "$file is neither the previous one nor the new one, or left (status $status)"
  done
  [ -z "$(ls -A "$scratch/failures.tmp")" ] || echo "left in TMPDIR: $(ls "$scratch/failures.tmp")"
}

# after COMMAND: what has begun goes on, undisturbed
after () {
  fail= limit= count=
  case $what in
  sweep | cache | finish) ;;
  *) return ;;
  esac
  [ $status != 0 ] || return
  rm -rf a.recorded*
  run_case "$(echo "$1" | sed 's/^cp .* && //')"
  [ $status = "$expected" ] || [ "$what$status" = finish1 ] || echo "then, undisturbed, status $status: $(tail -n 1 stderr)"
  [ "$what" != sweep ] || [ "$(shape a.db | grep -c 'INSERT INTO result')" = "$(grep -c 'INSERT INTO result' "$scratch/new/a.db")" ] || echo "then, undisturbed, another study"
}

# attempt WHAT BEFORE COMMAND HOW: fails so, or limits files so
attempt () {
  what=$1 fail= limit= count=
  rm -rf "$scratch/failures.tmp" && mkdir "$scratch/failures.tmp"
  here "$scratch/failing" "$2"
  case $4 in
  size:*) limit=${4#size:} ;;
  *) fail=$4 ;;
  esac
  run_case "$3"
  disturbed=$status
  verdict >"$scratch/why"
  cp stderr "$scratch/stderr.then"
  after "$3" >>"$scratch/why"
  echo "$1	${4%%:*}	$disturbed	$(grep -c . "$scratch/why")" >>"$scratch/failed"
  [ -s "$scratch/why" ] || return
  echo "$3" >"$scratch/command"
  found failures "$1-$(echo "$4" | tr : -)" "$(head -n 1 "$scratch/why")" "$scratch/why" "$scratch/command" "$scratch/stderr.then"
}

# undisturbed WHAT BEFORE COMMAND: what there is before, what it writes, and how many calls it makes
undisturbed () {
  what=$1 fail= limit= count=
  rm -rf "$scratch/old" "$scratch/new" "$scratch/counts" "$scratch/failures.tmp" && mkdir "$scratch/failures.tmp"
  here "$scratch/whole" "$2"
  shapes "$scratch/old"
  run_case "$3"
  expected=$status
  shapes "$scratch/new"
  cp stdout "$scratch/stdout.new"
  here "$scratch/whole" "$2"
  count=$scratch/counts
  run_case "$3"
}

# The attempts of a case, of which there are too many, in an order that is drawn. Of a kind with more than
# 200 calls, SQLite's memory above all, each n-th is there, from another one on with each seed.
attempts () {
  {
    sort -k1,1 -k2,2nr "$scratch/counts" | awk -v seed="$SEED" '!seen[$1]++ {
      step = 1 + int(($2 - 1) / 200)
      for (k = 1 + seed % step; k <= $2; k += step) print $1 ":" k
    }'
    for size in 1 2 4 16 64 200; do echo "size:$size"; done
  } | awk -v seed="$SEED" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort | cut -f 2 >"$scratch/attempts"
}

(cd "$scratch" && predictor run in/small.ptr -n 2 -q --db previous.db
  for i in 1 2; do predictor sweep in/ring.ti --vary flops=1Gf,2Gf,3Gf,4Gf --shard $i/2 --db in/shard.$i.sqlite -q -j 1; done)
: >"$scratch/failed"
left=$(echo "$cases" | wc -l)
echo "$cases" | while IFS='|' read -r name what_is command; do
  case $command in *in/hand*) [ -d "$scratch/in/hand" ] || continue ;; esac
  # each case gets its share of what time is left
  now=$(date +%s)
  until=$((now + (deadline - now) / left))
  left=$((left - 1))
  undisturbed "$name" "$what_is" "$command"
  attempts
  while read -r how; do
    [ "$(date +%s)" -lt $until ] || break
    [ -z "${HOW:-}" ] || [ "$HOW" = "$how" ] || continue
    attempt "$name" "$what_is" "$command" "$how"
  done <"$scratch/attempts"
  echo "$name $(wc -l <"$scratch/attempts")" >>"$scratch/all-attempts"
done

awk -F '\t' '
  { n[$1]++; total++; kind[$2]++; by[$1, $2]++; bad[$1] += $4 > 0; told[$1] += $3 != 0 }
  END {
    n_calls = split("create open read write sync rename truncate map memory library size", call, " ")
    printf "| command | tried | of | status not 0"
    for (i = 1; i <= n_calls; i++) printf " | %s", call[i]
    printf " | findings |\n|---|---|---|---"; for (i = 1; i <= n_calls; i++) printf "|---"; print "|---|"
    while ((getline line <all) > 0) { split(line, w, " "); of[w[1]] = w[2] }
    for (k in n) {
      printf "| %s | %d | %d | %d", k, n[k], of[k], told[k] | "sort"
      for (i = 1; i <= n_calls; i++) printf " | %d", by[k, call[i]] | "sort"
      printf " | %d |\n", bad[k] | "sort"
    }
  }' all="$scratch/all-attempts" "$scratch/failed" >"$FOUND/tables/failures"
tried failures "$(wc -l <"$scratch/failed") of $(awk '{ n += $2 } END { print n + 0 }' "$scratch/all-attempts") failing calls and limits"

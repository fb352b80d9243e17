#!/bin/sh
# predictor analyse: a run that does not fit into memory is analysed through files, without being told
# to, and with the same results to the byte.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/analyse/memory
cd "$scratch" || exit 1

# four ranks: halo exchanges in which another one is late each time, tests that fail, intervals,
# reductions, and long computations, which need more than a word
awk 'BEGIN {
  print "predictor-trace 1\nranks 4"
  for (i = 0; i < 6; i++) printf "site %d: \"halo.c\" %d \"step\"\n", i, 10 + i
  for (rank = 0; rank < 4; rank++) {
    print "rank " rank " {"
    for (step = 0; step < 120000; step++) {
      late = (step * 7 + rank * 3) % 4
      if (step % 500 == 0) print "enter \"phase\""
      print "compute " (step % 4000 ? 10 + 3 * late : 20000 + late) "us"
      print "irecv " (rank + 3) % 4 " " 128 + step % 2 " tag=1 request=a took=1us site=0"
      print "isend " (rank + 1) % 4 " " 128 + step % 2 " tag=1 request=b took=1us site=1"
      print "waitall a b took=" 12 - 3 * late "us site=2"
      print "sendrecv " (rank + 1) % 4 " 64 tag=3 from=" (rank + 3) % 4 " from-tag=3 from-bytes=64 took=3us site=3"
      if (step % 4 == 0) print "allreduce 32 took=5us site=4"
      if (step % 500 == 499) print "leave \"phase\""
    }
    print "}"
  }
}' >run.txt
"$program" convert run.txt run.otf2 >stdout 2>stderr
result $? $area/archive "$(cat stderr)"

# results NAME [OPTION...]: in all forms, but for when and by which command
results () {
  name=$1
  shift
  "$program" analyse "$@" run.otf2 --full --xml $name.xml --csv $name.csv 2>$name.err | grep -v -e '^Date ' -e '^Command: ' >$name.full
  "$program" analyse "$@" run.otf2 --json 2>>$name.err | grep -v -e '"date"' -e '"command_line"' >$name.json
  "$program" check "$@" run.otf2 >$name.check 2>&1
  sed -e '/<date>/d' -e '/<command_line>/d' $name.xml >$name.text
}

# same_as_all NAME
same_as_all () {
  for form in full csv text check json; do
    cmp all.$form $1.$form >stdout 2>&1
    result $? $area/$1/$form "$(cat stdout $1.err)"
  done
}

results all
[ "$(grep -c . all.full)" -gt 40 ] && grep -q 'halo.c:12' all.full
result $? $area/analysed "$(head -n 5 all.err all.full)"
PREDICTOR_MEMORY=300kB results files
same_as_all files

# the least memory with which the run can be analysed is too little without files; threads need some
if PREDICTOR_MEMORY=10GB "$program" analyse run.otf2 --max-memory 33MiB >stdout 2>stderr; then
  skip $area/limit 'no limit where memory is checked by a sanitizer'
else
  size=34
  until "$program" analyse run.otf2 --max-memory ${size}MiB >stdout 2>stderr || [ $size -gt 300 ]; do
    size=$((size + 2))
  done
  ! PREDICTOR_MEMORY=10GB "$program" analyse run.otf2 --max-memory ${size}MiB >stdout 2>stderr \
    && grep -q "out of memory: the limit is $size MiB" stderr
  result $? $area/limit/needed "$(cat stderr)"
  results limited --max-memory ${size}MiB
  same_as_all limited
fi

tap_done

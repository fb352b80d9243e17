#!/bin/sh
# Files that commands write: what was finished is kept when a signal ends them, no temporary
# file is left behind, and a disk that is full or a file that may not grow is one error.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/files
mounted=
trap '[ -z "$mounted" ] || umount "$scratch/out"; rm -rf "$scratch"' EXIT
cp tests/data/heat2d_600.ptr.gz tests/data/ring.ti tests/data/imbalance.txt tests/data/Predictor.par tests/data/measure-*.csv "$scratch"
fit=$build/fit/predictor-fit
cd "$scratch" || exit 1
mkdir out tmp
export TMPDIR="$scratch/tmp"
heat="heat2d_600.ptr.gz -m example-cluster -n 4"

# left NAME: nothing is in out/ and tmp/
left () {
  [ -z "$(ls -A out tmp | grep -v -e '^$' -e '^out:$' -e '^tmp:$' -e '^fill$')" ]
  result $? "$area/$1" "$(ls -A out tmp)"
  rm -rf out/[!f]* out/.[!.]* tmp/* tmp/.[!.]*
}

# wait_for TEST...: until it is true, or $pid is gone
wait_for () {
  i=0
  while ! "$@" && kill -0 "$pid" 2>/dev/null && [ $i -lt 10000 ]; do sleep 0.01; i=$((i + 1)); done
}

# ---- what was finished before a signal is kept

many=$(seq -s, 2 200)
has_points () { [ "$(sqlite3 out/s.sqlite 'SELECT count (*) FROM point' 2>/dev/null || echo 0)" -ge 20 ]; }
for signal in INT TERM HUP; do
  rm -f stderr
  env --default-signal=INT,HUP "$program" run heat2d_600.ptr.gz -m example-cluster -n "$many" -vv --log-records 1 --log out/log --xml out/xml >stdout 2>stderr &
  pid=$!
  wait_for [ -s stderr ]
  kill -$signal $pid
  wait $pid
  status=$?
  xmllint --noout out/xml && [ $status = 130 ] && grep -q '<run' out/xml && grep -q 'interrupted$' stderr
  result $? $area/run/$signal "status $status: $(tail -n 1 stderr) $(ls -A out)"
  rm -f out/xml out/log
  left run/$signal/left

  env --default-signal=INT,HUP "$program" sweep heat2d_600.ptr.gz -m example-cluster -n 1:16:x2 --vary network/startup=1us:100us:log2000 --db out/s.sqlite -j 2 >stdout 2>stderr &
  pid=$!
  wait_for has_points
  kill -$signal $pid
  wait $pid
  status=$?
  cp out/s.sqlite alone.sqlite
  said=$(sed -n 's/^.*: \([0-9]*\) of 10000 points.*/\1/p' stdout)
  [ $status = 130 ] && [ "$said" -ge 20 ] && [ "$(sqlite3 alone.sqlite 'SELECT count (*) FROM point')" = "$said" ] && [ ! -s stderr ]
  result $? $area/sweep/$signal "status $status: $(cat stdout stderr)"
  rm -f out/s.sqlite alone.sqlite
  left sweep/$signal/left

  # until it has been long enough for a grid
  for delay in 0.2 1 5 20 60; do
    env --default-signal=INT,HUP "$program" advise heat2d_600.ptr.gz -m example-cluster --max-procs 2000 -j 1 -o out/text >stdout 2>stderr &
    pid=$!
    sleep $delay
    kill -$signal $pid
    wait $pid
    status=$?
    [ ! -s out/text ] || break
  done
  [ $status = 130 ] && [ -s out/text ]
  result $? $area/advise/$signal "status $status: $(cat stderr)"
  rm -f out/text
  left advise/$signal/left
done

# where it is to be ignored, it is
rm -f stderr
nohup "$program" run heat2d_600.ptr.gz -m example-cluster -n "$many" -q -vv --log-records 1 --log out/log >stdout 2>stderr &
pid=$!
wait_for [ -s stderr ]
kill -HUP $pid
sleep 0.1
kill -0 $pid
result $? $area/run/nohup "$(tail -n 1 stderr)"
kill -TERM $pid
wait $pid
rm -f out/log
left run/nohup/left

# all processes of a sweep at once
setsid "$program" sweep heat2d_600.ptr.gz -m example-cluster -n 1:16:x2 --vary network/startup=1us:100us:log2000 --db out/s.sqlite -j 2 >stdout 2>stderr &
pid=$!
wait_for has_points
kill -s TERM -- "-$pid"
wait $pid
status=$?
[ $status = 130 ] && grep -q 'of 10000 points' stdout
result $? $area/sweep/group "status $status: $(cat stdout stderr)"

# somebody who reads keeps a part of the results in the log, and the message says so
rm -f out/s.sqlite
"$program" sweep heat2d_600.ptr.gz -m example-cluster -n 1:16:x2 --vary network/startup=1us:100us:log2000 --db out/s.sqlite -j 2 >stdout 2>stderr &
pid=$!
wait_for has_points
mkfifo ask
sqlite3 out/s.sqlite <ask >answer &
reader=$!
exec 4>ask
echo 'BEGIN; SELECT count (*) FROM point;' >&4
wait_for [ -s answer ]
before=$(cat answer)
grows () { [ "$(sqlite3 out/s.sqlite 'SELECT count (*) FROM point')" -gt $((before + 20)) ]; }
wait_for grows
kill -TERM $pid
wait $pid
grep -q '^a part of it is in out/s.sqlite-wal, which belongs to the file$' stdout && [ -s out/s.sqlite-wal ]
result $? $area/sweep/reader "$before read: $(cat stdout stderr; ls -l out)"
exec 4>&-
wait $reader
rm -f out/s.sqlite*
left sweep/reader/left

# ---- pictures: temporary files while gnuplot runs

cat >gnuplot <<'END'
#!/bin/sh
cat "$1" >script
ls -A out >names
echo started >started
exec sleep 60
END
chmod 755 gnuplot
"$program" run ring.ti -m example-cluster -q --db results.sqlite
for row in INT:130 TERM:143 HUP:129 QUIT:131 PIPE:141 XCPU:152; do
  signal=${row%:*}
  rm -f started
  PREDICTOR_GNUPLOT=./gnuplot env --default-signal=INT,QUIT,HUP "$program" machine fit measure-transfer.csv --name x -o out/x.xml --plot out/x.png >stdout 2>stderr &
  pid=$!
  wait_for [ -e started ]
  ps -o pid= --ppid $pid >children
  kill -$signal $pid
  wait $pid
  status=$?
  [ -e started ] && [ $status = "${row#*:}" ]
  result $? $area/picture/$signal "status $status: $(cat stderr)"
  rm -f out/x.xml
  left picture/$signal/left
  i=0
  while kill -0 $(cat children) 2>/dev/null && [ $i -lt 10000 ]; do sleep 0.02; i=$((i + 1)); done
  [ $i -lt 10000 ]
  result $? $area/picture/$signal/gnuplot "$(cat children)"
done
grep -q '^x\.png\.[A-Za-z0-9]\{6\}$' names && ! grep -q 'set output' script
result $? $area/picture/name "$(cat names script)"

# ---- files that may not grow, and full disks

awk 'BEGIN { for (i = 0; i < 3000; i++) print "0 compute " 1000 + i; for (i = 0; i < 3000; i++) { print "0 send 1 0 " i + 1; print "1 recv 0 0 " i + 1 } }' >long.ti
cat >outputs <<END
run-text | run $heat -o out/x
run-xml | run $heat -q --xml out/x
run-csv | run $heat -q --csv out/x
run-html | run $heat -q --html out/x
run-db | run $heat -q --db out/x
run-log | run $heat -q --log out/x
run-json-timeline | run $heat -q --timeline out/x.json
run-gz-timeline | run $heat -q --timeline out/x.json.gz
run-paraver | run $heat -q --timeline out/x.prv
run-otf2 | run $heat -q --timeline out/x.otf2
advise-csv | advise heat2d_600.ptr.gz -m example-cluster --max-procs 4 -q --csv out/x
advise-text | advise heat2d_600.ptr.gz -m example-cluster --max-procs 4 -o out/x
analyse-html | analyse imbalance.txt -q --html out/x
compare-csv | compare results.sqlite results.sqlite -q --csv out/x
compare-text | compare results.sqlite results.sqlite -o out/x
report-html | report results.sqlite --html out/x
sweep | sweep $heat --vary network/startup=1us:9us:lin9 -q --db out/x
sweep-merge | sweep --merge out/x study.sqlite
convert-text | convert long.ti out/x.txt --to text
convert-ti | convert imbalance.txt out/x.ti
convert-goal | convert long.ti out/x.goal
convert-goal-binary | convert long.ti out/x.bin
convert-otf2 | convert long.ti out/x.otf2
machine-import | machine import Predictor.par -o out/x
machine-fit | machine fit measure-transfer.csv --name x -o out/x
END
"$program" sweep $heat --vary network/startup=1us:9us:lin9 -q --db study.sqlite

# cannot NAME WORDS...: one line of error, status 1, and nothing is left. That line goes
# through a pipe, for it could not be written to a file either.
cannot () {
  cannot_name=$1
  shift
  {
    (${limit:-true}; "$@")
    echo $? >&3
  } 2>&1 3>status | cat >printed
  status=$(cat status)
  grep -q -e 'No space left' -e 'too large' -e 'disk is full' -e 'disk I/O error' -e 'cannot be written' -e 'a part of the picture is missing' printed && [ "$status" = 1 ] && [ "$(grep -c '^predictor' printed)" = 1 ]
  result $? "$area/$cannot_name" "status $status: $(head -c 1000 printed)"
  left "$cannot_name/left"
}

# what a folder of parsed traces cannot take is no error
uncached () {
  (${limit:-true}; "$program" run long.ti -m example-cluster --cache out --json) 2>&1 | cat >printed
  grep execution_time printed | cmp -s - with && grep -q cache-unwritten printed
  result $? "$area/$1/cache" "$(cat printed; ls -l out)"
  left "$1/cache/left"
}
"$program" run long.ti -m example-cluster --json | grep execution_time >with

may_not_grow () { ulimit -f 0; }
each () {
  while read -r name bar words; do
    cannot "$1/$name" "$program" $words
  done <outputs
  uncached "$1"
  if [ -x "$fit" ]; then cannot "$1/predictor-fit" "$fit" measure-transfer.csv --name x -o out/x; fi
}
limit=may_not_grow
each grow
limit=
if mount -t tmpfs -o size=64k tmpfs out 2>/dev/null; then
  mounted=yes
  cat /dev/zero >out/fill 2>/dev/null
  each full
  # room for a part of it only, of which gnuplot says nothing
  for form in png svg; do
    truncate -s 61440 out/fill
    if command -v gnuplot >/dev/null; then
      cannot full/picture-$form "$program" machine fit measure-transfer.csv --name x -o x.xml --plot out/x.$form
    else
      skip $area/full/picture-$form "there is no gnuplot"
    fi
  done
  # what was there stays
  rm out/fill
  echo old >out/x
  cat /dev/zero >out/fill 2>/dev/null
  "$program" run $heat -q --xml out/x 2>stderr
  [ $? = 1 ] && [ "$(cat out/x)" = old ]
  result $? $area/full/kept "$(cat stderr; ls -l out)"
  rm -f out/fill out/x
else
  skip $area/full "no file system can be mounted here"
fi
if [ -c /dev/full ]; then
  # a link, for what would replace a device instead of writing to it
  while read -r name words; do
    ln -sf /dev/full device
    cannot "device/$name" sh -c '"$0" "$@" >/dev/full' "$program" $words
    [ -L device ]
    result $? "$area/device/$name/kept"
  done <<END
run-text run $heat
run-json run $heat --json
run-log run $heat -q --log device
run-csv run $heat -q --csv device
machine-import machine import Predictor.par
machine-import-file machine import Predictor.par -o device
machine-fit-file machine fit measure-transfer.csv --name x -o device
report report results.sqlite
convert convert long.ti device --to text
END
  [ ! -x "$fit" ] || cannot device/predictor-fit sh -c '"$0" "$@" >/dev/full' "$fit" measure-transfer.csv --name x
else
  skip $area/device "/dev/full is absent"
fi
tap_done

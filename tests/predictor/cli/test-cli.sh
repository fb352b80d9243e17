#!/bin/sh
# predictor run from outside: bad input, incomplete traces, the same bytes,
# every recorded trace, and the time of one processor against a sum by awk.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
data=$PWD/tests/data
heat=$PWD/tests/data/heat2d_600.ptr.gz
cluster=$PWD/machines/example-cluster.xml
zcat "$heat" >"$scratch/heat.ptr"
cd "$scratch" || exit 1

# ---- bad input

: >empty.ptr
head -c 20000 /bin/sh >binary.ptr
sed '1,/^ret_dvm_Init/d' heat.ptr >headless.ptr
sed 's/\(PatternRef=\)[0-9a-f]* (AMView)/\1777 (AMView)/' heat.ptr >no-view.ptr
sed 's/^LoopRefPtr=\([^;]*\); LoopRef=[0-9a-f]*/LoopRefPtr=\1; LoopRef=777/' heat.ptr >no-loop.ptr
sed '0,/^RedGroupRef=[0-9a-f]*; *$/s//RedGroupRef=777;/' heat.ptr >no-group.ptr
printf 'this is a letter\nabout something else\n' >letter.ptr
head -c 60000 heat.ptr >cut.ptr
gzip -c heat.ptr | head -c 5000 >cut.ptr.gz
echo '<machine name="x"' >malformed.xml
sed 's/<software/<softwear/' "$cluster" >element.xml
sed 's/startup="1.5us"/startup="-1us"/' "$cluster" >negative.xml
sed 's/startup="1.5us"/startup="1.5furlong"/' "$cluster" >unit.xml
sed 's/type="myrinet"/type="telepathy"/' "$cluster" >type.xml

printf 'heat2d.fdv:4 weights dim 1 = 1 -1\n' >negative.blocks
printf 'heat2d.fdv:4 sizes dim 1 = 300 299\n' >sum.blocks
printf 'heat2d.fdv:4 sizes dim 1 = 300 300' >cut.blocks

outputs="text.txt run.xml run.csv run.html run.sqlite"
to_files="-o text.txt --xml run.xml --csv run.csv --html run.html --db run.sqlite"

# What one run left in its folder, by name and content.
contents () {
  for f in $outputs; do
    [ ! -e "$f" ] || cksum "$f"
  done
  ls -A
}

# one_run STATUS WORD ARGUMENTS...: says what is wrong with the outcome.
one_run () {
  expected=$1 word=$2
  shift 2
  before=$(contents)
  "$program" "$@" >../stdout 2>../stderr </dev/null
  status=$?
  hints=$(grep -c "^Try 'predictor .*--help'\.$" ../stderr)
  lines=$(($(grep -c '' ../stderr) - hints))
  [ "$status" = "$expected" ] || echo "status $status, not $expected"
  [ "$lines" = 1 ] || echo "$lines lines of error, not 1: $(cat ../stderr)"
  [ "$hints" = $((expected == 2)) ] || echo "$hints usage hints: $(cat ../stderr)"
  head -n 1 ../stderr | grep -q '^predictor' || echo "no 'predictor': $(cat ../stderr)"
  grep -qF -e "$word" ../stderr || echo "does not say '$word': $(cat ../stderr)"
  [ ! -s ../stdout ] || echo "printed on standard output: $(head -n 3 ../stdout)"
  [ "$before" = "$(contents)" ] || echo "files were touched: $(contents)"
}

# bad NAME STATUS WORD ARGUMENTS...: fails with STATUS and one line that
# contains WORD, whether the output files exist already or not.
bad () {
  name=$1
  shift
  rm -rf fresh used
  mkdir fresh used
  for f in $outputs; do echo precious >"used/$f"; done
  # a result file of our own, which a failing run must not grow either
  rm used/run.sqlite
  cp good.sqlite used/run.sqlite
  wrong=$(
    (cd fresh && one_run "$@")
    (cd used && one_run "$@")
  )
  [ -z "$wrong" ]
  result $? "/cli/bad/$name" "$wrong"
}

"$program" run heat.ptr -q --db good.sqlite || exit 1

# bad_run NAME STATUS WORD ARGUMENTS...: the same for "run" with all outputs.
bad_run () {
  name=$1 status_=$2 word_=$3
  shift 3
  bad "$name" "$status_" "$word_" run "$@" $to_files
}

bad_run missing-file 1 absent.ptr ../absent.ptr
bad_run empty-file 1 empty.ptr ../empty.ptr
bad_run binary 1 binary.ptr ../binary.ptr
bad_run letter 1 letter.ptr ../letter.ptr
bad_run folder 1 fresh ../fresh
bad_run no-header 1 headless.ptr ../headless.ptr
bad_run no-such-view 1 777 ../no-view.ptr -n 4
bad_run no-such-loop 1 777 ../no-loop.ptr -n 4
bad_run no-such-group 1 heat2d.fdv:19 ../no-group.ptr -n 4
bad_run strict-incomplete 1 cut.ptr ../cut.ptr --strict
bad_run machine-missing 1 absent.xml ../heat.ptr -m absent.xml
bad_run machine-too-small 1 1024 ../heat.ptr -m "$cluster" -n 2,1025
bad_run machine-malformed 1 malformed.xml:2 ../heat.ptr -m ../malformed.xml
bad_run machine-element 1 softwear ../heat.ptr -m ../element.xml
bad_run machine-negative-time 1 startup ../heat.ptr -m ../negative.xml
bad_run machine-unit 1 furlong ../heat.ptr -m ../unit.xml
bad_run machine-network 1 telepathy ../heat.ptr -m ../type.xml
bad_run machine-inline 1 speed ../heat.ptr -m ethernet:speed=fast
bad_run machine-is-a-trace 1 heat.ptr ../heat.ptr -m ../heat.ptr
bad_run setting-path 1 no/such ../heat.ptr -m "$cluster" --set no/such=1
bad_run setting-value 1 blue ../heat.ptr -m "$cluster" --set network/startup=blue
bad_run map 1 zigzag ../heat.ptr -m "$cluster" --map zigzag
bad_run map-too-short 1 0,1 ../heat.ptr -m "$cluster" --map 0,1 -n 4
bad_run blocks-missing 1 absent.blocks ../heat.ptr --blocks ../absent.blocks
bad_run blocks-value 1 negative.blocks:1 ../heat.ptr --blocks ../negative.blocks
bad_run blocks-cut 1 cut.blocks:1 ../heat.ptr --blocks ../cut.blocks
bad_run blocks-sum 1 sum.blocks:1 ../heat.ptr --blocks ../sum.blocks -n 2
bad_run unknown-option 2 --frobnicate ../heat.ptr --frobnicate
bad_run option-argument 2 later ../heat.ptr --startup later
bad_run rts-key 2 Msk4 ../heat.ptr --rts Msk4=3
bad_run rts-value 2 Msk3 ../heat.ptr --rts Msk3=0 --rts Msk3=2
bad_run rts-syntax 2 KEY=VALUE ../heat.ptr --rts Msk3
bad_run seed 2 -1 ../heat.ptr --seed -1
bad_run noise-file 1 absent.txt ../heat.ptr -m ideal --set noise/kind=trace --set noise/file=absent.txt
bad_run noise-size 1 noise/sigma=0.1 ../heat.ptr -m ideal --set noise/sigma=0.1 --set noise/kind=recorded
bad_run noise-size-inline 1 noise-sigma ../heat.ptr -m ideal:noise=recorded,noise-sigma=0.1
bad_run cpu-ratio 2 fast ../heat.ptr --cpu-ratio fast
bad_run cpu-ratio-place 1 heat2d.fdv:19 ../heat.ptr --cpu-ratio heat2d.fdv:18=2
bad_run log-processors 2 7-3 ../heat.ptr --log log.txt --log-procs 7-3
bad_run log-records 2 many ../heat.ptr --log log.txt --log-records many
bad_run log-nowhere 2 --log-procs ../heat.ptr --log-procs 1
bad_run log-unwritable 1 /no/such ../heat.ptr --log /no/such/log.txt
bad_run log-of-bad-trace 1 777 ../no-view.ptr -n 4 --log log.txt
bad_run no-trace 2 trace
for item in '' 0 -1 x 2x 2xx2 1.5 4,,8 1:4 1:8:x1 1:8:+0 8:1:x2 all:0 all: 99999999999999999999 2x2x2x2x2; do
  bad_run "processors/${item:-nothing}" 2 "'" ../heat.ptr -n "$item"
done
bad_run log-over-report 2 twice ../heat.ptr --log run.csv
bad written-twice 2 twice run ../heat.ptr --xml same -o same
bad written-twice-by-link 2 twice run ../heat.ptr --xml ../good.sqlite --db ../good.sqlite
bad over-the-trace 2 heat.ptr run ../heat.ptr -o ../heat.ptr
bad over-the-machine 2 cluster run ../heat.ptr -m "$cluster" -q --xml "$cluster"
bad over-the-blocks 2 cut.blocks run ../heat.ptr --blocks ../cut.blocks -q --csv ../cut.blocks
bad advise-over-the-trace 2 heat.ptr advise ../heat.ptr --csv ../heat.ptr
bad advise-written-twice 2 twice advise ../heat.ptr --csv same -o same
bad unknown-command 2 frobnicate frobnicate
bad flag-with-value 2 "takes no value" run ../heat.ptr --json=file
bad unwritable 1 /no/such run ../heat.ptr --xml /no/such/file.xml -q
bad db-is-text 1 letter.ptr run ../heat.ptr -q --db ../letter.ptr
rm -f stranger.sqlite
sqlite3 stranger.sqlite 'PRAGMA application_id = 42; CREATE TABLE t (x)'
bad db-of-another 1 stranger.sqlite run ../heat.ptr -q --db ../stranger.sqlite
# a pipe that nobody writes to would be waited for
mkfifo pipe.sqlite
bad db-is-pipe 1 "pipe.sqlite': expected a regular file" run ../heat.ptr -q --db ../pipe.sqlite
bad report-of-pipe 1 "pipe.sqlite': expected a regular file" report ../pipe.sqlite
bad db-is-device 1 "'/dev/null': expected a regular file" run ../heat.ptr -q --db /dev/null
bad db-is-folder 1 'expected a regular file' run ../heat.ptr -q --db ..

# a grid that the program's distributions do not fit on: rank 3 needed, 2 there
sed 's/PSRank=4; *PSSize= 1 1 1 1/PSRank=1;      PSSize= 1/' heat.ptr >rank1.ptr
bad_run rank 1 heat2d.fdv:4 ../rank1.ptr -n 4
"$program" run rank1.ptr -n 2x2 -q 2>stderr
result $? /cli/rank/fits "$(cat stderr)"

# ---- standard output that cannot be written

# unheard NAME ARGUMENTS...: status 1 and one line, whatever was to be printed.
unheard () {
  name=$1
  shift
  "$program" "$@" 2>stderr >&-
  status=$?
  [ "$status" = 1 ] && [ "$(grep -c '' stderr)" = 1 ] && grep -q 'standard ' stderr
  result $? "/cli/closed/$name" "status $status: $(cat stderr)"
  if [ -c /dev/full ]; then
    "$program" "$@" 2>stderr >/dev/full
    status=$?
    [ "$status" = 1 ] && [ "$(grep -c '' stderr)" = 1 ] && grep -q 'standard ' stderr
    result $? "/cli/full/$name" "status $status: $(cat stderr)"
  else
    skip "/cli/full/$name" "/dev/full is absent"
  fi
}

unheard help --help
unheard version --version
unheard run-help run --help
unheard run run heat.ptr
unheard run-json run heat.ptr --json
unheard run-log run heat.ptr -q --log -
unheard advise advise heat.ptr -n 1,2
unheard info info "$data/sor2d_2000.ptr.gz"
unheard check check "$data/ring.ti"
unheard machine-list machine list
unheard machine-show machine show "$cluster"
unheard report report good.sqlite

# nothing to say is nothing lost; no file takes the place of the closed stream
"$program" run heat.ptr -q --xml quiet.xml >&- 2>stderr && [ ! -s stderr ] && [ -s quiet.xml ]
result $? /cli/closed/quiet "$(cat stderr)"
"$program" run heat.ptr -n 2 -q --log apart.txt && cp apart.txt apart.expected
"$program" run heat.ptr -n 2 --log apart.txt >&- 2>stderr
[ $? = 1 ] && cmp -s apart.txt apart.expected
result $? /cli/closed/log "$(cat stderr)"

# what is no file may be written twice
"$program" run heat.ptr --xml /dev/null --csv /dev/null -o - >stdout 2>stderr && [ -s stdout ] && [ ! -s stderr ]
result $? /cli/not-a-file "$(cat stderr)"

# ---- incomplete traces

for t in cut.ptr cut.ptr.gz; do
  "$program" run "$t" -n 4 -o cut.txt 2>stderr
  [ $? = 4 ] && grep -q '^Execution_time ' cut.txt && [ "$(grep -c 'ends early' stderr)" = 1 ]
  result $? "/cli/incomplete/$t" "$(cat stderr)"
  "$program" run "$t" -n 4 -q >stdout 2>stderr
  [ $? = 4 ] && [ ! -s stdout ] && [ "$(grep -c '' stderr)" = 1 ]
  result $? "/cli/incomplete/quiet-$t" "$(cat stderr)"
done

# ---- the protocol

"$program" run heat.ptr -m "$cluster" -n 2x2,4 -q --log log.txt
[ "$(grep -c '^# heat.ptr on the grid ' log.txt)" = 2 ] && [ "$(ls -A | grep -c '^log.txt')" = 1 ]
result $? /cli/log/grids
"$program" run heat.ptr -m "$cluster" -n 2 -q --log - --log-procs 9 >stdout
[ "$(grep -c '^[^#]' stdout)" = 0 ] && grep -q '^# none of the processors' stdout
result $? /cli/log/nobody "$(head -n 4 stdout)"
"$program" run heat.ptr -m "$cluster" -n 2x2,4 -q --log - --one-step | cmp -s - log.txt
result $? /cli/log/one-step
"$program" run heat.ptr -m "$cluster" -n 2x2,4 -vv >twice.txt 2>twice.log
cmp -s twice.log log.txt && "$program" run heat.ptr -m "$cluster" -n 2x2,4 -v | sed 's/^Command.*//' >once.txt &&
  sed 's/^Command.*//' twice.txt | cmp -s - once.txt
result $? /cli/log/verbose
"$program" run heat.ptr -m "$cluster" -n 4x4 --json --seed 7 >plain.json
"$program" run heat.ptr -m "$cluster" -n 4x4 --json --seed 7 --log log.txt >logged.json
sed 's/"command_line": .*//' plain.json >a && sed 's/"command_line": .*//' logged.json | cmp -s - a
result $? /cli/log/same-result

# a simulation that cannot go on leaves its protocol: clocks beyond 106 days
"$program" run heat.ptr -m ideal --set network/nodes/speed=1e-9 -n 2,4 --log late.txt >stdout 2>stderr
[ $? = 1 ] && [ ! -s stdout ] && grep -q '106 days' stderr && [ "$(grep -c '^#' late.txt)" = 2 ] &&
  [ "$(grep -c 'iterations' late.txt)" -gt 0 ]
result $? /cli/log/cannot-go-on "$(cat stderr)"

# ---- standard input, and an interruption between two grids

"$program" run - -n 4 --json <"$heat" >stdin.json 2>stderr
[ $? = 0 ] && [ "$(grep '"execution_time"' stdin.json | head -n 1)" = \
  "$("$program" run heat.ptr -n 4 --json | grep '"execution_time"' | head -n 1)" ]
result $? /cli/standard-input "$(cat stderr)"

timeout -s INT --preserve-status 2 "$program" run heat.ptr -m ideal -n 4,512x512 -q --xml part.xml 2>stderr
[ $? = 130 ] && [ "$(grep -c '<run ' part.xml)" = 1 ] && [ "$(grep -c '' stderr)" = 1 ]
result $? /cli/interrupted "$(cat stderr)"

# ---- the same bytes

for form in text json xml csv html db; do
  for i in 1 2; do
    rm -f out
    case $form in
    text) "$program" run "$heat" -m "$cluster" -n 1,4x4 -v >"$form.$i" ;;
    json) "$program" run "$heat" -m "$cluster" -n 1,4x4 --per-processor --json >"$form.$i" ;;
    *) "$program" run "$heat" -m "$cluster" -n 1,4x4 --per-processor -q "--$form" out && mv out "$form.$i" ;;
    esac
  done
  cmp "$form.1" "$form.2" >different 2>&1 && [ -s "$form.1" ]
  result $? "/cli/same-bytes/$form" "$(cat different)"
done

for n in 1 4 4x2 3x5 8x8; do
  for flag in "" --one-step; do
    "$program" run "$heat" -m "$cluster" -n $n --per-processor --json $flag | grep -v '"command_line"' >"step$flag"
  done
  cmp step step--one-step >different 2>&1 && [ -s step ]
  result $? "/cli/one-step/$n" "$(cat different)"
done

"$program" run "$heat" -m "$cluster" -n 1,2,4x2,all:6 >table
[ "$(sed "/^Speed-up/q" table | grep -c '^ *[0-9][0-9]* ')" = 7 ] && grep -q '^ *8 *4x2 ' table \
  && grep -q '^ *6 *2x3 ' table && grep -q '^ *6 *1x6 ' table
result $? /cli/table "$(cat table)"

# ---- recorded times that stand out

# What the report says of the change is the change, on one processor to the rounding of what it
# says, for the commands that share the option.
time_with () {
  "$program" run "$data/heat2d_600.ptr.gz" --outliers "$1" --check --json 2>stderr |
    sed -n 's/^   "execution_time": \(.*\),$/\1/p'
}
keep=$(time_with keep)
for how in median clip; do
  time=$(time_with $how)
  said=$("$program" run "$data/heat2d_600.ptr.gz" --outliers $how |
    awk '/\[outlier\]/ { for (i = 2; i <= NF; i++) if ($i == "less") sum += $(i - 2) } END { print sum }')
  awk -v keep="$keep" -v time="$time" -v said="$said" \
    'BEGIN { off = keep - time - said; exit !(said > 0 && off < 2e-6 && off > -2e-6) }'
  result $? "/cli/outliers/$how" "$keep s, then $time s, said $said s"
  "$program" advise "$data/heat2d_600.ptr.gz" -n 1 --outliers $how --csv advice.csv -q &&
    "$program" sweep "$data/heat2d_600.ptr.gz" -n 1 --outliers $how --db outliers-$how.sqlite -q &&
    "$program" report outliers-$how.sqlite --csv --no-plot >points.csv
  grep -q ",$time," advice.csv && grep -q ",$(echo "$time" | sed "s/0*$//")," points.csv
  result $? "/cli/outliers/$how-elsewhere" "$time s: $(cat advice.csv) $(cat points.csv)"
done
bad recorder-cost-machine 2 "expected keep, drop, or a machine" run ../heat2d.ptr --recorder-cost absent
bad recorder-cost-of-messages 2 '--recorder-cost means nothing' run "$data/ring.ti" --recorder-cost keep
bad scaling-of-messages 2 '--scaling-traces means nothing' run "$data/ring.ti" --scaling-traces a.ptr
bad calibrate-none 2 'expected at least one TRACE' machine calibrate-recorder
bad calibrate-absent 1 'absent.ptr' machine calibrate-recorder absent.ptr
gzip -dc "$data/heat2d_600.ptr.gz" | head -c 20000 >"$scratch/cut-short.ptr"
bad calibrate-cut 1 'the trace ends early (trace-incomplete); expected a whole trace' machine calibrate-recorder "$scratch/cut-short.ptr"
bad calibrate-other 1 'expected traces of calibration programs' machine calibrate-recorder "$data/heat2d_600.ptr.gz"
bad scaling-cut 1 'the trace ends early (trace-incomplete); expected a whole trace, for --scaling-traces' run "$data/heat2d_600.ptr.gz" -n 2 --scaling-traces "$scratch/cut-short.ptr"
bad clamped-word 2 "'drop': expected decode or keep" run ../heat.ptr --clamped drop
bad clamped-of-messages 2 '--clamped means nothing' run "$data/ring.ti" --clamped keep
bad outliers-word 2 "'mean': expected keep, median or clip" run ../heat.ptr --outliers mean
bad outliers-of-messages 2 '--outliers means nothing' run "$data/ring.ti" --outliers keep

# ---- every recorded trace

# The sum of TIMEs from behind ret_dvm_Init to Event_dvm_exit without the first
# one, in picoseconds; the trace on stdin. Before it, the same of decoded times, as docs/models.md
# says, if at most one of 200 records does not fit.
sum_of_times () {
  tr -d '\r' | awk '
    function ps (t,   parts) { split (t, parts, "."); return parts[1] * 1e12 + substr (parts[2] "000000000000", 1, 12) }
    function fits (x) { x = x / q; x -= int(x + (x < 0 ? -0.5 : 0.5)); return x * q <= 5001 && -x * q <= 5001 }
    function decode (x,   s) {
      if (x == 1e6) { clamped++; return 0 }
      for (s = clamped % 2; s <= clamped && s < 36; s += 2)
        if (fits(x - s * 1e6)) { clamped = 0; fitting++; return x - s * 1e6 }
      clamped = 0; unfit++; return x
    }
    BEGIN { q = 1e12 / 2 ^ 22 }
    !/^(call_|ret_|Event_|DVM_)[A-Za-z_0-9]+ +TIME=/ { next }
    { split ($0, f, "TIME="); split (f[2], g, " "); time = ps(g[1]); short = decode(time) + debt
      debt = short < 0 ? short : 0; short = short < 0 ? 0 : short }
    inside && !ended { n++; if (n > 1) { sum += time; decoded += short } }
    $1 == "ret_dvm_Init" { inside = 1 }
    $1 == "Event_dvm_exit" { ended = 1 }
    END { known = (fitting > 15 && unfit * 200 <= fitting); printf "%.0f %.0f\n", known ? decoded : sum, sum }'
}

# time_of JSON: the execution time in picoseconds
time_of () {
  sed -n 's/^   "execution_time": \([0-9]*\)\.\([0-9]\{12\}\),$/\1\2/p' "$1" | sed 's/^0*//'
}

one_processor () {
  name=$1 trace=$2
  gzip -cdf "$trace" | sum_of_times >expected
  "$program" run "$trace" --json >json 2>stderr
  "$program" run "$trace" --clamped keep --json >kept 2>>stderr
  efficiency=$(sed -n 's/^   "efficiency": \(.*\),$/\1/p' json)
  times="$(time_of json) $(time_of kept)"
  [ "$times" = "$(cat expected)" ] && [ "$efficiency" = 1 ]
  result $? "/cli/one-processor/$name" "$times ps, sums of TIMEs $(cat expected) ps, efficiency $efficiency $(cat stderr)"
}

every_grid () {
  name=$1 trace=$2
  for n in 1 2 4 16 2x2 4x4 8x8 2x2x2; do
    case $name/$n in
    *_userps4*/4) expected=0 ;;
    *_userps4*) expected=1 ;;
    *) expected=0 ;;
    esac
    "$program" run "$trace" -m "$cluster" -n $n --check -q >stdout 2>stderr
    status=$?
    [ $status = $expected ] && [ ! -s stdout ] && [ "$(grep -c '' stderr)" = $expected ]
    result $? "/cli/trace/$name/$n" "status $status: $(cat stderr)"
  done
}

for t in "$data"/*.ptr.gz "$data/small.ptr"; do
  case $t in
  *_userps4*) ;; # not for one processor
  *) one_processor "$(basename "$t")" "$t" ;;
  esac
done
if [ -d "$shared/traces/dvm" ]; then
  for t in "$shared"/traces/dvm/*.ptr*; do
    case $t in
    *_userps4*) ;;
    *) one_processor "shared/$(basename "$t")" "$t" ;;
    esac
    every_grid "$(basename "$t")" "$t"
  done
else
  skip /cli/trace "../shared is absent"
fi

tap_done

#!/bin/sh
# Names from traces, files and the command line, as people see them; numbers and options as they
# are written; traces that are named by their folder.
# SPDX-License-Identifier: MIT
. tests/support/checks.sh
area=/outside
A=$root/tests/data/allprof
cd "$scratch" || exit 1

# What makes terminals and spreadsheets do things: escape, a control character of two bytes,
# an override of the direction of writing, DEL, a byte that is not UTF-8.
odd=$(printf '=e\033[31m\302\233\342\200\256x\177\377y')
text=$(printf '=e\033[31m\302\233\342\200\256x\177y')
override=$(printf '\342\200\256')
cyrillic=$(printf '\320\263\321\200\320\260\320\275\321\214')
forbidden=$(printf 'u\357\277\277v')

# plain FILE: no characters but letters, ends of lines, and tabs; UTF-8
plain () {
  [ -s "$1" ] && tr -d '\000-\010\013\014\016-\037\177' <"$1" | cmp -s - "$1" \
    && ! grep -qF -e "$override" -e "$(printf '\302\233')" "$1" && iconv -f UTF-8 -t UTF-8 "$1" >iconv.out
}

# clean NAME FILE
clean () {
  plain "$2"
  result $? "$area/$1" "$(cat -v "$2" | head -c 2000)"
}

# escaped NAME STATUS ARGUMENTS...: one line on standard error, with the escape character shown
escaped () {
  check_name=$1 check_status=$2
  shift 2
  ran "$check_status" "$program" "$@" && plain stderr && grep -qF -e '\x1b' -e '\u009b' stderr \
    && grep -v '^Try' stderr | awk 'END { exit NR != 1 }'
  told $? "$check_name"
}

# refused NAME STATUS TEXT ARGUMENTS...: with TEXT in what it says
refused () {
  check_name=$1 check_status=$2 check_text=$3
  shift 3
  ran "$check_status" "$program" "$@" && grep -qF -e "$check_text" stderr
  told $? "$check_name"
}

# ---- text from outside

printf '0 compute 1e9\n0 send 1 0 1\n1 recv 0 0 1\n' >plain.ti
cp plain.ti "$odd.ti"
escaped no-such-trace 1 run "$odd" -m ideal
escaped no-such-machine 1 run plain.ti -m "$text"
escaped not-utf8 2 run plain.ti -m "$odd"
escaped unknown-command 2 "$odd"
escaped unknown-option 2 run "--$odd"
escaped unknown-parameter 1 run plain.ti -m "ethernet:$(printf '\302\233')=1"
escaped machine-check 1 machine check "$odd"
printf '0 compute 1e9\n0 \033[1m 5\n' >word.ti
escaped word-of-trace 1 run word.ti -m ideal
ran 1 "$program" run "$(printf 'a\npredictor run: b')" -m ideal && [ "$(wc -l <stderr)" -eq 1 ]
told $? one-line
ran 1 "$program" run "$cyrillic.ti" -m ideal && grep -qF "$cyrillic.ti: no trace" stderr
told $? cyrillic-stays

# names of an interval, of its file and of a call's place; a file name in every record of DVM
printf 'predictor-trace 1\nranks 1\nsite 0: "%s.c" 7 "f%s"\n0 enter "%s" file="%s.c" line=9\n0 barrier took=1us site=0\n' \
  "$odd" "$odd" "$odd" "$odd" >odd.txt
ran 0 "$program" run odd.txt -m mvs1000 -v --log odd.log --csv odd.csv --html odd.html \
  --xml odd.xml --db odd.db --sensitivity --timeline odd.prv
told $? all-outputs
clean trace/text stdout
"$program" run odd.txt -m mvs1000 --json >odd.json
LC_ALL=C sed "s/FILE=small.fdv/FILE=$odd.fdv/" "$root/tests/data/small.ptr" >odd.ptr
"$program" run odd.ptr -m mvs1000 -n 2 -vv --log odd-dvm.log >odd-dvm.text 2>&1
clean trace/dvm odd-dvm.text
for form in log csv html pcf xml; do
  clean "trace/$form" "odd.$form"
  grep -qF '\x1b[31m' "odd.$form"
  result $? "$area/trace/$form-escaped"
done
clean trace/dvm-log odd-dvm.log
grep -qF '\x1b[31m' odd-dvm.log
result $? "$area/trace/dvm-log-escaped"
for command in analyse "compare odd.txt" info check; do
  "$program" $command odd.txt >command.txt 2>&1
  clean "trace/${command%% *}" command.txt
done
cp odd.txt "$odd.txt"
for command in analyse "compare odd.txt" info check "run -m mvs1000" "advise -m ideal -m mvs1000"; do
  "$program" $command "$odd.txt" >command.txt 2>&1
  clean "name/${command%% *}" command.txt
done
for form in json xml html csv; do
  "$program" analyse odd.txt --$form - -q >command.txt 2>&1
  [ $form = json ] && "$program" analyse odd.txt --json >command.txt 2>&1
  clean "trace/analyse-$form" command.txt
done
clean trace/json odd.json
if command -v sqlite3 >/dev/null; then
  sqlite3 odd.db 'SELECT file FROM interval' >odd.names
  [ -s odd.names ] && iconv -f UTF-8 -t UTF-8 odd.names >iconv.out
  result $? "$area/trace/db"
else
  skip "$area/trace/db" "no sqlite3"
fi
xmllint --noout odd.xml 2>xmllint.log
result $? "$area/trace/xml-well-formed" "$(cat xmllint.log)"
"$program" report odd.db -r 1 >report.txt 2>&1
clean trace/report report.txt
"$program" report odd.db -r 1 --csv >report.csv 2>&1
clean trace/report-csv report.csv

# cells that a spreadsheet would compute, and numbers that it should
cut -d, -f 10 odd.csv | grep -q "^'=e"
result $? "$area/csv/formula" "$(cut -d, -f 10 odd.csv | cat -v)"
"$program" sweep plain.ti -m mvs1000 --vary 'network/startup=1us,2us' --db sweep.db -q
"$program" report sweep.db --csv >sweep.csv
[ -s sweep.csv ] && ! grep -q "'" sweep.csv
result $? "$area/csv/numbers"

# ---- what XML forbids

refused xml/setting 1 "byte 7 begins what no XML can hold" run plain.ti -m mvs1000 --set "name=$forbidden"
refused xml/setting-control 1 "byte 6 begins" run plain.ti -m mvs1000 --set "name=$(printf '\001')"
refused xml/inline 1 "begins what no XML can hold" run plain.ti -m "ethernet:name=$forbidden"
refused xml/study 1 '\uffff' sweep plain.ti -m mvs1000 --vary "network/startup=1us,$forbidden" --db no.db
printf '<?xml version="1.0"?>\n<machine name="%s"/>\n' "$forbidden" >forbidden.xml
refused xml/description 1 "forbidden.xml:2:" run plain.ti -m forbidden.xml
[ ! -e no.db ]
result $? "$area/xml/nothing-written"

# ---- numbers

for number in 0x1p10 inf nan infinity 1e9x; do
  echo "0 compute $number" >number.ti
  refused "number/ti/$number" 1 "number.ti:1" run number.ti -m ideal
  printf 'predictor-trace 1\nranks 1\n0 compute %ss\n' "$number" >number.txt
  refused "number/text/$number" 1 "number.txt:3" run number.txt -m ideal
  sed "s/^1:0:0:0.01.*/1:0:0:$number/" "$root/tests/golden/in/halo.dim" >number.dim
  refused "number/dim/$number" 1 "number.dim:4" run number.dim -m ideal
  awk -F, -v OFS=, -v number="$number" '/^transfer,/ && !done { $9 = number; done = 1 } { print }' \
    "$root/tests/data/measure-transfer.csv" >number.csv
  refused "number/sheet/$number" 1 "number.csv:" machine fit number.csv -o number.xml
  refused "number/flops/$number" 2 "--flops" run plain.ti -m ideal --flops "$number"
  refused "number/tolerance/$number" 2 "--tolerance" compare plain.ti plain.ti --tolerance "$number"
  refused "number/factor/$number" 1 "expected a factor" run plain.ti -m mvs1000 --set "network/startup*=$number"
done
refused number/leading-blank 2 "--flops" run plain.ti -m ideal --flops ' 1e9'
refused number/level 2 "is no level" analyse plain.ti ' 1'
for number in 0x10 010 ' 1' 1x ''; do
  refused "number/jobs/$number" 2 "expected a whole number" sweep plain.ti -m mvs1000 -j "$number" --db no.db
done

# ---- options as GNU programs take them

gives option/attached 0 "$program" run plain.ti -mmvs1000 -q
gives option/attached-behind-flag 0 "$program" run plain.ti -qmmvs1000
gives option/count 0 "$program" run "$root/tests/data/small.ptr" -mmvs1000 -n2 -q
gives option/jobs 0 "$program" sweep -j1 plain.ti -mmvs1000 --vary network/startup=1us,3us --db=jobs.db -q
gives option/equals 0 "$program" run plain.ti --machine=mvs1000 -q
cp plain.ti ./-q.ti
gives option/behind-dashes 0 "$program" run -m mvs1000 -q -- -q.ti
refused option/equals-of-letter 1 "'=mvs1000'" run plain.ti -m=mvs1000
refused option/missing 2 "Missing argument" run plain.ti -m

# ---- traces named by their folder, and by what the names of their files begin with

for trace in "$A" "$A/" "$A/pingpong-"; do
  name=$(basename "$trace")$([ "${trace%/}" = "$trace" ] || echo /)
  gives "folder/$name/info" 0 "$program" info "$trace"
  gives "folder/$name/check" 0 "$program" check "$trace"
  has "folder/$name/run" 0 pingpong-1.txt "$program" run "$trace" -m mvs1000
  has "folder/$name/analyse" 0 pingpong-1.txt "$program" analyse "$trace"
  has "folder/$name/advise" 0 pingpong-1.txt "$program" advise "$trace" -m mvs1000 -m ideal
  gives "folder/$name/compare" 0 "$program" compare "$trace" "$trace"
  gives "folder/$name/convert" 0 "$program" convert "$trace" "$scratch/folder.pdt"
  rm -f folder.db
  gives "folder/$name/sweep" 0 "$program" sweep "$trace" -m mvs1000 --vary network/startup=1us,2us --db folder.db -j 1 -q
done

tap_done

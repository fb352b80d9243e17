#!/bin/sh
# predictor-measure exchange under each MPI that is there, with small sizes: that all kinds
# are measured with right data, in all forms; never how long it took.
set -u
. tests/support/measure.sh
area=/measure/exchange

few="--sizes 8,1000 --windows 1,4 --repetitions 2 --at-least 0 --rounds 2 -q"

test_all () {
  rm -f e.db
  gives all 0 measure 2 exchange $few --csv e.csv --xml e.xml --db e.db
  valid all/xml measurement e.xml
  # 7 of datatypes with 2 lengths; rate, and 9 of 12 one-sided ones with 2 windows and 2
  # lengths; the others have one length; 3 of memory with 2
  equal all/rows $((14 + 4 + 36 + 6 + 6)) "$(column exchange kind <e.csv | wc -l | tr -d ' ')"
  equal all/lengths "16 1008" "$(awk -F, '$1 == "exchange" && $2 == "struct" { print $6 }' e.csv | words)"
  equal all/words "8 1000" "$(awk -F, '$1 == "exchange" && $2 == "put-fence" && $5 == 4 { print $6 }' e.csv | words)"
  equal all/layouts "vector vector struct struct" "$(column layout layout <e.csv | words)"
  column exchange median_us <e.csv | awk '!($1 > 0) { wrong = 1 } END { exit wrong }'
  result $? "/measure/exchange/$mpi/all/times" "$(cat e.csv)"
  equal all/db "$(column exchange median_us <e.csv | words)" \
    "$(sqlite3 e.db 'SELECT printf("%.9g", median_us) FROM exchange ORDER BY number' | words)"
  gives all/compared 0 "$build/measure/predictor-measure.$mpi" compare e.csv e.db
}

# messages_s is streams / median, mb_s that times the bytes
test_rates () {
  gives rates 0 measure 4 exchange $few --kinds rate --force --csv - -o /dev/null
  equal rates/pairs "2 2 2 2 4 4 4 4" "$(column exchange processes <stdout | words)"
  awk -F, '
    $1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == "exchange" { rows++; rate = $at["processes"] / 2 / $at["median_us"] * 1e6
      if (($at["messages_s"] / rate - 1) ^ 2 > 1e-10 || ($at["mb_s"] * 1e6 / rate / $at["bytes"] - 1) ^ 2 > 1e-10) wrong = 1 }
    END { exit wrong || rows != 8 }' stdout
  result $? "/measure/exchange/$mpi/rates/formula" "$(cat stdout)"
}

test_threads () {
  gives threads 0 measure 2 exchange $few --kinds threads,contiguous --threads 1,3 --force --csv t.csv
  grep -q '^thread_level: MPI_THREAD_MULTIPLE' stdout
  result $? "/measure/exchange/$mpi/threads/level" "$(cat stdout)"
  equal threads/rows "1 1 3 3 1 1" "$(column exchange threads <t.csv | words)"
  gives threads/left-out 0 measure 2 exchange $few --kinds threads --threads 1,200 --force --sizes 8 --rounds 1
  gives threads/refused 0 measure 2 exchange $few --kinds threads --threads 1,200
  grep -q '^left_out: 1 numbers of threads' stdout || [ "$(nproc)" -ge 400 ]
  result $? "/measure/exchange/$mpi/threads/said" "$(cat stdout)"
  gives threads/none 0 measure 2 exchange $few --kinds contiguous
  grep -q '^thread_level: MPI_THREAD_SINGLE' stdout
  result $? "/measure/exchange/$mpi/threads/single" "$(cat stdout)"
}

test_usage () {
  fails usage/one-process 2 "at least 2 processes" measure 1 exchange
  fails usage/kind 2 "unknown kind 'smoke'" measure 2 exchange --kinds vector,smoke
  fails usage/empty 2 "unknown kind ''" measure 2 exchange --kinds vector,,rate
  fails usage/windows 2 "windows" measure 2 exchange --windows 4,1
  fails usage/threads 2 "threads" measure 2 exchange --threads 0
  fails usage/too-much 2 "at most 2^30 bytes in all" measure 2 exchange --sizes 100000000 --windows 64
  fails usage/rounds 2 "--rounds=0" measure 2 exchange --rounds 0
  fails usage/word 2 "unexpected 'thing'" measure 2 exchange thing
  fails usage/crowd 1 "more processes than processors" measure $(($(nproc) + 1)) exchange $few
}

for_each_mpi all rates threads usage
tap_done

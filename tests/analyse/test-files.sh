#!/bin/sh
# predictor analyse: the table of files, in all forms of its results.
# SPDX-License-Identifier: MIT
set -u
. tests/support/checks.sh
area=/analyse/files
schema=$PWD/schemas/report.rng
data=$PWD/tests/data
cd "$scratch" || exit 1

cat >io.txt <<'E1'
predictor-trace 1
ranks 3
rank 0 {
  compute 10ms
  other "MPI_File_open" 2ms file="out/a b" io=open
  other "MPI_File_write_all" 4ms file="out/a b" io=write bytes=4MiB collective=yes
  local "MPI_File_seek" 1us file="out/a b" io=seek
  other "MPI_File_read_at" 1ms file="in.dat" io=read bytes=1000
  other "MPI_File_read_at" 3ms file="in.dat" io=read bytes=3000
  other "MPI_File_close" 1ms file="out/a b" io=close
  send 1 8 took=1us
}
rank 1 {
  other "MPI_File_open" 7ms file="out/a b" io=open
  other "MPI_File_write_all" 5ms file="out/a b" io=write bytes=2MiB collective=yes
  other "MPI_File_iwrite" 10us file="out/a b" io=write bytes=1MiB
  local "MPI_Wait" 2990us file="out/a b" io=wait
  other "MPI_File_close" 1ms file="out/a b" io=close
  recv 0 8 took=1us
}
E1

# of all ranks; the rate is 7 MiB by the 8 ms of rank 1, and 4000 bytes by 4 ms
"$program" analyse io.txt >text 2>stderr
sed -n '/^File /,/^$/p' text >table
[ "$(grep -c '' table)" = 4 ] && [ "$(sed -n 2p table | tr -s ' ')" = 'out/a b 2 2 - - - 3 x 1 MiB-4 MiB 7 MiB 0.0090100 0.0139910 2 875 MiB/s' ] \
  && [ "$(sed -n 3p table | tr -s ' ')" = 'in.dat 1 0 2 x 1000 B-2.93 KiB 3.91 KiB 0.0040000 - - - 0.0000000 none 977 KiB/s' ]
result $? /analyse/files/text "$(cat table stderr)"
has full 0 'out/a b' "$program" analyse io.txt --full --level 0
has top 0 '1 of 2 files; --top 0 lists all' "$program" analyse io.txt --top 1
lacks none 0 '^File ' "$program" analyse "$data/imbalance.txt"

"$program" analyse io.txt -q --xml out.xml --csv out.csv --db out.db --html out.html && "$program" analyse io.txt --json >out.json
result $? /analyse/files/written
xmllint --noout --relaxng "$schema" out.xml 2>stderr
result $? /analyse/files/schema "$(head -n 3 stderr)"
of () { xmllint --xpath "string(//file_use[$1]/@$2)" out.xml; }
[ "$(of 1 name) $(of 1 ranks) $(of 1 opens) $(of 1 writes) $(of 1 writes_collective) $(of 1 bytes_written)" = 'out/a b 2 2 3 2 7340032' ] \
  && [ "$(of 1 write_smallest) $(of 1 write_largest) $(of 1 write_mean) $(of 1 write_time)" = '1048576 4194304 2446677.33333 0.009010000000' ] \
  && [ "$(of 1 others) $(of 1 other_time) $(of 1 longest) $(of 1 slowest_rank) $(of 1 bandwidth)" = '4 0.013991000000 0.016000000000 1 917504000' ] \
  && [ "$(of 1 read_smallest)$(of 1 read_mean) $(of 2 read_mean) $(of 2 bandwidth)" = ' 2000 1000000' ]
result $? /analyse/files/xml "$(grep file_use out.xml)"
grep -q '"bytes_written": 7340032' out.json && grep -q '"read_smallest": null' out.json && [ "$(grep -c '"slowest_rank": [01],$' out.json)" -ge 2 ]
result $? /analyse/files/json
[ "$(tr -d '\r' <out.csv | awk -F, '{ print $(NF - 2), $(NF - 1), $NF }' | tr '\n' ' ')" = 'file_time file_bytes_read file_bytes_written 0.027001000000 4000 7340032 ' ]
result $? /analyse/files/csv "$(head -n 2 out.csv)"
[ "$(sqlite3 out.db 'select position, name, ranks, bytes_read, bytes_written, read_mean from file_use')" = '0|out/a b|2|0|7340032|
1|in.dat|1|4000|0|2000.0' ]
result $? /analyse/files/database "$(sqlite3 out.db 'select * from file_use')"
grep -q 'id="run1-files"' out.html && grep -q '875 MiB/s' out.html
result $? /analyse/files/page

# converted and read again it is the same table; a prediction takes the calls for what they are
"$program" convert io.txt again.txt 2>/dev/null && "$program" analyse again.txt | sed -n '/^File /,/^$/p' | cmp -s - table
result $? /analyse/files/converted
sed 's/^  local "MPI_File_seek.*/&\n  other "MPI_File_set_view" 0us file="out\/a b" io=other\n  other "MPI_File_sync" 0us file="out\/a b" io=sync collective=yes/' io.txt >more.txt
"$program" analyse more.txt | sed -n '/^File /,/^$/p' >more
"$program" convert more.txt again.otf2 2>/dev/null && "$program" analyse again.otf2 | sed -n '/^File /,/^$/p' | cmp -s - more
result $? /analyse/files/archive "$("$program" convert again.otf2 -)"
has predicted 0 'Execution' "$program" run io.txt -m ideal

tap_done

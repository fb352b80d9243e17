# Sourced by tests of studies.

# dump_study FILE: all rows of its tables but the work, and where it came from.
dump_study () {
  for study_table in point point_value figure interval result processor_value warning axis axis_value parameter input; do
    echo "$study_table"
    sqlite3 "$1" "SELECT * FROM $study_table" >study.rows || return 1
    sort study.rows
  done
  sqlite3 "$1" "SELECT description, program_version, points, per_processor FROM study"
  rm -f study.rows
}

# children PID: its child processes
children () {
  for stat in /proc/[0-9]*/stat; do
    sed -n "s/^\([0-9]*\) (.*) [A-Z] $1 .*/\1/p" "$stat" 2>/dev/null
  done
}

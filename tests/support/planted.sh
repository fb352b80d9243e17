# Sourced, behind mpi.sh, by what runs the programs of tests/record/planted. Every function
# works in the present folder, with $mpi.
# SPDX-License-Identifier: MIT
planted=$root/tests/record/planted

# list_planted: the rows of the table
list_planted () {
  grep -v '^#' "$planted/patterns.txt"
}

# build_planted: the program
build_planted () {
  "mpicc.$mpi" -g -O1 -Wall -Wextra -Werror -o planted "$planted"/*.c >stdout 2>stderr
}

# record_planted NAME RANKS [MICROSECONDS]: with real clocks and such a unit, or with those
# of the file "clock"; its analysis is in "json"
record_planted () {
  [ $# = 3 ] || export PREDICTOR_RECORD_CLOCK="$PWD/clock"
  timeout 600 "$program" record -q --force -o recorded -- "mpiexec.$mpi" -n "$2" ./planted "$1" ${3:+"$3"} >stdout 2>stderr
  recorded=$?
  unset PREDICTOR_RECORD_CLOCK
  [ $recorded = 0 ] && "$program" analyse recorded/traces.otf2 -q --json >json 2>stderr
}

# place NAME MARK: where the source of the pattern has the call with the mark, "polls.c:28"
place () {
  awk -v name="$1" -v mark="$2" '
    /^[a-z_]+ \(void\)$/ { inside = $1 == name }
    /^ +[A-Z_]+ \(/ { line = FNR }
    inside && index($0, "/*") && (substr($0, index($0, "/*")) " ") ~ ("[* ]" mark " ") {
      n = split(FILENAME, parts, "/")
      print parts[n] ":" line
      exit
    }' "$planted"/*.c
}

# states_found: of the whole, and of each place, the states that are not 0, in seconds: "all
# late_sender 0.010000000"
states_found () {
  awk '
    { gsub(/[",]/, "") }
    /^ *file: / { n = split($2, parts, "/"); file = parts[n] }
    /^ *line: / { where = file ":" $2 }
    /^ *call_sites: / { in_sites = 1 }
    /^ *wait_states: / { reading = 1 }
    /}/ { reading = 0 }
    reading && $2 + 0 != 0 { sum[(in_sites ? where : "all") " " substr($1, 1, length($1) - 1)] += $2 }
    END { for (key in sum) printf "%s %.9f\n", key, sum[key] }' json | sort
}

# states_planted NAME STATES UNIT: likewise what is planted; the unit in nanoseconds
states_planted () {
  [ "$2" = none ] || echo "$2" | tr ',' '\n' | awk -F'[=/]' -v unit="$3" -v where="$(place "$1" waits)" '
    { printf "all %s %.9f\n", $1, $2 * unit * 1e-9 }
    NR == 1 { printf "%s %s %.9f\n", where, $1, (NF > 2 ? $3 : $2) * unit * 1e-9 }'
}

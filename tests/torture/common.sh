# Sourced by the parts of tests/torture: where things are, what is a finding.
# SPDX-License-Identifier: MIT
root=$PWD
build=$(realpath -m "${BUILD:-build}")
sanitized=$(realpath -m "${SANITIZED:-build-address-undefined}")
LC_ALL=C TZ=UTC0 SOURCE_DATE_EPOCH=0 COLUMNS=80 PREDICTOR_DATADIR=$root
export LC_ALL TZ SOURCE_DATE_EPOCH COLUMNS PREDICTOR_DATADIR BUILD SANITIZED
unset MAKEFLAGS MFLAGS PREDICTOR_CACHE PREDICTOR_SERVER PREDICTOR_MACHINES PREDICTOR_RECORD_DIR LD_PRELOAD
ASAN_OPTIONS=exitcode=99:detect_leaks=1:hard_rss_limit_mb=3000:detect_stack_use_after_return=0
UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
LSAN_OPTIONS=suppressions=$root/tests/lsan.supp:print_suppressions=0
TSAN_OPTIONS=exitcode=99
export ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS TSAN_OPTIONS

# prepare: inputs in $scratch/in, commands "NAME: COMMAND" in $scratch/commands; small programs
prepare () {
  BUILD=$build sh tools/golden inputs "$scratch/in" || return 1
  own_inputs
  {
    BUILD=$build sh tools/golden list
    sed '/^#/d; /^input /d; /^$/d' tests/torture/commands
  } >"$scratch/commands"
  mkdir -p "$FOUND/found" "$FOUND/tried" "$scratch/bin"
  ${CC:-cc} -O2 -o "$scratch/mutate" tests/torture/mutate.c $(pkg-config --cflags --libs glib-2.0) \
    && ${CC:-cc} -O2 -shared -fPIC -o "$scratch/fail.so" tests/torture/fail.c -ldl
}

# What tests/torture/commands makes beside the inputs of golden; what cannot be made here is left out.
own_inputs () {
  sed -n 's/^input //p' tests/torture/commands | while IFS= read -r line; do
    name=${line%%: *}
    (cd "$scratch/in" && PATH=$build/predictor:$root/tests/torture:$PATH ROOT=$root BUILD=$build sh -c "${line#*: }") >"$scratch/made" 2>&1 </dev/null
    [ -s "$scratch/in/$name" ] || echo "torture: no $name here: $(tail -n 1 "$scratch/made")"
  done
}

time_is_left () {
  [ "$(date +%s)" -lt "$deadline" ]
}

# found PART NAME REASON [FILE...]: a finding, with its files
found () {
  place=$FOUND/found/$1-$2
  mkdir -p "$place"
  printf '%s\n' "$3" >"$place/reason"
  printf '   %s-%s: %s\n' "$1" "$2" "$3"
  shift 3
  [ $# = 0 ] || cp -RL "$@" "$place" 2>/dev/null
}

count_found () {
  find "$FOUND/found" -mindepth 1 -maxdepth 1 -name "$1*" | wc -l
}

# tried PART TEXT: what the summary says of it
tried () {
  echo "$2" >"$FOUND/tried/$1"
}

# Whether the program says in FILE that something is wrong with itself.
is_broken () {
  grep -qE 'ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|runtime error: |CRITICAL \*\*|hard rss limit|assertion failed' "$1"
}

# bad_status STATUS: why it is none of predictor.1
bad_status () {
  case $1 in
  0 | 1 | 2 | 3 | 4 | 5) ;;
  99) echo "a sanitizer's report" ;;
  124 | 137) echo "did not end, or was killed for its memory (status $1)" ;;
  *) echo "status $1" ;;
  esac
}

# bad_file FILE: why it is no whole output
bad_file () {
  case ${1##*/} in
  *.sqlite) ;;
  *-journal | *-wal | *.*.[A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9]) echo "$1 is left" ;;
  # what standard output goes to may be empty
  *.xml) [ ! -s "$1" ] || xmllint --noout "$1" 2>/dev/null || echo "$1 is no XML" ;;
  *.json) [ "$(sqlite3 :memory: "SELECT json_valid (CAST (readfile ('$1') AS TEXT))" 2>&1)" = 1 ] || echo "$1 is no JSON" ;;
  *.db) [ "$(sqlite3 "$1" 'PRAGMA integrity_check' 2>&1)" = ok ] || echo "$1 is damaged" ;;
  *.csv | *.text | *.ti | *.goal | *.pdt | *.html | *.log | *.pcf | *.row | *.prv)
    [ ! -s "$1" ] || [ "$(tail -c 1 "$1" | wc -l)" = 1 ] || echo "$1 ends within a line"
    ;;
  esac
}

# judge STATUS ERRORS: prints why what a command left in this folder, but in/, is a finding
judge () {
  bad_status "$1"
  ! is_broken "$2" || echo "$(grep -m 1 -E 'ERROR: |runtime error|CRITICAL|assertion' "$2" | cut -c 1-200)"
  [ "$1" != 1 ] || [ -s "$2" ] || echo "status 1, and no word why"
  find . -path ./in -prune -o -type f -print | while read -r file; do bad_file "$file"; done
  left=$(ls -A "$TMPDIR" | grep -v '^ompi\.') # which Open MPI leaves
  [ -z "$left" ] || echo "left in TMPDIR: $(echo "$left" | head -n 3)"
}

# add_up TABLE <ROWS: rows "| name | number | …" get a third column, the number plus what stands there for
# that name in TABLE of $DOCUMENT; a last row has the sums. A name of the document that has no row now keeps
# its sum.
add_up () {
  { echo; [ -z "${DOCUMENT:-}" ] || sed -n "/<!-- begin $1 -->/,/<!-- end $1 -->/p" "$DOCUMENT"; } >"$scratch/before.$1"
  awk -F ' *[|] *' '
    FNR == NR { if ($4 ~ /^[0-9]+$/ && $2 != "all") { before[$2] = $4; columns = NF } next }
    {
      sum[$2] = $3 + before[$2]; now += $3; rest = ""
      for (i = 4; i < NF; i++) rest = rest " | " $i
      row[$2] = "| " $2 " | " $3 " | " sprintf("%.0f", sum[$2]) rest " |"; width = NF
    }
    END {
      for (name in before) if (!(name in row)) {
        sum[name] = before[name]; row[name] = "| " name " | 0 | " sum[name]
        for (i = 4; i < columns - 1; i++) row[name] = row[name] " | -"
        row[name] = row[name] " |"
      }
      for (name in row) { print row[name] | "LC_ALL=C sort"; all += sum[name] }
      close("LC_ALL=C sort")
      printf "| all | %.0f | %.0f", now, all
      for (i = 4; i < width; i++) printf " | "
      print " |"
    }' "$scratch/before.$1" -
}

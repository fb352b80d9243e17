# Sourced by tests/test-*.sh that run predictor, in the folder of the sources: where things
# are, a scratch folder that is removed at the end, and what is checked of commands and of
# files. A result is called $area/NAME. What the last command checked has printed is in
# $scratch/stdout and $scratch/stderr, and how it ended in $status.
# SPDX-License-Identifier: MIT
. tests/support/tap.sh

root=$PWD
shared=$(realpath -m "${PREDICTOR_SHARED:-../shared}")
build=$(realpath "${BUILD:-build}") || exit 1
program=$build/predictor/predictor
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C SOURCE_DATE_EPOCH=0 PREDICTOR_DATADIR="$root"
unset PREDICTOR_CACHE PREDICTOR_SERVER
exec </dev/null

# ran STATUS COMMAND...: runs it; true if it ends with STATUS
ran () {
  check_wanted=$1
  shift
  "$@" >"$scratch/stdout" 2>"$scratch/stderr"
  status=$?
  [ $status = "$check_wanted" ]
}

# told STATUS NAME: the result, with what the last command printed
told () {
  result "$1" "$area/$2" "status $status: $(cat "$scratch/stdout" "$scratch/stderr" | head -c 2000)"
}

# gives NAME STATUS COMMAND...
gives () {
  check_name=$1
  shift
  ran "$@"
  told $? "$check_name"
}

# has NAME STATUS TEXT COMMAND...: it ends with STATUS, and prints TEXT
has () {
  check_name=$1 check_status=$2 check_text=$3
  shift 3
  ran "$check_status" "$@" && grep -qF -e "$check_text" "$scratch/stdout"
  told $? "$check_name"
}

# lacks NAME STATUS TEXT COMMAND...: it prints something, without TEXT
lacks () {
  check_name=$1 check_status=$2 check_text=$3
  shift 3
  ran "$check_status" "$@" && [ -s "$scratch/stdout" ] && ! grep -qF -e "$check_text" "$scratch/stdout"
  told $? "$check_name"
}

# fails NAME STATUS TEXT COMMAND...: TEXT is among its errors
fails () {
  check_name=$1 check_status=$2 check_text=$3
  shift 3
  ran "$check_status" "$@" && grep -qF -e "$check_text" "$scratch/stderr"
  told $? "$check_name"
}

# refused NAME STATUS TEXT COMMAND...: one line of error, with TEXT, and the hint at the help
# where STATUS is 2; nothing else is printed, and no file is made here
refused () {
  check_name=$1 check_status=$2 check_text=$3
  shift 3
  true >"$scratch/stdout" 2>"$scratch/stderr"
  check_files=$(ls -A)
  ran "$check_status" "$@" && grep -qF -e "$check_text" "$scratch/stderr" && [ ! -s "$scratch/stdout" ] \
    && head -n 1 "$scratch/stderr" | grep -q '^predictor[a-z -]*: ' \
    && [ "$(grep -c "^Try 'predictor.* --help'\.$" "$scratch/stderr")" = $((check_status == 2)) ] \
    && [ "$(grep -c '' "$scratch/stderr")" = $((1 + (check_status == 2))) ] && [ "$(ls -A)" = "$check_files" ]
  told $? "$check_name"
}

# in_file NAME TEXT FILE
in_file () {
  grep -qF -e "$2" "$3"
  result $? "$area/$1" "no '$2' in: $(head -c 2000 "$3")"
}

# counted NAME NUMBER PATTERN FILE: so many lines of FILE match
counted () {
  check_found=$(grep -c -e "$3" "$4")
  [ "$check_found" = "$2" ]
  result $? "$area/$1" "$check_found lines, expected $2"
}

# same NAME FILE FILE
same () {
  cmp -s "$2" "$3"
  result $? "$area/$1" "$(diff "$2" "$3" 2>&1 | head -n 5)"
}

# equal NAME EXPECTED FOUND
equal () {
  [ "$2" = "$3" ]
  result $? "$area/$1" "expected '$2', found '$3'"
}

# empty NAME FILE
empty () {
  [ ! -s "$2" ]
  result $? "$area/$1" "$(cat "$2")"
}

# valid NAME SCHEMA FILE: of schemas/SCHEMA.rng
valid () {
  xmllint --noout --relaxng "$root/schemas/$2.rng" "$3" 2>"$scratch/xml.err"
  result $? "$area/$1" "$(head -n 5 "$scratch/xml.err")"
}

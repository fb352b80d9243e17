# mutation: one input of a command is changed (tests/torture/mutate.c), or a value on its command
# line; the commands are those of tests/golden/commands and tests/torture/commands, instrumented.
# Two workers. What a try is follows from the seed and its number: AT=WORKER/NUMBER does that one.
# SPDX-License-Identifier: MIT
set -u
. tests/torture/common.sh
program_folders=$sanitized/predictor:$sanitized/fit:$sanitized/measure
workers=2

# The tries of worker $1: number, seed, name, file or "-", command; without end. Two of three tries draw
# the kind of input first, so that each has an equal share; the third draws a command.
plan () {
  awk -F '\t' -v seed="$((SEED * 10 + $1))" '
    FNR == NR { kind[$1] = $2; next }
    # what copies an input leaves what was changed; a server works until it is told to end
    / cp in\/ring.ti/ || /: predictor serve$/ { next }
    function add(k, word) {
      if (!(k in count)) kinds[++n_kinds] = k
      of[k, ++count[k]] = commands; changed[k, count[k]] = word
    }
    {
      at = index($0, ": "); name[++commands] = substr($0, 1, at - 1); text = command[commands] = substr($0, at + 2)
      add("command line", "-")
      while (match(text, /in\/[A-Za-z0-9_.\/-]+/)) {
        word = substr(text, RSTART, RLENGTH); text = substr(text, RSTART + RLENGTH)
        if (!(word in kind)) continue
        words[commands, ++n_words[commands]] = word
        if (kind[word] != "other") add(kind[word], word)
      }
    }
    END {
      srand(seed)
      for (n = 1; ; n++) {
        if (rand() < 2 / 3) {
          k = kinds[1 + int(n_kinds * rand())]; i = 1 + int(count[k] * rand())
          c = of[k, i]; word = changed[k, i]
        } else {
          c = 1 + int(commands * rand()); word = n_words[c] > 0 ? words[c, 1 + int(n_words[c] * rand())] : "-"
        }
        print n "\t" int(1e9 * rand()) "\t" name[c] "\t" word "\t" command[c]
      }
    }' "$scratch/kinds" "$scratch/commands"
}

# Of the name of a file, what it is.
kind_of () {
  case $1 in
  */heat2d_600_np2*) echo "DVM traces of several processors" ;;
  *.ptr.gz | *.ptr.zst) echo "DVM trace, compressed" ;;
  *.ptr) echo "DVM trace" ;;
  *.list | */ring.[0-9].ti) echo "time-independent traces, listed" ;;
  *.ti | *.ti.gz) echo "time-independent trace" ;;
  *.goal) echo "GOAL, text" ;;
  *.bin) echo "GOAL, binary" ;;
  *.dim) echo "Dimemas trace" ;;
  *.otf2 | */*.def | */*.evt) echo "OTF2 archive" ;;
  */allprof*) echo "liballprof profile" ;;
  */kept*) echo "cache of parsed traces" ;;
  */hand*) echo "stream of the recorder" ;;
  */study.xml | */list.csv) echo "study" ;;
  */study.db) echo "study, SQLite" ;;
  */sheet*.db) echo "measurements, SQLite" ;;
  */run.xml | */other.xml) echo "report, XML" ;;
  *.xml) echo "machine" ;;
  *.cfg | *.par | *.params) echo "machine of another program" ;;
  *.blocks) echo "block sizes" ;;
  *detours*) echo "samples of noise" ;;
  *.csv) echo "measurements, CSV" ;;
  *.db) echo "results, SQLite" ;;
  *.txt | *.pdt) echo "text program" ;;
  *) echo "other" ;;
  esac
}

# change SEED FILE TO: what is compressed, or a database, mostly in its contents
change () {
  how=$(($1 % 3))
  case $how$2 in
  [01]*.gz) gzip -dc "$2" 2>/dev/null | "$scratch/mutate" "$1" | gzip -c >"$3" ;;
  [01]*.zst) zstd -qdc "$2" | "$scratch/mutate" "$1" | zstd -qc >"$3" ;;
  [01]*.db) rm -f "$3" && sqlite3 "$2" .dump | "$scratch/mutate" "$1" | sqlite3 "$3" >/dev/null 2>&1 ;;
  *) "$scratch/mutate" "$1" <"$2" >"$3" ;;
  esac
  [ -e "$3" ] || : >"$3"
}

# A copy of in/ in which other files are links.
links () {
  mkdir in && ln -s "$scratch/in"/* in/
}

# changed_file SEED WORD: in/ with that file changed, or one of that folder (of an archive, of a list, too)
changed_file () {
  word=$2
  case $(($1 % 2))$word in 1*.list) word=${word%list}$(($1 / 2 % 4)).ti ;; esac
  # of an archive its anchor, its definitions, or one of the files of its ranks
  case $(($1 % 4))$word in
  0*.otf2) ;;
  1*.otf2) word=${word%otf2}def ;;
  *.otf2) word=${word%.otf2} ;;
  esac
  [ ! -d "$scratch/$word" ] || word=$(cd "$scratch" && find "$word" -type f | LC_ALL=C sort | awk -v n="$1" '{ f[NR - 1] = $0 } END { print f[int(n / 7) % NR] }')
  [ -f "$scratch/$word" ] || { word=-; return; }
  case $word in
  in/*/*)
    top=$(echo "$word" | cut -d / -f 2)
    rm "in/$top" && cp -R "$scratch/in/$top" "in/$top"
    ;;
  *) rm "$word" ;;
  esac
  change "$1" "$scratch/$word" "$word"
}

# The kind of each file that commands name; what is not there has none.
kinds () {
  grep -oE 'in/[A-Za-z0-9_./-]+' "$scratch/commands" | LC_ALL=C sort -u | while read -r word; do
    [ ! -e "$scratch/$word" ] || printf '%s\t%s\n' "$word" "$(kind_of "$word")"
  done >"$scratch/kinds"
}

# A value of the command line is changed, in letters that mean nothing to a shell; how many workers and
# samples there are, and what runs on, stays.
changed_words () {
  words_of=${2%% *}
  case $2 in
  *'$'* | *'|'* | *';'* | *'&'* | *'<'* | *'>'* | *' -j'* | *serve* | *record* | *--slurm* | *--samples*) printf '%s\n' "$2" ;;
  *)
    printf '%s' "${2#* }" | "$scratch/mutate" "$1" | head -c 2000 | tr -cd 'A-Za-z0-9:=,./ _+-' \
      | sed "s!^!$words_of !;"' s! -[a-z]*[bj]! -!g; s!\.\./*!!g; s! /*! !g; s!=/*!=!g'
    ;;
  esac
}

# The first one of a line.
command_of () {
  name=$(printf '%s\n' "$1" | grep -oE 'predictor(-fit|-measure|-mpi)? (run|sweep|advise|analyse|compare|convert|info|check|machine [a-z]+|report|serve|record)?' | head -n 1)
  case $name in
  predictor-fit*) echo "machine fit" ;;
  predictor-m*) echo "${name% *}" ;;
  predictor\ ?*) echo "${name#predictor }" ;;
  *) echo "help" ;;
  esac
}

# The options of AddressSanitizer for command $1. MPI libraries keep memory and unload their modules before
# LeakSanitizer looks, so no suppression can name them; the code that predictor-mpi shares with predictor is
# checked for leaks there.
sanitizer_of () {
  case $1 in
  *predictor-mpi*) echo "$ASAN_OPTIONS:detect_leaks=0" ;;
  *) echo "$ASAN_OPTIONS" ;;
  esac
}

# one NUMBER SEED NAME FILE COMMAND
one () {
  at=$scratch/at.$worker
  rm -rf "$at" && mkdir "$at" "$at/tmp" "$at/in-it" && cd "$at/in-it" && links || exit 1
  command=$5
  if [ "$4" != - ] && [ -e "$scratch/$4" ]; then
    changed_file "$2" "$4"
    kind=$(kind_of "$word")
  else
    word=- kind="command line" && command=$(changed_words "$2" "$5")
  fi
  TMPDIR=$at/tmp XDG_RUNTIME_DIR=$at/tmp HOME=$at/tmp PATH=$program_folders:$PATH ASAN_OPTIONS=$(sanitizer_of "$5") \
    timeout -k 5 "$limit" sh -c "$command" >"$at/out" 2>"$at/err" </dev/null
  status=$?
  # what was asked for may take long
  [ "$kind$status" != "command line124" ] || status=0
  TMPDIR=$at/tmp judge $status "$at/err" >"$at/why"
  cd "$root" || exit 1
  echo "$kind	$(command_of "$5")	$status	$(grep -c . "$at/why")" >>"$scratch/tries.$worker"
  [ -s "$at/why" ] || return
  printf '%s\n' "$command" >"$at/command"
  rm -rf "$at/changed"
  [ "$word" = - ] || cp -R "$at/in-it/$word" "$at/changed"
  found mutation "$worker-$1" "$(head -n 1 "$at/why") [$3: $command, changed: $word]" "$at/command" "$at/out" "$at/err" "$at/why" $([ "$word" = - ] || echo "$at/changed")
}

worker () {
  worker=$1
  : >"$scratch/tries.$worker"
  plan "$worker" | while IFS='	' read -r number seed name file command; do
    if [ -n "${AT:-}" ]; then
      [ "$worker/$number" != "$AT" ] || { one "$number" "$seed" "$name" "$file" "$command"; break; }
      continue
    fi
    time_is_left || break
    one "$number" "$seed" "$name" "$file" "$command"
  done
}

[ -e "$sanitized/measure/predictor-measure" ] || { sed '/predictor-m/d' "$scratch/commands" >"$scratch/without" && mv "$scratch/without" "$scratch/commands"; }
kinds
limit=${LIMIT:-60}
i=1
while [ $i -le $workers ]; do
  worker $i &
  i=$((i + 1))
done
wait

# Rows of kinds of inputs, or of commands.
rows () {
  cat "$scratch"/tries.* | awk -F '\t' -v column="$1" -v title="$2" '
    { n[$column]++; by[$column, $3]++; bad[$column] += $4 > 0 }
    END {
      print "| " title " | tried | 0 | 1 | 2 | 3 | 4 | 5 | findings |\n|---|---|---|---|---|---|---|---|---|"
      for (k in n) {
        printf "| %s | %d ", k, n[k] | "sort"
        for (s = 0; s <= 5; s++) printf "| %d ", by[k, s] | "sort"
        printf "| %d |\n", bad[k] | "sort"
      }
    }'
}
{
  rows 1 "changed input"
  echo
  rows 2 command
} >"$FOUND/tables/mutation"
tried mutation "$(cat "$scratch"/tries.* | wc -l) runs of commands"

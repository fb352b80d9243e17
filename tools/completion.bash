# Completion of predictor, predictor-mpi and predictor-measure for bash. Made by tools/make-completion
# from the option tables and the words of the programs themselves.

# Sets reply to those of the words that begin with value. They stand behind front, what of the word
# is there already; where bash splits words (at = and :), only the end is replaced.
_predictor_reply () { # FRONT VALUE WORD...
  local front=$1 value=$2 typed=$1$2 skip=0 i candidate
  shift 2
  for ((i = 0; i < ${#typed}; i++)); do
    case ${typed:i:1} in
    [=:]) [[ $COMP_WORDBREAKS == *"${typed:i:1}"* ]] && skip=$((i + 1)) ;;
    esac
  done
  for candidate in "$@"; do
    if [[ $candidate == "$value"* ]]; then
      candidate=$front$candidate
      COMPREPLY+=("${candidate:skip}")
      case $candidate in
      *[=:/]) compopt -o nospace 2>/dev/null ;;
      esac
    fi
  done
}

# Names of files and folders. Names that need quotes are left to bash, which completes them if nothing is found here.
_predictor_files () { # VALUE
  {
    compgen -f -X '!*.xml' -- "$1"
    compgen -d -S / -- "$1"
  } | grep -v '[^[:alnum:]_./:=,+@%-]'
}

# A name, a file, or TYPE:key=value,…
_predictor_machine () { # FRONT VALUE
  local type=${2%%:*} last known
  if [[ $2 == *:* ]]; then
    last=${2##*[:,]}
    known=$_predictor_keys
    _predictor_reply "$1${2%"$last"}" "$last" \
      $(for k in $known; do case $k in "$type":*) echo "${k#*:}" ;; *:*) ;; *) echo "$k" ;; esac; done)
    return
  fi
  _predictor_reply "$1" "$2" $_predictor_types $(_predictor_files "$2") \
    $("$_predictor_program" --words machines 2>/dev/null)
}

# A value of an option, of the kind that its table says. Of files bash knows more than we do.
_predictor_value () { # FRONT VALUE KIND WORD...
  local front=$1 value=$2 kind=$3 last
  shift 3
  case $kind in
  words) _predictor_reply "$front" "$value" "$@" ;;
  list)
    last=${value##*,}
    _predictor_reply "$front${value%"$last"}" "$last" "$@"
    ;;
  formats) _predictor_reply "$front" "$value" $_predictor_formats ;;
  sets) _predictor_reply "$front" "$value" $_predictor_sets ;;
  machine) _predictor_machine "$front" "$value" ;;
  settings) _predictor_reply "$front" "$value" $_predictor_settings ;;
  axes)
    last=${value#*=}
    case $value in
    machine=*) _predictor_machine "${front}machine=" "${last##*,}" ;;
    *) _predictor_reply "$front" "$value" "$@" $_predictor_settings ;;
    esac
    ;;
  esac
}

_predictor () {
  local line=${COMP_LINE:0:COMP_POINT} key option word i _predictor_program=predictor
  local -a words
  COMPREPLY=()
  word=${line##*[[:space:]]}
  read -a words <<<"${line%"$word"}"
  key=${words[0]##*/}
  case $key in
  predictor) _predictor_program=${words[0]} ;;
  *.mpich | *.openmpi) key=${key%.*} ;;
  esac

  # what stands behind -- is a command of its own
  for ((i = 1; i < ${#words[@]}; i++)); do
    if [[ ${words[i]} == -- ]]; then
      for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == -- ]] && declare -F _command_offset >/dev/null && _command_offset $((i + 1)) && return
      done
      return
    fi
  done

  # the command, and its action if it has some
  for ((i = 1; i < ${#words[@]}; i++)); do
    [[ -n $(_predictor_commands "$key") ]] || break
    key="$key ${words[i]}"
  done
  if [[ -n $(_predictor_commands "$key") ]]; then
    _predictor_reply "" "$word" $(_predictor_commands "$key")
    return
  fi
  option=
  ((i < ${#words[@]})) && option=${words[${#words[@]} - 1]}
  if [[ $word == --*=* ]]; then
    option=${word%%=*}
    _predictor_value "$option=" "${word#*=}" $(_predictor_kind "$key" "$option")
  elif [[ $option == -* && $option != *=* ]] && _predictor_takes "$key" "$option"; then
    _predictor_value "" "$word" $(_predictor_kind "$key" "$option")
  elif [[ $word == -* ]]; then
    _predictor_reply "" "$word" $(_predictor_options "$key")
  else
    _predictor_value "" "$word" $(_predictor_kind "$key" argument)
  fi
}

# Whether an option is followed by a value.
_predictor_takes () { # KEY OPTION
  local o
  for o in $(_predictor_options "$1") $(_predictor_letters "$1"); do
    [[ $o == "$2=" ]] && return
  done
  return 1
}

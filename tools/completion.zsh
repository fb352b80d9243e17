# Completion of predictor, predictor-mpi and predictor-measure for zsh. Made by tools/make-completion
# from the option tables and the words of the programs themselves.

# Adds the words: those that end with = or : or / want something behind them, and get no blank.
_predictor_add () { # WORD...
  local -a open closed
  open=(${(M)@:#*[=:/]})
  closed=(${@:#*[=:/]})
  compadd -S '' -- $open
  compadd -- $closed
}

# Adds the words of lines "WORD<tab>what it says".
_predictor_describe () { # LINES
  local line
  local -a open closed
  for line in ${(f)1}; do
    case ${line%%$'\t'*} in
    *=) open+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    *) closed+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  _describe -t words word closed -- open -S ''
}

# A name, a file, or TYPE:key=value,…
_predictor_machine () {
  local type k
  local -a known
  if [[ $PREFIX == *:* ]]; then
    type=${PREFIX%%:*}
    compset -P '*[:,]'
    for k in ${=_predictor_keys}; do
      case $k in
      $type:*) known+=(${k#*:}) ;;
      *:*) ;;
      *) known+=($k) ;;
      esac
    done
    _predictor_add $known
    return
  fi
  _predictor_add ${=_predictor_types} ${(f)"$($_predictor_program --words machines 2>/dev/null)"}
  _files -g '*.xml'
}

# A value of an option, of the kind that its table says; a file if that says nothing.
_predictor_value () { # KIND WORD...
  local kind=$1
  (($#)) && shift
  case $kind in
  words) _predictor_add $@ ;;
  list)
    compset -P '*,'
    _predictor_add $@
    ;;
  formats) _predictor_add ${=_predictor_formats} ;;
  sets) _predictor_add ${=_predictor_sets} ;;
  machine) _predictor_machine ;;
  settings) _predictor_add ${=_predictor_settings} ;;
  axes)
    if [[ $PREFIX == machine=* ]]; then
      compset -P 'machine='
      compset -P '*,'
      _predictor_machine
    else
      _predictor_add $@ ${=_predictor_settings}
    fi
    ;;
  *) _files ;;
  esac
}

# Whether an option is followed by a value.
_predictor_takes () { # KEY OPTION
  [[ $2 == -* && $2 != *=* ]] || return 1
  (($(_predictor_options $1 | grep -c -e "^$2="))) || [[ " $(_predictor_letters $1) " == *" $2= "* ]]
}

_predictor () {
  local key=${words[1]:t} option i _predictor_program=predictor
  case $key in
  predictor) _predictor_program=${words[1]} ;;
  *.mpich | *.openmpi) key=${key%.*} ;;
  esac

  # what stands behind -- is a command of its own
  i=${words[(i)--]}
  if ((i < CURRENT)); then
    shift $i words
    ((CURRENT -= i))
    _normal
    return
  fi

  # the command, and its action if it has some
  for ((i = 2; i < CURRENT; i++)); do
    [[ -n $(_predictor_commands $key) ]] || break
    key="$key ${words[i]}"
  done
  if [[ -n $(_predictor_commands $key) ]]; then
    _predictor_describe "$(_predictor_commands $key)"
    return
  fi
  option=${words[CURRENT-1]}
  if [[ $PREFIX == --*=* ]]; then
    option=${PREFIX%%=*}
    compset -P 1 '*='
    _predictor_value ${=$(_predictor_kind $key $option)}
  elif ((i < CURRENT)) && _predictor_takes $key $option; then
    _predictor_value ${=$(_predictor_kind $key $option)}
  elif [[ $PREFIX == -* ]]; then
    _predictor_describe "$(_predictor_options $key)"
  else
    _predictor_value ${=$(_predictor_kind $key argument)}
  fi
}

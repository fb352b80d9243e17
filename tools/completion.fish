# Completion of predictor, predictor-mpi and predictor-measure for fish. Made by tools/make-completion
# from the option tables and the words of the programs themselves.

# Prints the words that begin with the typed text, behind FRONT, the completed part of the word.
function __predictor_offer --argument-names front value
  for word in $argv[3..]
    if test (string sub -l (string length -- $value) -- $word) = "$value"
      echo $front$word
    end
  end
end

# A name, a file, or TYPE:key=value,…
function __predictor_machine --argument-names front value
  if string match -q -- '*:*' $value
    set -l type (string split -m 1 : -- $value)[1]
    set -l last (string replace -r '.*[:,]' '' -- $value)
    set -l before (string sub -l (math (string length -- $value) - (string length -- $last)) -- $value)
    __predictor_offer $front$before "$last" (__predictor_keys | string match -r -- "^(?:$type:)?([^:]+)\$" | string match -v -- '*:*')
    return
  end
  __predictor_offer $front "$value" (__predictor_types) ($__predictor_program --words machines 2>/dev/null)
  for file in $value*.xml $value*/
    echo $front$file
  end
end

# A value of an option, of the kind that its table says; a file if that says nothing.
function __predictor_value --argument-names front value kind
  switch "$kind"
    case words
      __predictor_offer "$front" "$value" $argv[4..]
    case list
      set -l last (string replace -r '.*,' '' -- $value)
      set -l before (string sub -l (math (string length -- $value) - (string length -- $last)) -- $value)
      __predictor_offer "$front$before" "$last" $argv[4..]
    case formats
      __predictor_offer "$front" "$value" (__predictor_formats)
    case sets
      __predictor_offer "$front" "$value" (__predictor_sets)
    case machine
      __predictor_machine "$front" "$value"
    case settings
      __predictor_offer "$front" "$value" (__predictor_settings)
    case axes
      if string match -q -- 'machine=*' $value
        set -l last (string replace -r '^machine=(.*,)?' '' -- $value)
        set -l before (string sub -l (math (string length -- $value) - (string length -- $last)) -- $value)
        __predictor_machine "$front$before" "$last"
      else
        __predictor_offer "$front" "$value" $argv[4..] (__predictor_settings)
      end
    case '*'
      __fish_complete_path "$value" | string replace -r '^' "$front"
  end
end

# Whether an option is followed by a value.
function __predictor_takes --argument-names key option
  string match -q -- '-*' $option; and not string match -q -- '*=*' $option; or return 1
  contains -- "$option=" (__predictor_options $key | string replace -r '\t.*' '') (__predictor_letters $key | string split ' ')
end

# Lines "WORD<tab>DESCRIPTION" for the typed text.
function __predictor_described --argument-names value
  for line in $argv[2..]
    test (string sub -l (string length -- $value) -- $line) = "$value"; and echo $line
  end
end

function __predictor_complete
  set -l tokens (commandline -opc)
  set -l value (commandline -ct)
  set -l key (basename $tokens[1])
  set -g __predictor_program predictor
  switch $key
    case predictor
      set __predictor_program $tokens[1]
    case '*.mpich' '*.openmpi'
      set key (string replace -r '\.[^.]*$' '' -- $key)
  end

  # what stands behind -- is a command of its own
  if contains -- -- $tokens
    __fish_complete_subcommand --fcs-skip=(contains -i -- -- $tokens)
    return
  end

  # the command, and its action if it has some
  set -l i 2
  while test $i -le (count $tokens); and test -n "$(__predictor_commands $key)"
    set key "$key $tokens[$i]"
    set i (math $i + 1)
  end
  if test -n "$(__predictor_commands $key)"
    __predictor_described "$value" (__predictor_commands $key)
    return
  end
  set -l option ''
  test $i -le (count $tokens); and set option $tokens[-1]
  if string match -q -- '--*=*' $value
    set option (string split -m 1 = -- $value)
    __predictor_value "$option[1]=" "$option[2]" (__predictor_kind $key $option[1] | string split ' ')
  else if __predictor_takes $key $option
    __predictor_value '' "$value" (__predictor_kind $key $option | string split ' ')
  else if string match -q -- '-*' $value
    __predictor_described "$value" (__predictor_options $key)
  else
    __predictor_value '' "$value" (__predictor_kind $key argument | string split ' ')
  end
end

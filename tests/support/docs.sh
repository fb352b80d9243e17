# Sourced by tests that run the commands of documents; needs tap.sh, and a folder $scratch.

# run_commands FILE FOLDER: runs the lines "    $ COMMAND" of FILE in FOLDER; all have to
# succeed, and indented lines right behind a command are in its output
run_commands () {
  grep -q '^ *\$ ' "$1"
  result $? "/docs/$(basename "$1")/has-commands"
  : >"$scratch/output"
  behind=no
  while IFS= read -r text; do
    line=$(printf '%s\n' "$text" | sed -n 's/^ \{4,\}\$ //p')
    if [ -n "$line" ]; then
      (cd "$2" && sh -c "$line" 2>&1 </dev/null) >"$scratch/output"
      result $? "/docs/$(basename "$1")/$(printf '%s\n' "$line" | tr -d '\\' | cut -c 1-60)" "$(cat "$scratch/output")"
      behind=yes
    elif [ "$behind" = yes ] && [ "${text#    }" != "$text" ]; then
      grep -qF -e "${text#    }" "$scratch/output"
      result $? "/docs/$(basename "$1")/shown/$(printf '%s\n' "$text" | tr -s ' ' | cut -c 1-40)" "$(cat "$scratch/output")"
    else
      behind=no
    fi
  done <"$1"
}

# zsh -f ask.zsh FOLDER LINE FILE: what zsh, which finds completions in FOLDER, offers at the end of
# LINE, one a line; FILE is for itself. What is added is noted on its way, in a real session.
# SPDX-License-Identifier: MIT
zmodload zsh/zpty
hits=$3
rm -f $hits $hits.done
zpty -b asked zsh -f -i
zpty -w asked "PROMPT=; unsetopt beep; stty -echo; fpath=($1 \$fpath)"
zpty -w asked "autoload -U compinit; compinit -u -D"
zpty -w asked "compadd () { local -a hits; builtin compadd -O hits \"\$@\"; (( \$#hits )) && print -rl -- \$IPREFIX\$^hits >>$hits; builtin compadd \"\$@\" }"
zpty -w asked "finish () { : >$hits.done; zle kill-buffer }; zle -N finish; bindkey '^X^F' finish; bindkey '^I' complete-word"
zpty -w -n asked "$2"$'\t'$'\x18\x06'
for ((i = 0; i < 300; i++)); do
  [[ -e $hits.done ]] && break
  sleep 0.1
done
zpty -d asked
[[ -e $hits.done ]] || { print -u2 "zsh did not answer"; exit 1 }
[[ ! -e $hits ]] || sort -u $hits

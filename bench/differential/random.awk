# Random numbers of the generators, the same with every awk; BEGIN of a generator sets the variable state.
# SPDX-License-Identifier: MIT

# 0 to n - 1
function draw(n) {
  state = (state * 16807) % 2147483647
  return int(state / 2147483647 * n)
}

function pick(list,   words, n) {
  n = split(list, words, " ")
  return words[draw(n) + 1]
}

# Programs in the text form, in styles of real ones, on any number of ranks:
#   awk -v pattern=neighbours -v n=16 -v px=4 -v py=4 -f styles.awk
# SPDX-License-Identifier: MIT
function act (text) { print "  " text }
function block (things, parts, i) { return int((things + parts - 1 - i) / parts) }
function mod (a, b) { return (a % b + b) % b }
function at (x, y) { return mod(x, px) * py + mod(y, py) }
function list (name, values, count,   i, text) {
  for (i = 0; i < count; i++) text = text (i > 0 ? "," : "") values[i]
  return name "=[" text "]"
}

# the neighbours of a torus, whose sides have blocks of two sizes
function neighbours (i, to, bytes) {
  to[0] = at(x - 1, y); to[1] = at(x + 1, y); to[2] = at(x, y - 1); to[3] = at(x, y + 1)
  bytes[0] = bytes[1] = 8 * block(720, py, y)
  bytes[2] = bytes[3] = 8 * block(1000, px, x)
  for (i = 0; i < 5; i++) {
    act("neighbor_alltoallv " int((2 * bytes[0] + 2 * bytes[2]) / 4) " " list("sources", to, 4) " " list("targets", to, 4) \
        " " list("send", bytes, 4) " " list("recv", bytes, 4))
    act("compute 1ms")
  }
}

# uneven blocks for each member, and as many from all
function uneven (i, to, from, sum) {
  for (i = 0; i < n; i++) { to[i] = 8 * block(1001, n, i); from[i] = 8 * block(1001, n, r); sum += to[i] }
  act("alltoallv " int(sum / n) " " list("send", to, n) " " list("recv", from, n))
}

BEGIN {
  print "predictor-trace 1\nranks " n
  for (r = 0; r < n; r++) {
    x = int(r / py); y = r % py
    print "rank " r " {"
    if (pattern == "neighbours") neighbours()
    if (pattern == "uneven") uneven()
    print "}"
  }
}

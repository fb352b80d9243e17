# Programs in the text form, in styles of real ones, on any number of ranks:
#   awk -v pattern=neighbours -v size=4x4 -f styles.awk
# SPDX-License-Identifier: MIT
function act (text, line) { print "  " text (line > 0 ? " site=" line - 1 : "") }
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

# ranks of each parity among themselves
function parity (i, c, m) {
  c = " comm=" 1 + r % 2; m = int(r / 2)
  for (i = 0; i < 6; i++) {
    act("allreduce 32" c)
    act("sendrecv " mod(m + 1, n / 2) " 80 from=" mod(m - 1, n / 2) " from-bytes=80" c)
  }
}

# nodes of four ranks, and the first ranks of all nodes; communicators as they are first used
function node (rank) { return rank < 4 ? 1 : 2 + int(rank / 4) }
function leaders (i) {
  for (i = 0; i < 5; i++) {
    act("reduce 64 root=0 comm=" node(r))
    if (r % 4 == 0) act("allreduce 64 comm=2")
    act("bcast 64 root=0 comm=" node(r))
  }
}

# layers of rings
function layers (i, z) {
  z = int(r / (py * pz)); x = int(r / pz) % py; y = r % pz
  for (i = 0; i < 6; i++)
    act("sendrecv " (z * py + mod(x + 1, py)) * pz + y " 80 from=" (z * py + mod(x - 1, py)) * pz + y " from-bytes=80")
}

# sweeps of a plane from its four corners, in three parts each, twice
function sweeps (i, q, b, dx, dy) {
  for (i = 0; i < 2; i++)
    for (q = 0; q < 4; q++) {
      dx = q % 2 ? -1 : 1; dy = q > 1 ? -1 : 1
      for (b = 0; b < 3; b++) {
        if (x - dx >= 0 && x - dx < px) act("recv " at(x - dx, y) " 240 tag=1", 1)
        if (y - dy >= 0 && y - dy < py) act("recv " at(x, y - dy) " 160 tag=2", 2)
        act("compute 1ms")
        if (x + dx >= 0 && x + dx < px) act("send " at(x + dx, y) " 240 tag=1", 3)
        if (y + dy >= 0 && y + dy < py) act("send " at(x, y + dy) " 160 tag=2", 4)
      }
    }
}

# the first rank of each row collects, then the first one of all; the rows exchange what they have, each
# rank with each other
function rows (i, k) {
  for (i = 0; i < 4; i++) {
    if (y > 0) act("send " at(x, 0) " 80 tag=1", 5)
    else for (k = 1; k < py; k++) act("recv " at(x, k) " 80 tag=1", 6)
    if (y == 0 && x > 0) act("send 0 " 80 * py " tag=2", 7)
    if (r == 0) for (k = 1; k < px; k++) act("recv " at(k, 0) " " 80 * py " tag=2", 8)
    act("compute 1ms")
    for (k = 0; k < py; k++) if (k != y) act("isend " at(x, k) " 8 tag=3 request=r" (k < y ? k : k - 1), 9)
    for (k = 0; k < py; k++) if (k != y) act("recv " at(x, k) " 8 tag=3", 10)
    act("waitall")
    act("allreduce 8")
  }
}

# panels of each member of a line in turn, in four pieces
function panels (i, k) {
  for (k = 0; k < n; k++) {
    for (i = 0; i < 4; i++) act("bcast 4096 root=" k)
    act("allreduce 8")
  }
}

# the first ranks of nodes of four collect, then the first one of all
function nodes (i, k) {
  for (i = 0; i < 3; i++) {
    if (r % 4 > 0) act("send " r - r % 4 " 80 tag=1", 1)
    else for (k = 1; k < 4; k++) act("recv " r + k " 80 tag=1", 2)
    if (r % 4 == 0 && r > 0) act("send 0 320 tag=2", 3)
    if (r == 0) for (k = 4; k < n; k += 4) act("recv " k " 320 tag=2", 4)
    act("bcast 8 root=0")
  }
}

# what all lower ranks send, and sends to all higher ones
function triangle (i) {
  for (i = 0; i < r; i++) act("recv " i " 160 tag=1", 1)
  for (i = r + 1; i < n; i++) act("send " i " 160 tag=1", 2)
}

# the same place of the other layer
function replicas (z) {
  z = int(r / (py * pz))
  act("sendrecv " (r + py * pz) % n " 40 from=" (r + py * pz) % n " from-bytes=40")
  act("sendrecv " (z * py + mod(int(r / pz) % py + 1, py)) * pz + r % pz " 80 from=" (z * py + mod(int(r / pz) % py - 1, py)) * pz + r % pz " from-bytes=80")
}

# four neighbours of a torus, received in any order, which a race decides; settled: in the order of the requests
function anyone (i, k, first, from, kind) {
  from[0] = at(x - 1, y); from[1] = at(x + 1, y); from[2] = at(x, y - 1); from[3] = at(x, y + 1)
  for (i = 0; i < 6; i++) {
    for (k = 0; k < 4; k++) act("irecv " from[k] " 400 tag=" k " request=" k, 1)
    for (k = 0; k < 4; k++) act("send " from[mod(k % 2 ? k - 1 : k + 1, 4)] " 400 tag=" k, 2)
    if (i % 2) first = 0
    else {
      first = settled ? 0 : (i * i * 7919 + r * 31 + n) % 4
      kind = settled ? 0 : (i + r) % 3
    }
    for (k = 0; k < 4; k++) {
      if (i % 2 == 0 && kind == 0) act("wait " (first + k) % 4 (settled ? "" : " called=\"MPI_Waitany\""), 3)
      else if (settled) act("wait " k, 3)
      else if (k == 0) {
        act("testsome 0 1 2 3 done=none", 3)
        act("testsome 0 1 2 3 done=2,0", 3)
      } else if (k == 1) act("waitsome 1 3 done=1,0", 3)
    }
  }
}

# blocks of 1003 elements to the next rank: more for the last ranks, full ones first, between multiples; rounded down
function share (i) {
  if (pattern == "down") return int(1003 / px)
  if (pattern == "later") return int((1003 + i) / n)
  if (pattern == "even") return int((i + 1) * 1003 / n) - int(i * 1003 / n)
  i = 1003 - i * int(1002 / n + 1)
  return i < 0 ? 0 : i < int(1002 / n + 1) ? i : int(1002 / n + 1)
}
function shares (i) {
  for (i = 0; i < 4; i++) {
    act("sendrecv " mod(r + 1, n) " " 8 * share(r) " from=" mod(r - 1, n) " from-bytes=" 8 * share(mod(r - 1, n)))
    act("compute 1ms")
  }
}

function communicators (i, text) {
  if (pattern == "parity")
    for (r = 0; r < 2; r++) {
      text = "comm " r + 1 ":"
      for (i = r; i < n; i += 2) text = text " " i
      print text
    }
  if (pattern == "leaders") {
    for (i = 0; i < n; i += 4) text = text " " i
    for (i = 0; i < n; i += 4) print "comm " node(i) ": " i " " i + 1 " " i + 2 " " i + 3 (i == 0 ? "\ncomm 2:" text : "")
  }
}

BEGIN {
  split(size, sizes, "x")
  px = sizes[1]; py = 2 in sizes ? sizes[2] : 1; pz = 3 in sizes ? sizes[3] : 1
  n = px * py * pz
  print "predictor-trace 1\nranks " n
  communicators()
  for (i = 0; i < 10; i++) print "site " i ": \"styles.c\" " i + 1 " \"main\""
  for (r = 0; r < n; r++) {
    x = int(r / py); y = r % py
    print "rank " r " {"
    if (pattern == "neighbours") neighbours()
    if (pattern == "uneven") uneven()
    if (pattern == "parity") parity()
    if (pattern == "leaders") leaders()
    if (pattern == "layers") layers()
    if (pattern == "sweeps") sweeps()
    if (pattern == "triangle") triangle()
    if (pattern ~ /^(later|full|even|down)$/) shares()
    if (pattern == "anyone") anyone()
    if (pattern == "rows") rows()
    if (pattern == "panels") panels()
    if (pattern == "nodes") nodes()
    if (pattern == "replicas") replicas()
    print "}"
  }
}

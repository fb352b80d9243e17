# Time-independent traces of programs whose structure is known, on any number of ranks:
#   awk -v pattern=halo2d -v n=16 -v px=4 -v py=4 -f patterns.awk
# SPDX-License-Identifier: MIT
function act (text) { print r " " text }
function isend (to, bytes) { act("isend " to " 1 " bytes " 6"); pending++ }
function irecv (from, bytes) { act("irecv " from " 1 " bytes " 6"); pending++ }
function waitall () { if (pending > 0) act("waitall " pending); pending = 0 }
function block (things, parts, i) { return int((things + parts - 1 - i) / parts) }
function mod (a, b) { return (a % b + b) % b }
function xor (a, b,   sum, bit) {
  for (bit = 1; bit <= a || bit <= b; bit *= 2)
    if (int(a / bit) % 2 != int(b / bit) % 2) sum += bit
  return sum + 0
}

function ring (i) {
  for (i = 0; i < 10; i++) {
    irecv(mod(r - 1, n), 4096); isend(mod(r + 1, n), 4096); waitall()
    act("compute " 1e6 / n)
  }
}

function line (i) {
  for (i = 0; i < 10; i++) {
    if (r > 0) { irecv(r - 1, 800); isend(r - 1, 800) }
    if (r < n - 1) { irecv(r + 1, 800); isend(r + 1, 800) }
    waitall()
    act("compute " 1e6 / n)
    if (i % 5 == 4) act("allreduce 8 0")
  }
}

function neighbours2 (width, height) {
  if (x > 0) { irecv(r - py, height); isend(r - py, height) }
  if (x < px - 1) { irecv(r + py, height); isend(r + py, height) }
  if (y > 0) { irecv(r - 1, width); isend(r - 1, width) }
  if (y < py - 1) { irecv(r + 1, width); isend(r + 1, width) }
  waitall()
}

# 1000 x 720 points in uneven blocks
function halo2d (i) {
  x = int(r / py); y = r % py
  for (i = 0; i < 12; i++) {
    neighbours2(8 * block(1000, px, x), 8 * block(720, py, y))
    act("compute " 7.2e8 / n)
    act("allreduce 8 100")
  }
}

function torus2d (i) {
  x = int(r / py); y = r % py
  for (i = 0; i < 12; i++) {
    irecv(mod(x - 1, px) * py + y, 4096); irecv(mod(x + 1, px) * py + y, 4096)
    irecv(x * py + mod(y - 1, py), 2048); irecv(x * py + mod(y + 1, py), 2048)
    isend(mod(x - 1, px) * py + y, 4096); isend(mod(x + 1, px) * py + y, 4096)
    isend(x * py + mod(y - 1, py), 2048); isend(x * py + mod(y + 1, py), 2048)
    waitall()
    act("compute 5e6")
  }
}

function halo3d (i) {
  x = int(r / (py * pz)); y = int(r / pz) % py; z = r % pz
  for (i = 0; i < 5; i++) {
    if (x > 0) { irecv(r - py * pz, 640); isend(r - py * pz, 640) }
    if (x < px - 1) { irecv(r + py * pz, 640); isend(r + py * pz, 640) }
    if (y > 0) { irecv(r - pz, 320); isend(r - pz, 320) }
    if (y < py - 1) { irecv(r + pz, 320); isend(r + pz, 320) }
    if (z > 0) { irecv(r - 1, 160); isend(r - 1, 160) }
    if (z < pz - 1) { irecv(r + 1, 160); isend(r + 1, 160) }
    waitall()
    act("compute 1e6")
  }
}

function wavefront (i) {
  x = int(r / py); y = r % py
  for (i = 0; i < 8; i++) {
    if (x > 0) act("recv " r - py " 1 512 6")
    if (y > 0) act("recv " r - 1 " 1 512 6")
    act("compute 2e5")
    if (x < px - 1) act("send " r + py " 1 512 6")
    if (y < py - 1) act("send " r + 1 " 1 512 6")
  }
}

function transpose (i) {
  x = int(r / py); y = r % py
  for (i = 0; i < 6; i++) {
    irecv(y * py + x, 9216); isend(y * py + x, 9216); waitall()
    act("compute 3e6")
    act("allreduce 16 2")
  }
}

function butterfly (i, k) {
  for (i = 0; i < 7; i++)
    for (k = 1; k < n; k *= 2) {
      irecv(xor(r, k), 1024); isend(xor(r, k), 1024); waitall()
      act("compute 1e5")
    }
}

# sizes double with each round, as in an allgather by recursive doubling
function doubling (i, k) {
  for (i = 0; i < 4; i++) {
    for (k = 1; k < n; k *= 2) { irecv(xor(r, k), 64 * k); isend(xor(r, k), 64 * k); waitall() }
    act("compute 1e5")
  }
}

function everyone (i, k) {
  for (i = 0; i < 3; i++) {
    for (k = 1; k < n; k++) { irecv(mod(r - k, n), 6.4e6 / (n * n)); isend(mod(r + k, n), 6.4e6 / (n * n)); waitall() }
    act("compute " 1e7 / n)
  }
}

# a broadcast by hand: each rank receives from the rank without its lowest bit
function binomial (i, k, low) {
  for (low = 1; low < n && (r == 0 || r % (2 * low) == 0); low *= 2) ;
  for (i = 0; i < 4; i++) {
    if (r > 0) act("recv " r - low " 1 256 6")
    for (k = low / 2; k >= 1; k /= 2) if (r + k < n) act("send " r + k " 1 256 6")
    act("compute 1e6")
  }
}

# an allreduce by hand behind which nothing comes, so that its last round ends the step
function tail (i, k) {
  for (i = 0; i < 7; i++) {
    act("compute 1e5")
    for (k = 1; k < n; k *= 2) { irecv(xor(r, k), 8); isend(xor(r, k), 8); waitall() }
  }
}

# 240 points in each dimension, in uneven blocks: borders are products of two of them
function faces3d (i, local) {
  x = int(r / (py * pz)); y = int(r / pz) % py; z = r % pz
  local[0] = block(240, px, x); local[1] = block(240, py, y); local[2] = block(240, pz, z)
  for (i = 0; i < 5; i++) {
    if (x > 0) { irecv(r - py * pz, 8 * local[1] * local[2]); isend(r - py * pz, 8 * local[1] * local[2]) }
    if (x < px - 1) { irecv(r + py * pz, 8 * local[1] * local[2]); isend(r + py * pz, 8 * local[1] * local[2]) }
    if (y > 0) { irecv(r - pz, 8 * local[0] * local[2]); isend(r - pz, 8 * local[0] * local[2]) }
    if (y < py - 1) { irecv(r + pz, 8 * local[0] * local[2]); isend(r + pz, 8 * local[0] * local[2]) }
    if (z > 0) { irecv(r - 1, 8 * local[0] * local[1]); isend(r - 1, 8 * local[0] * local[1]) }
    if (z < pz - 1) { irecv(r + 1, 8 * local[0] * local[1]); isend(r + 1, 8 * local[0] * local[1]) }
    waitall()
    act("compute 1e6")
  }
}

# blocks of 33 points, with one more at each end
function rim (i) {
  x = int(r / py); y = r % py
  for (i = 0; i < 8; i++) {
    if (x > 0) act("recv " r - py " 1 " 16 * (block(33, py, y) + 2) " 6")
    if (x < px - 1) act("send " r + py " 1 " 16 * (block(33, py, y) + 2) " 6")
    act("compute 2e5")
  }
}

# sums in rows, the farthest partner first, with a tag for each round; then rows and columns change
# places, where there may be twice as many columns
function rows (i, k, rounds, times) {
  x = int(r / py); y = r % py; times = py / px
  for (i = 0; i < 5; i++) {
    rounds = 0
    for (k = py / 2; k >= 1; k /= 2) rounds++
    for (; rounds >= 1; rounds--) {
      k = 2 ^ (rounds - 1)
      act("irecv " x * py + xor(y, k) " " rounds " 8 6")
      act("send " x * py + xor(y, k) " " rounds " 8 6"); act("waitall 1")
    }
    act("compute 1e6")
    k = int(y / times) * py + x * times + y % times
    irecv(k, 4096 / px); isend(k, 4096 / px); waitall()
    act("compute 2e6")
  }
}

# each round half as much, of parts of something
function halves (i, k) {
  x = int(r / py); y = r % py
  for (i = 0; i < 4; i++) {
    for (k = 1; k < px; k *= 2) { irecv(x * py + mod(y - 1, py), 4096 / px / k); isend(x * py + mod(y + 1, py), 4096 / px / k); waitall() }
    act("compute 1e6")
  }
}

# a cube of 38^3 points in cells: a rank has one in each plane, along a diagonal
function edge (i) { return block(38, px, i) }
function faces (cut,   t, sum) {
  for (t = 0; t < px; t++) if (mod(y + t, px) != cut) sum += edge(mod(x - t, px)) * edge(t)
  return 80 * sum
}
function face (i,   t) { t = mod(i - y, px); return 40 * edge(mod(x - t, px)) * edge(t) }
function place (i,   t) { t = mod(i - y, px); return 100 + mod(x - t, px) + px * t }
function cells (i, s) {
  x = int(r / py); y = r % py
  for (i = 0; i < 5; i++) {
    irecv(x * py + mod(y + 1, py), faces(px - 1)); irecv(x * py + mod(y - 1, py), faces(0))
    isend(x * py + mod(y + 1, py), faces(px - 1)); isend(x * py + mod(y - 1, py), faces(0))
    waitall()
    for (s = 0; s < px - 1; s++) {
      act("isend " x * py + mod(y + 1, py) " " place(s) " " face(s) " 6")
      act("irecv " x * py + mod(y - 1, py) " " place(s + 1) " " face(s + 1) " 6")
      act("waitall 2")
      act("compute 1000")
    }
  }
}

function multigrid (i, l) {
  x = int(r / py); y = r % py
  for (i = 0; i < 5; i++) {
    for (l = 0; l < 4; l++) { neighbours2(4096 / 2 ^ l, 4096 / 2 ^ l); act("compute " 1e6 / 4 ^ l) }
    act("allreduce 8 1")
  }
}

# as ../shared/traces/ti/jacobi2d: 64 KiB of an edge shared by the ranks along it
function jacobi2d (i, across, along, side) {
  x = int(r / py); y = r % py; across = block(8192, py, y); along = block(8192, px, x)
  for (i = 1; i <= 100; i++) {
    for (side = 0; side < 8; side++) {
      if (side % 4 == 0 && x > 0) jacobi_call(side, r - py, across)
      if (side % 4 == 1 && x < px - 1) jacobi_call(side, r + py, across)
      if (side % 4 == 2 && y > 0) jacobi_call(side, r - 1, along)
      if (side % 4 == 3 && y < py - 1) jacobi_call(side, r + 1, along)
    }
    waitall()
    act("compute " sprintf("%.15g", 335544320 / n))
    if (i % 10 == 0) act("allreduce 1 0 0 ")
  }
}
# first all receives, then all sends, whose tags are those of the other side
function jacobi_call (side, other, b) {
  act((side < 4 ? "irecv " other " " side + 1 : "isend " other " " (side % 2 == 0 ? side - 2 : side - 4)) " " b " 0")
  pending++
}

# levels until blocks have two points: sizes and computation by level, the fewer the more ranks
function shrinking (i, m) {
  x = int(r / py); y = r % py
  for (i = 0; i < 5; i++) {
    for (m = 256; m / px >= 2; m /= 2) { act("compute " 1e6 * m); neighbours2(8 * m / py, 8 * m / px) }
    act("allreduce 8 1")
  }
}

function collectives (i) {
  for (i = 0; i < 6; i++) {
    act("bcast 1000 0 6"); act("compute 1e6"); act("reduce 80 20 0 6")
    act("alltoall " 65536 / n " " 65536 / n " 6 6"); act("barrier")
  }
}

# computation that differs each time and on each rank, in nested loops; with turns != "" tags tell
# the repetitions apart
function uneven (i, k) {
  for (i = 0; i < 9; i++) {
    for (k = 0; k < 3; k++) act("compute " 1000 + (r * 7919 + i * 104729 + k * 15485863) % 1009)
    act("irecv " mod(r - 1, n) " " (turns != "" ? i : 5) " 4096 6")
    act("isend " mod(r + 1, n) " " (turns != "" ? i : 5) " 4096 6")
    act("waitall 2")
    for (k = 0; k < 3; k++) {
      act("compute " 500 + (r * 31 + i * 17 + k * 1299709) % 97)
      act("bcast 800 0 6")
    }
  }
}

# ranks of the first half serve one of the second each
function servers (i) {
  for (i = 0; i < 4; i++) {
    if (r < n / 2) { act("send " r + n / 2 " 1 300 6"); act("recv " r + n / 2 " 1 400 6") }
    else { act("recv " r - n / 2 " 1 300 6"); act("send " r - n / 2 " 1 400 6") }
    act("compute 1e5")
  }
}

# groups of four: their first ranks collect, exchange in a ring, and distribute
function nodes (i, k, first) {
  first = r - r % 4
  for (i = 0; i < 5; i++) {
    act("compute 1e6")
    if (r % 4) act("send " first " 1 1000 6")
    else {
      for (k = 1; k < 4; k++) act("recv " r + k " 1 1000 6")
      irecv(mod(r - 4, n), 4000); isend(mod(r + 4, n), 4000); waitall()
      for (k = 1; k < 4; k++) act("send " r + k " 1 500 6")
    }
    if (r % 4) act("recv " first " 1 500 6")
  }
}

# a line whose edges are as wide as two ranks
function far (i, k) {
  for (i = 0; i < 6; i++) {
    for (k = -2; k <= 2; k++) if (k && r + k >= 0 && r + k < n) irecv(r + k, 1600 / (k * k))
    for (k = -2; k <= 2; k++) if (k && r + k >= 0 && r + k < n) isend(r + k, 1600 / (k * k))
    waitall()
    act("compute " 1e6 / n)
  }
}

# a sort that exchanges with neighbours by turns; those at the ends rest every second time
function oddeven (i, other) {
  for (i = 0; i < n; i++) {
    other = (r + i) % 2 ? r - 1 : r + 1
    if (other < 0 || other >= n) continue
    irecv(other, 262144 / n); isend(other, 262144 / n); waitall()
    act("compute " 65536 / n)
  }
}

# blocks of a matrix that move by as many places as the number of the row, then by one: no rule of
# partners has a distance that is a coordinate, yet small squares have one that explains them
function cannon (k, bytes) {
  x = int(r / py); y = r % py
  bytes = 8 * (1200 / px) ^ 2
  if (x) { irecv(x * py + mod(y + x, py), bytes); isend(x * py + mod(y - x, py), bytes); waitall() }
  if (y) { irecv(mod(x + y, px) * py + y, bytes); isend(mod(x - y, px) * py + y, bytes); waitall() }
  for (k = 0; k < px; k++) {
    act("compute 1e6")
    if (k == px - 1) break
    irecv(x * py + mod(y + 1, py), bytes); isend(x * py + mod(y - 1, py), bytes)
    irecv(mod(x + 1, px) * py + y, bytes); isend(mod(x - 1, px) * py + y, bytes); waitall()
  }
}

# uneven blocks, which the first rank deals out, and collects from the last one on
function dealt (i) {
  if (r == 0) for (i = 1; i < n; i++) act("send " i " 1 " 8 * block(5003, n, i) " 6")
  else act("recv 0 1 " 8 * block(5003, n, r) " 6")
  act("compute 1e6")
  if (r == 0) for (i = n - 1; i > 0; i--) act("recv " i " 1 " 8 * block(5003, n, i) " 6")
  else act("send 0 1 " 8 * block(5003, n, r) " 6")
}

# refused: the partner of each message is drawn
function scattered (i) {
  for (i = 0; i < 6; i++) { isend((r * 7919 + i * 104729) % 10007 % n, 64); act("compute 1e5") }
  waitall()
}

BEGIN {
  for (r = 0; r < n; r++) {
    pending = 0
    act("init")
    if (pattern == "ring") ring()
    else if (pattern == "line") line()
    else if (pattern == "halo2d") halo2d()
    else if (pattern == "torus2d") torus2d()
    else if (pattern == "halo3d") halo3d()
    else if (pattern == "wavefront") wavefront()
    else if (pattern == "transpose") transpose()
    else if (pattern == "butterfly") butterfly()
    else if (pattern == "doubling") doubling()
    else if (pattern == "everyone") everyone()
    else if (pattern == "binomial") binomial()
    else if (pattern == "multigrid") multigrid()
    else if (pattern == "jacobi2d") jacobi2d()
    else if (pattern == "shrinking") shrinking()
    else if (pattern == "collectives") collectives()
    else if (pattern == "uneven") uneven()
    else if (pattern == "tail") tail()
    else if (pattern == "faces3d") faces3d()
    else if (pattern == "rim") rim()
    else if (pattern == "rows") rows()
    else if (pattern == "halves") halves()
    else if (pattern == "cells") cells()
    else if (pattern == "servers") servers()
    else if (pattern == "nodes") nodes()
    else if (pattern == "far") far()
    else if (pattern == "dealt") dealt()
    else if (pattern == "cannon") cannon()
    else if (pattern == "oddeven") oddeven()
    else if (pattern == "scattered") scattered()
    act("finalize")
  }
}

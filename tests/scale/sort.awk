# A sort on n ranks: what a rank sends to another one, and to its neighbour, depends on the keys:
#   awk -v n=16 -f sort.awk
# SPDX-License-Identifier: MIT
function part (i, from, to) {
  return 8 * int(65536 / (n * n) * (0.5 + (from * 7919 + to * 104729 + i * 1299709 + from * to * 31) % 1009 / 1009))
}
BEGIN {
  print "predictor-trace 1\nranks " n
  for (r = 0; r < n; r++) {
    print "rank " r " {"
    for (i = 0; i < 4; i++) {
      sent = got = ""
      sum = 0
      for (k = 0; k < n; k++) {
        sent = sent "," part(i, r, k)
        got = got "," part(i, k, r)
        sum += part(i, r, k)
      }
      print "  compute " 16 / n "ms\n  alltoallv " int(sum / n) " send=[" substr(sent, 2) "] recv=[" substr(got, 2) "]"
      print "  sendrecv " (r + 1) % n " " part(i, r, (r + 1) % n) " from=" (r + n - 1) % n " from-bytes=" part(i, (r + n - 1) % n, r)
    }
    print "}"
  }
}

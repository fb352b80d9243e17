# A large program for a peer and for Predictor, in $dir.
#   awk -v what=PROGRAM -v n=RANKS -v rounds=N -v dir=DIR -f generate-large.awk
# Programs:
#   goal-halo      DIR/program.goal: text GOAL, a square of ranks: a computation, then messages to and from
#                  four neighbours, each round; 9 operations a rank and round
#   goal-alltoall  likewise: every rank sends to all others, each round
#   dim-ring       DIR/trace.dim, DIR/machine.cfg: computation, a message to the next task, one from the last
#   dim-halo       likewise, a square of tasks, four neighbours
# SPDX-License-Identifier: MIT

function neighbour(rank, side, k,   x, y) {
  x = rank % side
  y = int(rank / side)
  if (k == 0) return y * side + (x + 1) % side
  if (k == 1) return y * side + (x + side - 1) % side
  if (k == 2) return (y + 1) % side * side + x
  return (y + side - 1) % side * side + x
}

function opposite(k) { return k % 2 == 0 ? k + 1 : k - 1 }

# A round of the halo: its computation needs all of the round before.
function goal_round(rank, side, r, file,   k) {
  printf "c%d: calc %d\n", r, 10000 + rank * 7919 % 1000 >file
  for (k = 0; r > 0 && k < 4; k++)
    printf "c%d requires s%d_%d\nc%d requires r%d_%d\n", r, r - 1, k, r, r - 1, k >file
  for (k = 0; k < 4; k++) {
    printf "s%d_%d: send 1024b to %d tag %d\n", r, k, neighbour(rank, side, k), k >file
    printf "r%d_%d: recv 1024b from %d tag %d\n", r, k, neighbour(rank, side, k), opposite(k) >file
    printf "s%d_%d requires c%d\nr%d_%d requires c%d\n", r, k, r, r, k, r >file
  }
}

function goal_all(rank, r, file,   i, peer) {
  printf "c%d: calc 1000\n", r >file
  for (i = 1; i < n; i++) {
    peer = (rank + i) % n
    printf "s%d_%d: send 64b to %d tag %d\ns%d_%d requires c%d\n", r, i, peer, r, r, i, r >file
    peer = (rank + n - i) % n
    printf "r%d_%d: recv 64b from %d tag %d\nr%d_%d requires c%d\n", r, i, peer, r, r, i, r >file
  }
}

function write_goal(   file, rank, r, side) {
  file = dir "/program.goal"
  side = int(sqrt(n) + 0.5)
  printf "num_ranks %d\n", n >file
  for (rank = 0; rank < n; rank++) {
    printf "rank %d {\n", rank >file
    for (r = 0; r < rounds; r++)
      if (what == "goal-halo") goal_round(rank, side, r, file)
      else goal_all(rank, r, file)
    printf "}\n" >file
  }
}

function dim_round(task, side,   text, k, n_peers, peer) {
  text = sprintf("1:%d:0:0.%09d\n", task, 20000 + task * 7919 % 1000)
  n_peers = what == "dim-ring" ? 1 : 4
  for (k = 0; k < n_peers; k++) {
    peer = n_peers == 1 ? (task + 1) % n : neighbour(task, side, k)
    text = text sprintf("2:%d:0:%d:-1:1024:%d:1:0\n", task, peer, k)
  }
  for (k = 0; k < n_peers; k++) {
    peer = n_peers == 1 ? (task + n - 1) % n : neighbour(task, side, k)
    text = text sprintf("3:%d:0:%d:-1:1024:%d:1:0\n", task, peer, n_peers == 1 ? k : opposite(k))
  }
  return text
}

function write_dim(   file, task, r, comm, each, head, at, side, begin) {
  file = dir "/trace.dim"
  side = int(sqrt(n) + 0.5)
  comm = "d:1:1:" n
  for (task = 0; task < n; task++) {
    comm = comm ":" task
    each = each (task > 0 ? "," : "") 1
  }
  comm = comm "\n"
  head = ":" n "(" each "),1\n"
  at = length("#DIMEMAS:\"large\":1,") + 20 + length(head) + length(comm)
  for (task = 0; task < n; task++) {
    begin[task] = at
    at += rounds * length(dim_round(task, side))
  }
  printf "#DIMEMAS:\"large\":1,%020d%s%s", at, head, comm >file
  for (task = 0; task < n; task++)
    for (r = 0; r < rounds; r++)
      printf "%s", dim_round(task, side) >file
  for (task = 0; task < n; task++)
    print "s:" task ":" begin[task] >file
}

function write_machine(   file) {
  file = dir "/machine.cfg"
  printf "#DIMEMAS_CONFIGURATION\n\n" >file
  printf "\"wide area network information\" {\"\", 1, 0, 4, 0.0, 0.0, 1};;\n" >file
  printf "\"environment information\" {\"\", 0, \"\", %d, 1000.0, 0, 1};;\n", n >file
  printf "\"multi node information\" {0, %d, \"\", 1, 1.0, 0.0, 0.0, 0, 1, 0, 5e-06, 0, 0, 0.0};;\n", n >file
  printf "\"predefined mapping information\" {\"FILL_NODES\"};;\n" >file
  printf "\"configuration files\" {\"\", \"\", \"\", \"\"};;\n" >file
  printf "\"file system parameters\" {0.0, 0.0, 8.0, 0, 1.0};;\n" >file
}

BEGIN {
  if (what ~ /^goal-/)
    write_goal()
  else {
    write_dim()
    write_machine()
  }
}

# A random program of Dimemas and a machine for it: DIR/trace.dim, DIR/machine.cfg.
#   awk -v class=CLASS -v seed=N -v dir=DIR -f random.awk -f generate-dim.awk
# Operations are drawn one after the other for the whole program, so that none can wait for ever;
# tags are used once. Classes:
#   p2p          messages; no two things happen at one moment
#   ties         messages; much happens at one moment
#   collectives  collective operations and messages, buses unlimited
#   buses        collective operations and messages, few buses
#   reduce       MPI_Reduce as prv2dim writes it, and messages
#   nonblocking  non-blocking collective operations and messages
#   nodes        several tasks on a node
#   itself       likewise, messages of tasks to themselves among them
#   links        several tasks on a node, which have several buses and links, as the network has;
#                collective operations, too
#   parts        collective operations of communicators with a part of the tasks, and messages
#   speeds       tasks on nodes of different speeds, memories and numbers of processors, or dealt to
#                such nodes in turn; collective operations, too
#   costs        collective operations of all kinds, whose costs a file of their own describes
#   events       events that change the speed of computation, and messages
# SPDX-License-Identifier: MIT

function chance(percent) { return draw(100) < percent }

function record(task, text) { records[task] = records[task] text "\n" }

function burst(task,   seconds) {
  if (is_tied) {
    seconds = pick("0.000010000 0.001000000 0.5 0.5 1.0")
    if (chance(30))
      record(task, "1:" task ":0:" seconds)
  } else if (chance(60))
    record(task, sprintf("1:%d:0:0.%09d", task, 1 + draw(50000) * 9973 % 999999937))
}

function size() {
  return is_tied ? pick("0 8 524288 1048576 1048576") : pick("0 8 1000 65536 300007") + draw(1000)
}

# A receive that has been posted is waited for.
function await(task,   i) {
  i = first[task]++
  record(task, pending[task, i] ":2")
}

# A part of a task in an event of one of four values, the last without a speed.
function part(   task, value) {
  task = draw(n)
  value = 1 + draw(4)
  record(task, "20:" task ":0:60000019:" value)
  burst(task)
  if (chance(30))
    burst(task)
  record(task, "20:" task ":0:60000019:0")
}

function message(   from, to, bytes, tag, sync, kind, common) {
  from = draw(n)
  to = class == "itself" && chance(40) ? from : (from + 1 + draw(n - 1)) % n
  bytes = size()
  sync = pick("0 1 1 2 3")
  burst(from)
  burst(to)
  tag = n_tags++
  common = ":-1:" bytes ":" tag ":1"
  if (to == from || chance(50)) {
    record(to, "3:" to ":0:" from common ":1")
    pending[to, last[to]++] = "3:" to ":0:" from common
    record(from, "2:" from ":0:" to common ":" sync)
    if (chance(60))
      await(to)
    return
  }
  record(from, "2:" from ":0:" to common ":" sync)
  record(to, "3:" to ":0:" from common ":0")
}

function collective(   op, root, task, sent, received, is_root, sync, comm) {
  op = class == "reduce" ? 10 : pick(class == "costs" ? "0 1 2 3 4 5 6 7 8 9 11 12 14" : "0 1 2 4 6 8 11 11 14")
  comm = class == "parts" ? 1 + draw(n_comms) : 1
  do
    root = draw(n)
  while (!((comm, root) in members))
  sent = size()
  received = size()
  sync = op == 10 ? 3 : class == "nonblocking" ? 0 : 1
  for (task = 0; task < n; task++) {
    if (!((comm, task) in members))
      continue
    burst(task)
    is_root = op == 10 ? root : (op == 0 || op > 4) ? 0 : task == root
    record(task, "10:" task ":0:" op ":" comm ":" is_root ":0:" sent ":" received ":" sync)
    if (class == "nonblocking") {
      burst(task)
      record(task, "10:" task ":0:" op ":" comm ":" is_root ":0:" sent ":" received ":2")
    }
  }
}

# The first communicator has all tasks; each other one has any of them.
function draw_communicators(   comm, task) {
  n_comms = class == "parts" ? 2 + draw(3) : 1
  for (comm = 1; comm <= n_comms; comm++) {
    for (task = 0; task < n; task++)
      if (comm == 1 || chance(60))
        members[comm, task]
    members[comm, comm % n]
  }
}

# Nodes differ in all but their links and the latency of the network.
function write_nodes(file, rest,   node) {
  for (node = 0; node < nodes; node++)
    printf("\"node information\" {0, %d, \"\", %d, %s, %s, %s, %d, %d, %d, %s, 0.0};;\n", node,
           width[node], pick("1.0 1.0 2.0 0.5 1.25"), pick("0.0 1e-06"), pick("0.0 100.0"),
           draw(3), 1 + draw(2), draw(2), rest) >file
}

# DIR/costs.cfg, for half of the operations.
function write_costs(   op, fan, line, file) {
  file = dir "/costs.cfg"
  for (op = 0; op < 15; op++) {
    if (op == 10 || op == 13 || chance(50))
      continue
    line = ""
    for (fan = 0; fan < 2; fan++)
      line = line " " pick("0 CTE LIN LOG") " " pick("MIN MAX MEAN 2MAX S+R")
    print "Machine globalop: 0 " op line >file
  }
  print "" >file
}

function write_machine(file,   buses, latency, inner, links) {
  buses = pick("0 1 1 2 3")
  if (class == "collectives" || class == "nonblocking")
    buses = 0
  else if (class == "buses")
    buses = 1 + draw(3)
  else if (class == "links")
    buses = 2 + draw(3)
  latency = is_tied ? pick("0.0 1e-05 1e-05 0.5") : pick("0.0 1e-06 1e-05")
  inner = "0.0, 0.0, 0, 1, 0"
  if (width[0] > 1)
    inner = pick("0.0 1e-06") ", " pick("0.0 100.0") ", " \
            (class == "links" ? 2 + draw(3) : pick("0 1 2")) ", " 1 + draw(2) ", " \
            (class == "links" ? draw(3) : 0)
  printf "#DIMEMAS_CONFIGURATION\n\n" >file
  printf "\"wide area network information\" {\"\", 1, 0, 4, 0.0, 0.0, 1};;\n" >file
  printf("\"environment information\" {\"\", 0, \"\", %d, %s, %d, %d};;\n", nodes,
         is_tied ? pick("1.0 1.0 2.0") : pick("1.0 10.0 100.0"), buses, 1 + draw(3)) >file
  links = class == "links" ? 1 + draw(3) ", " 1 + draw(3) : pick("0 1 1 2") ", " pick("0 1 1 2")
  if (class == "speeds")
    write_nodes(file, latency ", " links)
  else
    printf("\"multi node information\" {0, %d, \"\", %d, 1.0, %s, %s, %s, 0.0};;\n", nodes, width[0],
           inner, latency, links) >file
  printf "\"predefined mapping information\" {\"" map "\"};;\n" >file
  if (class == "costs")
    write_costs()
  printf "\"configuration files\" {\"\", \"\", \"%s\", \"\"};;\n", class == "costs" ? "costs.cfg" : "" >file
  for (i = 1; i <= 3 && class == "events"; i++)
    printf "\"modules information\" {%d, %d, %s};;\n", 60000019, i, pick("0.5 2.0 4.0") >file
  printf "\"file system parameters\" {0.0, 0.0, 8.0, 0, 1.0};;\n" >file
}

# All communicators.
function communicators(   comm, task, n_tasks, list, text) {
  for (comm = 1; comm <= n_comms; comm++) {
    list = ""
    n_tasks = 0
    for (task = 0; task < n; task++)
      if ((comm, task) in members) {
        list = list ":" task
        n_tasks++
      }
    text = text "d:1:" comm ":" n_tasks list "\n"
  }
  return text
}

function write_trace(file,   task, head, at, offsets, comm) {
  comm = communicators()
  head = ""
  for (task = 0; task < n; task++)
    head = head (task > 0 ? "," : "") 1
  head = ":" n "(" head ")," n_comms "\n"
  at = length("#DIMEMAS:\"random\":1,") + 20 + length(head) + length(comm)
  for (task = 0; task < n; task++) {
    offsets[task] = at
    at += length(records[task])
  }
  printf "#DIMEMAS:\"random\":1,%020d%s%s", at, head, comm >file
  for (task = 0; task < n; task++)
    printf "%s", records[task] >file
  for (task = 0; task < n; task++)
    print "s:" task ":" offsets[task] >file
}

BEGIN {
  state = (seed * 7919 + 1) % 2147483647
  for (i = 0; i < 10; i++)
    draw(2)
  is_tied = class == "ties" || (class != "p2p" && chance(30))
  all = class ~ /^(nodes|itself|links|speeds)$/ ? 2 + draw(2) : 1
  nodes = 2 + draw(4)
  map = class == "speeds" ? pick("FILL_NODES INTERLEAVED") : "FILL_NODES"
  for (node = n = 0; node < nodes; node++)
    n += width[node] = class == "speeds" && map == "FILL_NODES" ? 1 + draw(3) : all
  draw_communicators()
  for (task = 0; task < n; task++)
    record(task, sprintf("1:%d:0:0.%09d\n20:%d:0:40000001:1", task,
                         is_tied ? 1000 : 1000 + draw(100000), task))
  n_operations = 4 + draw(class == "ties" ? 26 : 36)
  for (i = 0; i < n_operations; i++)
    if (class == "events" && chance(40))
      part()
    else if (class !~ /^(p2p|ties|nodes|itself|events)$/ && chance(40))
      collective()
    else
      message()
  for (task = 0; task < n; task++) {
    while (first[task] < last[task])
      await(task)
    record(task, "1:" task ":0:0.000001000")
  }
  write_machine(dir "/machine.cfg")
  write_trace(dir "/trace.dim")
}

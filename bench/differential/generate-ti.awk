# A random time-independent program and a platform for it: DIR/trace.ti, DIR/list (of the files of
# the ranks), DIR/hosts, DIR/platform.xml, DIR/simgrid (options of smpirun), DIR/predictor (options).
#   awk -v class=CLASS -v seed=N -v dir=DIR -f random.awk -f generate-ti.awk
# Operations are drawn one after the other for the whole program, so that none can wait for ever.
# Classes:
#   star         one rank on each host of a star
#   collectives  a star, collective operations of SMPI's default besides messages
#   test         a star, non-blocking sends, and receives that are asked for before they are awaited
#   hosts        several ranks on each host of a star, each with a core
#   mixed        likewise; small messages are sent at once, larger ones detached, the largest synchronously
#   crossbar     hosts joined by links that are not shared, collective operations besides messages
#   speeds       likewise hosts of different speeds, without collective operations
#   torus        of up to three dimensions
#   dragonfly    groups of one chassis
#   chassis      groups of several chassis
#   cores        several ranks on each host of a torus, of groups of one or several chassis, or of a fat
#                tree, and collective operations besides messages
#   operations   collective operations of all kinds, on a star or several cores of each host
#   fattree      of one to three levels, with as many links up as down or half of them
# SPDX-License-Identifier: MIT

function chance(percent) { return draw(100) < percent }

function record(rank, text) {
  print rank " " text >(dir "/trace.ti")
  print rank " " text >(dir "/" rank ".txt")
}

function compute(rank) {
  if (draw(100) < 70)
    record(rank, "compute " 1 + draw(50000) * 997)
}

function await(rank,   i) {
  i = first[rank]++
  record(rank, "wait " pending[rank, i])
}

# Asked for while it may still be under way.
function ask(rank) {
  record(rank, "test " pending[rank, first[rank] + 0])
}

function message(   from, to, bytes, tag) {
  from = draw(n)
  to = (from + 1 + draw(n - 1)) % n
  bytes = pick("0 8 1000 65536 300007") + draw(1000)
  tag = n_tags++
  compute(from)
  compute(to)
  if (draw(100) < 50) {
    record(to, "irecv " from " " tag " " bytes " 6")
    pending[to, last[to]++] = from " " to " " tag
    if (may_ask && draw(100) < 50) {
      record(from, "isend " to " " tag " " bytes " 6")
      pending[from, last[from]++] = from " " to " " tag
    } else
      record(from, "send " to " " tag " " bytes " 6")
    if (may_ask && draw(100) < 50) {
      compute(to)
      ask(to)
    }
    if (draw(100) < 60)
      await(to)
    return
  }
  record(from, "send " to " " tag " " bytes " 6")
  record(to, "recv " from " " tag " " bytes " 6")
}

# The amounts of all ranks, with one of 0 now and then, in "counts"; and their sum.
function draw_counts(bytes,   i, sum) {
  counts = ""
  for (i = 0; i < n; i++) {
    count[i] = chance(15) ? 0 : bytes + draw(1000)
    counts = counts " " count[i]
    sum += count[i]
  }
  return sum
}

# The bytes from each rank to each other one and to itself.
function draw_matrix(bytes,   i, k) {
  for (i = 0; i < n; i++)
    for (k = 0; k < n; k++)
      matrix[i, k] = chance(15) ? 0 : bytes + draw(1000)
}

function exchange(rank,   k, sent, received, to, from) {
  for (k = 0; k < n; k++) {
    to = to " " matrix[rank, k]
    from = from " " matrix[k, rank]
    sent += matrix[rank, k]
    received += matrix[k, rank]
  }
  return sent to " " received from
}

function fields(op, rank, bytes, root) {
  if (op == "barrier")
    return ""
  if (op == "bcast")
    return bytes " " root " 6"
  if (op == "reduce")
    return bytes " 0 " root " 6"
  if (op ~ /^(allreduce|scan|exscan)$/)
    return bytes " 0 6"
  if (op ~ /^(alltoall|allgather)$/)
    return bytes " " bytes " 6 6"
  if (op ~ /^(gather|scatter)$/)
    return bytes " " bytes " " root " 6 6"
  if (op == "gatherv")
    return count[rank] counts " " root " 6 6"
  if (op == "allgatherv")
    return count[rank] counts
  if (op == "scatterv")
    return substr(counts, 2) " " count[rank] " " root " 6 6"
  if (op == "reducescatter")
    return substr(counts, 2) " 0 0" # doubles: the limit of an algorithm is one of elements, here of 8 bytes
  return exchange(rank)
}

function collective(   rank, op, bytes, root) {
  op = pick("barrier bcast reduce allreduce alltoall" (class == "operations" ? \
            " allgather gather scatter scan exscan gatherv allgatherv scatterv reducescatter alltoallv" : ""))
  bytes = pick("8 1000 65536") + draw(1000)
  root = draw(n)
  if (op ~ /v$|reducescatter/)
    draw_counts(bytes)
  if (op == "alltoallv")
    draw_matrix(bytes)
  for (rank = 0; rank < n; rank++) {
    compute(rank)
    record(rank, op (op == "barrier" ? "" : " ") fields(op, rank, bytes, root))
  }
}

# How many hosts, and how they are arranged.
function choose_hosts(   i) {
  hosts = class == "hosts" ? 2 + draw(3) : 2 + draw(5)
  per_host = class ~ /^(hosts|cores)$/ || (class == "operations" && chance(40)) ? 2 + draw(2) : 1
  kind = class == "cores" ? pick("torus dragonfly chassis fattree") : class
  if (kind == "torus") {
    hosts = shape[1] = 2 + draw(4)
    for (i = 2; i <= 3 && draw(100) < 60; i++)
      hosts *= shape[i] = 2 + draw(i == 2 ? 3 : 2)
  }
  if (kind == "fattree") {
    shape[1] = 2 + draw(3)
    shape[2] = shape[1] % 2 == 0 ? 1 + draw(2) : 1
    shape[3] = 1 + draw(shape[1] < 4 ? 3 : 2)
    hosts = shape[1] ^ shape[3]
  }
  if (kind == "dragonfly" || kind == "chassis") {
    shape[1] = 2 + draw(2)
    shape[2] = kind == "chassis" ? 2 + draw(2) : 1
    shape[3] = shape[1] + draw(3)
    shape[4] = 1 + draw(2)
    hosts = shape[1] * shape[2] * shape[3] * shape[4]
  }
  for (i = 0; i < hosts; i++)
    speed[i] = class == "crossbar" ? 1 : 1 + draw(4)
}

# ---- platforms: each writes the inside of <platform>, and returns the machine

function cluster(topology) {
  if (per_host > 1)
    topology = topology " loopback_lat=\"100ns\" loopback_bw=\"10000000000Bps\""
  printf "<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-%d\" speed=\"1Gf\" core=\"%d\" " \
         "bw=\"%dBps\" lat=\"%dns\" %s sharing_policy=\"SPLITDUPLEX\"/>\n",
         hosts - 1, per_host, bandwidth, latency, topology >platform
}

function nic() {
  return ",nic-latency=" latency "ns,nic-bandwidth=" bandwidth "B/s"
}

function links() {
  return "latency=" latency "ns,bandwidth=" bandwidth "B/s"
}

function write_star() {
  cluster("")
  return "star" nic()
}

function write_torus(   i, extents, dimensions) {
  for (i = 1; i in shape; i++) {
    extents = extents (i > 1 ? "," : "") shape[i]
    dimensions = shape[i] (i > 1 ? "x" : "") dimensions
  }
  cluster("topology=\"TORUS\" topo_parameters=\"" extents "\"")
  return "torus,dimensions=" dimensions "," links() ",nic-bandwidth=100TB/s,compat=simgrid"
}

function write_dragonfly() {
  cluster("topology=\"DRAGONFLY\" topo_parameters=\"" shape[1] ",1;" shape[2] ",1;" shape[3] \
          ",1;" shape[4] "\"")
  return "dragonfly,gates=numbered,compat=simgrid,groups=" shape[1] ",chassis=" shape[2] ",routers=" \
         shape[2] * shape[3] ",hosts=" shape[4] nic() "," links()
}

# As many switches above as each one's links up; between two of them is one link.
function write_fat_tree(   i, down, up, counts) {
  for (i = 1; i <= shape[3]; i++) {
    down = down (i > 1 ? "," : "") shape[1]
    up = up (i > 1 ? "," : "") (i > 1 ? shape[1] / shape[2] : 1)
    counts = counts (i > 1 ? "," : "") 1
  }
  cluster("topology=\"FAT_TREE\" topo_parameters=\"" shape[3] ";" down ";" up ";" counts "\"")
  return "fat-tree,arity=" shape[1] ",levels=" shape[3] ",oversubscription=" shape[2] nic() "," links()
}

# Hosts of different speeds; the link between them is never shared.
function write_crossbar(   i, k, list) {
  print "<zone id=\"z\" routing=\"Full\">" >platform
  for (i = 0; i < hosts; i++) {
    printf "<host id=\"h%d\" speed=\"%dGf\"/>\n", i, speed[i] >platform
    list = list (i > 0 ? ":" : "") speed[i]
  }
  printf "<link id=\"l\" bandwidth=\"%dBps\" latency=\"%dns\" sharing_policy=\"FATPIPE\"/>\n",
         bandwidth, latency >platform
  for (i = 0; i < hosts; i++)
    for (k = i + 1; k < hosts; k++)
      printf "<route src=\"h%d\" dst=\"h%d\"><link_ctn id=\"l\"/></route>\n", i, k >platform
  print "</zone>" >platform
  return "crossbar," links() (class == "speeds" ? ",speeds=" list : "")
}

# SMPI compares with the first size that is treated in another way.
function protocol() {
  if (way == "mixed")
    return "eager=" small - 1 ",detached=" large - 1 ",control=free"
  return way == "eager" ? "eager=1GB" : way == "detached" ? "eager=none,detached=1GB" : \
         "eager=none,control=free"
}

function write_platform(   i, machine) {
  print "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM " \
        "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">" >platform
  if (kind == "torus")
    machine = write_torus()
  else if (kind == "dragonfly" || kind == "chassis")
    machine = write_dragonfly()
  else if (kind == "fattree")
    machine = write_fat_tree()
  else if (class == "speeds" || class == "crossbar")
    machine = write_crossbar()
  else
    machine = write_star()
  print "</platform>" >platform
  if (per_host > 1)
    machine = machine ",processors-per-node=" per_host ",memory-startup=100ns,memory-per-byte=0.1ns"
  print "-m flow:topology=" machine ",sharing=rtt,envelope=16,collectives=smpi,nodes=" hosts "," \
        protocol() >(dir "/predictor")
  for (i = 0; i < n; i++)
    print "h" int(i / per_host) >(dir "/hosts")
}

function write_options(file) {
  print "--cfg=network/optim:Full --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1" \
        " --cfg=network/weight-S:0" \
        " --cfg=smpi/os:0:0:0 --cfg=smpi/ois:0:0:0 --cfg=smpi/or:0:0:0 --cfg=smpi/test:0" \
        " --cfg=smpi/async-small-thresh:" small " --cfg=smpi/send-is-detached-thresh:" large >file
}

BEGIN {
  state = (seed * 7919 + 1) % 2147483647
  for (i = 0; i < 10; i++)
    draw(2)
  choose_hosts()
  n = hosts * per_host
  may_ask = class == "test" || class == "mixed"
  has_collectives = class ~ /^(collectives|hosts|mixed|crossbar|fattree|cores|operations)$/
  way = class == "mixed" ? class : pick("eager detached sync")
  small = way == "eager" ? 1000000000 : way == "mixed" ? pick("500 1500 70000") : 0
  large = way == "sync" ? 0 : way == "mixed" ? pick("1500 70000 300500") : 1000000000
  if (large < small)
    large = small
  for (rank = 0; rank < n; rank++) {
    record(rank, "init")
    print dir "/" rank ".txt" >(dir "/list")
  }
  n_operations = 5 + draw(30)
  for (i = 0; i < n_operations; i++)
    if (has_collectives && draw(100) < 40)
      collective()
    else
      message()
  for (rank = 0; rank < n; rank++) {
    while (first[rank] < last[rank])
      await(rank)
    record(rank, "finalize")
  }
  latency = pick("1000 5000 50000")
  bandwidth = pick("100000000 1000000000")
  platform = dir "/platform.xml"
  write_platform()
  write_options(dir "/simgrid")
}

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
#   fattree      of one to three levels, with as many links up as down or half of them
# SPDX-License-Identifier: MIT

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

function collective(   rank, op, bytes, root) {
  op = pick("barrier bcast reduce allreduce alltoall")
  bytes = pick("8 1000 65536") + draw(1000)
  root = draw(n)
  for (rank = 0; rank < n; rank++) {
    compute(rank)
    if (op == "barrier")
      record(rank, op)
    else if (op == "bcast")
      record(rank, op " " bytes " " root " 6")
    else if (op == "reduce")
      record(rank, op " " bytes " 0 " root " 6")
    else if (op == "allreduce")
      record(rank, op " " bytes " 0 6")
    else
      record(rank, op " " bytes " " bytes " 6 6")
  }
}

# How many hosts, and how they are arranged.
function choose_hosts(   i) {
  hosts = class == "hosts" ? 2 + draw(3) : 2 + draw(5)
  per_host = class == "hosts" ? 2 + draw(2) : 1
  if (class == "torus") {
    hosts = shape[1] = 2 + draw(4)
    for (i = 2; i <= 3 && draw(100) < 60; i++)
      hosts *= shape[i] = 2 + draw(i == 2 ? 3 : 2)
  }
  if (class == "fattree") {
    shape[1] = 2 + draw(3)
    shape[2] = shape[1] % 2 == 0 ? 1 + draw(2) : 1
    shape[3] = 1 + draw(shape[1] < 4 ? 3 : 2)
    hosts = shape[1] ^ shape[3]
  }
  if (class == "dragonfly" || class == "chassis") {
    shape[1] = 2 + draw(2)
    shape[2] = class == "chassis" ? 2 + draw(2) : 1
    shape[3] = shape[1] + draw(3)
    shape[4] = 1 + draw(2)
    hosts = shape[1] * shape[2] * shape[3] * shape[4]
  }
  for (i = 0; i < hosts; i++)
    speed[i] = class == "crossbar" ? 1 : 1 + draw(4)
}

# ---- platforms: each writes the inside of <platform>, and returns the machine

function cluster(topology,   i) {
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
  if (per_host == 1) {
    cluster("")
    return "star" nic()
  }
  cluster("loopback_lat=\"100ns\" loopback_bw=\"10000000000Bps\"")
  return "star" nic() ",processors-per-node=" per_host \
         ",memory-startup=100ns,memory-per-byte=0.1ns"
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
  if (class == "torus")
    machine = write_torus()
  else if (class == "dragonfly" || class == "chassis")
    machine = write_dragonfly()
  else if (class == "fattree")
    machine = write_fat_tree()
  else if (class == "speeds" || class == "crossbar")
    machine = write_crossbar()
  else
    machine = write_star()
  print "</platform>" >platform
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
  has_collectives = class ~ /^(collectives|hosts|mixed|crossbar|fattree)$/
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

# A random time-independent program and a platform for it: DIR/trace.ti, DIR/list (of the files of
# the ranks), DIR/hosts, DIR/platform.xml, DIR/simgrid (options of smpirun), DIR/predictor (options).
#   awk -v class=CLASS -v seed=N -v dir=DIR -f generate-ti.awk
# Operations are drawn one after the other for the whole program, so that none can wait for ever.
# Classes:
#   star         one rank on each host of a star
#   collectives  a star, collective operations of SMPI's default besides messages
# SPDX-License-Identifier: MIT

# 0 to n - 1, the same with every awk
function draw(n) {
  state = (state * 16807) % 2147483647
  return int(state / 2147483647 * n)
}

function pick(list,   words, n) {
  n = split(list, words, " ")
  return words[draw(n) + 1]
}

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
    record(from, "send " to " " tag " " bytes " 6")
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

function write_platform(file, hosts, latency, bandwidth, way,   i, machine) {
  printf "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM " \
         "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n" >file
  machine = "flow:topology=star,nic-latency=" latency "ns,nic-bandwidth=" bandwidth \
            "Bps,sharing=rtt"
  printf "<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-%d\" speed=\"1Gf\" " \
         "bw=\"%dBps\" lat=\"%dns\" sharing_policy=\"SPLITDUPLEX\"/>\n</platform>\n",
         hosts - 1, bandwidth, latency >file
  gsub("Bps", "B/s", machine)
  print "-m " machine ",envelope=16,collectives=smpi," \
        (way == "eager" ? "eager=1GB" : way == "detached" ? "eager=none,detached=1GB" : \
         "eager=none,control=free") >(dir "/predictor")
  for (i = 0; i < n; i++)
    print "h" i >(dir "/hosts")
}

function write_options(file, way) {
  print "--cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 --cfg=network/weight-S:0" \
        " --cfg=smpi/os:0:0:0 --cfg=smpi/ois:0:0:0 --cfg=smpi/or:0:0:0" \
        " --cfg=smpi/async-small-thresh:" (way == "eager" ? 1000000000 : 0) \
        " --cfg=smpi/send-is-detached-thresh:" (way == "sync" ? 0 : 1000000000) >file
}

BEGIN {
  state = (seed * 7919 + 1) % 2147483647
  for (i = 0; i < 10; i++)
    draw(2)
  hosts = 2 + draw(5)
  n = hosts
  way = pick("eager detached sync")
  for (rank = 0; rank < n; rank++) {
    record(rank, "init")
    print dir "/" rank ".txt" >(dir "/list")
  }
  n_operations = 5 + draw(30)
  for (i = 0; i < n_operations; i++)
    if (class == "collectives" && draw(100) < 40)
      collective()
    else
      message()
  for (rank = 0; rank < n; rank++) {
    while (first[rank] < last[rank])
      await(rank)
    record(rank, "finalize")
  }
  write_platform(dir "/platform.xml", hosts, pick("1000 5000 50000"), pick("100000000 1000000000"),
                 way)
  write_options(dir "/simgrid", way)
}

# A random GOAL schedule and a machine for it: DIR/program.goal, DIR/loggopsim (options of LogGOPSim),
# DIR/predictor (options).
#   awk -v class=CLASS -v seed=N -v dir=DIR -f random.awk -f generate-goal.awk
# Operations are drawn one after the other for the whole program and depend on earlier ones of their
# rank, so that none can wait for ever. Classes:
#   eager        messages below the eager limit, each with a tag of its own
#   rendezvous   likewise, some above it
#   tags         few tags: messages of one tag, all of one size, are received in their order
#   cpus         several processors and adapters of each rank, eager messages
#   overhead     likewise one of each, and overheads that grow with the message, some above the limit
# SPDX-License-Identifier: MIT

function lane() {
  return class == "cpus" ? " cpu " draw(3) " nic " draw(2) : ""
}

# A new operation of @rank, which waits for one or two of the five before it: LogGOPSim sorts what is
# ready at a moment by std::sort(), whose order of equal operations is that of GNU's library if there
# are more than 16.
function operation(rank, text,   label, i, on) {
  label = n_of[rank]++
  lines[rank] = lines[rank] "l" label ": " text "\n"
  for (i = 1 + draw(2); i > 0 && label > 0; i--) {
    on = label - 1 - draw(label < 5 ? label : 5)
    if (!((rank, label, on) in known))
      lines[rank] = lines[rank] "l" label (draw(100) < 20 ? " irequires l" : " requires l") on "\n"
    known[rank, label, on] = 1
  }
}

function calc(rank) {
  operation(rank, "calc " pick("0 1 100 1000") + draw(5000) (class == "cpus" ? " cpu " draw(3) : ""))
}

function message(   from, to, bytes, tag) {
  from = draw(n)
  to = (from + 1 + draw(n - 1)) % n
  bytes = 1 + draw(class == "eager" || class == "cpus" ? 1000 : 3000)
  tag = n_messages++
  if (class == "tags") {
    tag = draw(3)
    bytes = 200 + 900 * tag
  }
  operation(from, "send " bytes "b to " to " tag " tag lane())
  operation(to, "recv " bytes "b from " from " tag " tag lane())
}

BEGIN {
  state = (seed * 7919 + 1) % 2147483647
  for (i = 0; i < 10; i++)
    draw(2)
  n = 2 + draw(7)
  n_operations = 5 + draw(60)
  for (i = 0; i < n_operations; i++)
    if (draw(100) < 40)
      calc(draw(n))
    else
      message()
  print "num_ranks " n >(dir "/program.goal")
  for (rank = 0; rank < n; rank++)
    printf "rank %d {\n%s}\n", rank, (n_of[rank] > 0 ? lines[rank] : "l0: calc 0\n") >(dir "/program.goal")
  latency = pick("0 100 2500")
  o = pick("500 1500")
  g = pick("100 1000 3000")
  per_byte = pick("0 1 6")
  eager = class == "eager" || class == "cpus" ? 65535 : 1500
  overhead = class == "overhead" ? 1 + draw(3) : 0
  print "-L " latency " -o " o " -g " g " -G " per_byte " -O " overhead " -S " eager >(dir "/loggopsim")
  print "loggops:latency=" latency "ns,o=" o "ns,g=" g "ns,G=" per_byte * 1000 "ps/B,O=" overhead * 1000 "ps/B,eager=" eager ",compat=loggopsim" >(dir "/predictor")
}

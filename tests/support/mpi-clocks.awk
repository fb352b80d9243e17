# What the clocks of an ideal run of examples/mpi/PROGRAM show: when each recorded
# call of each rank begins and ends, in the form of PREDICTOR_RECORD_CLOCK.
#
#   awk -v program=halo -v n=4 -v steps=5 -v work=1000000 -f mpi-clocks.awk
#
# A call takes COST, a message LATENCY more behind its sending; work is the
# program's piece of work; all in nanoseconds. factor, writers and converters are
# the arguments of halo, intervals and stencil that take their problem away.
# SPDX-License-Identifier: MIT

function max (a, b) { return a > b ? a : b }

# A call that ends at @end at the earliest.
function call (r, end) {
  end = max(end, now[r] + COST)
  readings[r] = readings[r] " " now[r] " " end
  now[r] = end
}

function all (times, r, i) {
  for (r = 0; r < n; r++)
    for (i = 0; i < times; i++)
      call(r, 0)
}

# Ends when the last one has come.
function together (r, latest) {
  for (r = 0; r < n; r++)
    latest = max(latest, now[r])
  for (r = 0; r < n; r++)
    call(r, latest + LATENCY)
}

function halo (step, r, first, second) {
  all(4) # init, rank, size, interval
  for (step = 0; step < steps; step++) {
    for (r = 0; r < n; r++) {
      now[r] += r == n - 1 ? factor * work : work
      call(r, 0); call(r, 0)
      first[r] = now[r]; call(r, 0)
      second[r] = now[r]; call(r, 0)
    }
    for (r = 0; r < n; r++)
      call(r, max(first[(r + n - 1) % n], second[(r + 1) % n]) + LATENCY)
  }
  all(2) # interval, end
}

function pipeline (step, r, sent) {
  all(3)
  for (step = 0; step < steps; step++)
    for (r = 0; r < n; r++) {
      if (r > 0)
        call(r, sent + LATENCY)
      now[r] += work
      sent = now[r]
      if (r < n - 1)
        call(r, 0)
    }
  together()
  all(1)
}

function intervals (step, r) {
  all(3) # init, rank, the stretch
  for (r = 0; r < n; r++)
    now[r] += 5 * work
  all(1)
  for (step = 0; step < steps; step++) {
    all(2)
    together()
    for (r = 0; r < n; r++)
      now[r] += work
    all(2)
    for (r = 0; r < writers; r++)
      now[r] += int(work / writers)
    all(2)
  }
  together()
  all(1)
}

function stencil (step, r, sent) {
  all(3)
  for (step = 0; step < steps; step++) {
    for (r = 0; r < n; r++)
      sent[r] = now[r]
    for (r = 0; r < n; r++)
      call(r, r > 0 ? sent[r - 1] + LATENCY : 0)
    for (r = 0; r < n; r++)
      sent[r] = now[r]
    for (r = 0; r < n; r++)
      call(r, r < n - 1 ? sent[r + 1] + LATENCY : 0)
    for (r = 0; r < n; r++)
      now[r] += work + (r >= n - converters ? int(work / converters) : 0)
    sent[n - 1] = now[n - 1]
    for (r = 0; r < n; r++)
      call(r, r < n - 1 ? sent[n - 1] + LATENCY : 0)
  }
  all(1)
}

# As many tasks as workers, or one worker: else the order of answers would tell who
# does how many.
function master_worker (next_task, r, answers, first, sent) {
  all(3)
  for (r = 1; r < n; r++) {
    sent = now[0]; call(0, 0)
    call(r, sent + LATENCY)
    now[r] += work * r
  }
  next_task = n - 1
  for (answers = 0; answers < steps; answers++) {
    r = n == 2 ? 1 : answers + 1
    sent = now[r]; call(r, 0)
    call(0, sent + LATENCY)
    sent = now[0]; call(0, 0)
    call(r, sent + LATENCY)
    if (next_task++ < steps)
      now[r] += work * next_task
  }
  all(1)
}

BEGIN {
  COST = 1000
  LATENCY = 2000
  if (!factor) factor = 2
  if (!writers) writers = 1
  if (!converters) converters = 1
  for (r = 0; r < n; r++)
    now[r] = 0
  if (program == "halo") halo()
  else if (program == "pipeline") pipeline()
  else if (program == "intervals") intervals()
  else if (program == "stencil") stencil()
  else if (program == "master-worker") master_worker()
  else exit 1
  for (r = 0; r < n; r++)
    print r " times" readings[r]
}

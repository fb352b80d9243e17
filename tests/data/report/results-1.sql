BEGIN TRANSACTION;
CREATE TABLE input ( -- a file that was read
  report INTEGER NOT NULL REFERENCES report (id),
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL
);
INSERT INTO "input" VALUES(1,'small.ptr','945ab1dcc0d60c0a7f76f229bb5eecb05d206cb6527c3e3026b9ce82bd599410');
CREATE TABLE interval ( -- sums over processors in seconds, extremes in picoseconds
  run INTEGER NOT NULL REFERENCES run (id),
  node INTEGER NOT NULL, -- number within the run, in preorder; 0 = the whole program
  parent INTEGER, -- a node; NULL for node 0
  depth INTEGER NOT NULL,
  type TEXT NOT NULL, -- MAIN, SEQ, PAR or USER
  file TEXT NOT NULL,
  line INTEGER NOT NULL, -- 0 = unknown
  idx INTEGER, -- the user's number; NULL = none
  processors INTEGER NOT NULL, -- that executed it
  total_time REAL NOT NULL, -- processors * execution_time, seconds
  efficiency REAL NOT NULL, -- productive_time / total_time
  io_count INTEGER NOT NULL, -- Number of I/O operations.
  reduction_count INTEGER NOT NULL, -- Number of reductions.
  shadow_count INTEGER NOT NULL, -- Number of exchanges of shadow edges.
  remote_access_count INTEGER NOT NULL, -- Number of remote-access operations.
  redistribution_count INTEGER NOT NULL, -- Number of redistributions.
  exe_count INTEGER NOT NULL, -- How often the interval was entered; over the processors the maximum, of the others the sum.
  execution_time REAL NOT NULL, -- Time during which the interval or one inside it was the current one; over the processors the maximum.
  execution_time_min_ps INTEGER NOT NULL, execution_time_min_at INTEGER NOT NULL,
  execution_time_max_ps INTEGER NOT NULL, execution_time_max_at INTEGER NOT NULL,
  cpu_time REAL NOT NULL, -- Computation: CPU_time_Par + CPU_time_Seq.
  cpu_time_min_ps INTEGER NOT NULL, cpu_time_min_at INTEGER NOT NULL,
  cpu_time_max_ps INTEGER NOT NULL, cpu_time_max_at INTEGER NOT NULL,
  cpu_time_par REAL NOT NULL, -- Parallel computation: iterations of parallel loops, copying of array parts in memory.
  cpu_time_par_min_ps INTEGER NOT NULL, cpu_time_par_min_at INTEGER NOT NULL,
  cpu_time_par_max_ps INTEGER NOT NULL, cpu_time_par_max_at INTEGER NOT NULL,
  cpu_time_seq REAL NOT NULL, -- All other computation, the run-time functions' own time included.
  cpu_time_seq_min_ps INTEGER NOT NULL, cpu_time_seq_min_at INTEGER NOT NULL,
  cpu_time_seq_max_ps INTEGER NOT NULL, cpu_time_seq_max_at INTEGER NOT NULL,
  io_time REAL NOT NULL, -- Time inside I/O functions, without their communication.
  io_time_min_ps INTEGER NOT NULL, io_time_min_at INTEGER NOT NULL,
  io_time_max_ps INTEGER NOT NULL, io_time_max_at INTEGER NOT NULL,
  communication REAL NOT NULL, -- Time inside message passing: the sum of the six components that follow.
  communication_min_ps INTEGER NOT NULL, communication_min_at INTEGER NOT NULL,
  communication_max_ps INTEGER NOT NULL, communication_max_at INTEGER NOT NULL,
  wait_reduction REAL NOT NULL, -- Communication of reductions.
  wait_reduction_min_ps INTEGER NOT NULL, wait_reduction_min_at INTEGER NOT NULL,
  wait_reduction_max_ps INTEGER NOT NULL, wait_reduction_max_at INTEGER NOT NULL,
  wait_shadow REAL NOT NULL, -- Communication of shadow edges, pipelined loops included.
  wait_shadow_min_ps INTEGER NOT NULL, wait_shadow_min_at INTEGER NOT NULL,
  wait_shadow_max_ps INTEGER NOT NULL, wait_shadow_max_at INTEGER NOT NULL,
  remote_access REAL NOT NULL, -- Communication of copies, single elements and remote-access buffers.
  remote_access_min_ps INTEGER NOT NULL, remote_access_min_at INTEGER NOT NULL,
  remote_access_max_ps INTEGER NOT NULL, remote_access_max_at INTEGER NOT NULL,
  redistribution REAL NOT NULL, -- Communication of redistribution and realignment of arrays.
  redistribution_min_ps INTEGER NOT NULL, redistribution_min_at INTEGER NOT NULL,
  redistribution_max_ps INTEGER NOT NULL, redistribution_max_at INTEGER NOT NULL,
  io_comm REAL NOT NULL, -- Communication of input and output.
  io_comm_min_ps INTEGER NOT NULL, io_comm_min_at INTEGER NOT NULL,
  io_comm_max_ps INTEGER NOT NULL, io_comm_max_at INTEGER NOT NULL,
  other_comm REAL NOT NULL, -- Communication of barriers, communicator creation and pipeline measurement.
  other_comm_min_ps INTEGER NOT NULL, other_comm_min_at INTEGER NOT NULL,
  other_comm_max_ps INTEGER NOT NULL, other_comm_max_at INTEGER NOT NULL,
  insufficient_parallelism REAL NOT NULL, -- Computation that other processors do alike: the sum of the two components that follow.
  insufficient_parallelism_min_ps INTEGER NOT NULL, insufficient_parallelism_min_at INTEGER NOT NULL,
  insufficient_parallelism_max_ps INTEGER NOT NULL, insufficient_parallelism_max_at INTEGER NOT NULL,
  insufficient_parallelism_par REAL NOT NULL, -- The part of T(K-1)/K of iterations that K processors execute alike in time T.
  insufficient_parallelism_par_min_ps INTEGER NOT NULL, insufficient_parallelism_par_min_at INTEGER NOT NULL,
  insufficient_parallelism_par_max_ps INTEGER NOT NULL, insufficient_parallelism_par_max_at INTEGER NOT NULL,
  insufficient_parallelism_seq REAL NOT NULL, -- The part of T(N-1)/N of a sequential stretch that N processors execute alike in time T.
  insufficient_parallelism_seq_min_ps INTEGER NOT NULL, insufficient_parallelism_seq_min_at INTEGER NOT NULL,
  insufficient_parallelism_seq_max_ps INTEGER NOT NULL, insufficient_parallelism_seq_max_at INTEGER NOT NULL,
  synchronization REAL NOT NULL, -- The part of Communication spent waiting because others came later.
  synchronization_min_ps INTEGER NOT NULL, synchronization_min_at INTEGER NOT NULL,
  synchronization_max_ps INTEGER NOT NULL, synchronization_max_at INTEGER NOT NULL,
  idle REAL NOT NULL, -- The largest Execution_time of the interval less the processor's own.
  idle_min_ps INTEGER NOT NULL, idle_min_at INTEGER NOT NULL,
  idle_max_ps INTEGER NOT NULL, idle_max_at INTEGER NOT NULL,
  load_imbalance REAL NOT NULL, -- The largest CPU_time_Par of the interval less the processor's own; no part of Lost_time.
  load_imbalance_min_ps INTEGER NOT NULL, load_imbalance_min_at INTEGER NOT NULL,
  load_imbalance_max_ps INTEGER NOT NULL, load_imbalance_max_at INTEGER NOT NULL,
  overlap REAL NOT NULL, -- Communication in progress everywhere while the processor computed.
  overlap_min_ps INTEGER NOT NULL, overlap_min_at INTEGER NOT NULL,
  overlap_max_ps INTEGER NOT NULL, overlap_max_at INTEGER NOT NULL,
  reduction_overlap REAL NOT NULL, -- The part of Overlap that is due to reductions.
  reduction_overlap_min_ps INTEGER NOT NULL, reduction_overlap_min_at INTEGER NOT NULL,
  reduction_overlap_max_ps INTEGER NOT NULL, reduction_overlap_max_at INTEGER NOT NULL,
  shadow_overlap REAL NOT NULL, -- The part of Overlap that is due to shadow edges.
  shadow_overlap_min_ps INTEGER NOT NULL, shadow_overlap_min_at INTEGER NOT NULL,
  shadow_overlap_max_ps INTEGER NOT NULL, shadow_overlap_max_at INTEGER NOT NULL,
  lost_time REAL NOT NULL, -- Insufficient_parallelism + Communication + Idle.
  lost_time_min_ps INTEGER NOT NULL, lost_time_min_at INTEGER NOT NULL,
  lost_time_max_ps INTEGER NOT NULL, lost_time_max_at INTEGER NOT NULL,
  productive_time REAL NOT NULL, -- CPU_time - Insufficient_parallelism + I/O_time.
  productive_time_min_ps INTEGER NOT NULL, productive_time_min_at INTEGER NOT NULL,
  productive_time_max_ps INTEGER NOT NULL, productive_time_max_at INTEGER NOT NULL,
  PRIMARY KEY (run, node)
) WITHOUT ROWID;
INSERT INTO "interval" VALUES(1,0,NULL,0,'MAIN','',0,NULL,1,0.00013188,1.0,1,0,0,0,0,1,0.00013188,131880000,0,131880000,0,3.188e-05,31880000,0,31880000,0,0.0,0,0,0,0,3.188e-05,31880000,0,31880000,0,0.0001,100000000,0,100000000,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.0,0,0,0,0,0.00013188,131880000,0,131880000,0);
CREATE TABLE processor ( -- values of each processor, where they were asked for; picoseconds
  run INTEGER NOT NULL,
  node INTEGER NOT NULL,
  processor INTEGER NOT NULL, -- from 0; only those that executed the interval
  execution_time_ps INTEGER NOT NULL,
  cpu_time_ps INTEGER NOT NULL,
  cpu_time_par_ps INTEGER NOT NULL,
  cpu_time_seq_ps INTEGER NOT NULL,
  io_time_ps INTEGER NOT NULL,
  communication_ps INTEGER NOT NULL,
  wait_reduction_ps INTEGER NOT NULL,
  wait_shadow_ps INTEGER NOT NULL,
  remote_access_ps INTEGER NOT NULL,
  redistribution_ps INTEGER NOT NULL,
  io_comm_ps INTEGER NOT NULL,
  other_comm_ps INTEGER NOT NULL,
  insufficient_parallelism_ps INTEGER NOT NULL,
  insufficient_parallelism_par_ps INTEGER NOT NULL,
  insufficient_parallelism_seq_ps INTEGER NOT NULL,
  synchronization_ps INTEGER NOT NULL,
  idle_ps INTEGER NOT NULL,
  load_imbalance_ps INTEGER NOT NULL,
  overlap_ps INTEGER NOT NULL,
  reduction_overlap_ps INTEGER NOT NULL,
  shadow_overlap_ps INTEGER NOT NULL,
  lost_time_ps INTEGER NOT NULL,
  productive_time_ps INTEGER NOT NULL,
  PRIMARY KEY (run, node, processor)
) WITHOUT ROWID;
INSERT INTO "processor" VALUES(1,0,0,131880000,31880000,0,31880000,100000000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,131880000);
CREATE TABLE report ( -- one invocation of the program
  id INTEGER PRIMARY KEY,
  program TEXT NOT NULL,
  version TEXT NOT NULL,
  command_line TEXT,
  machine TEXT,
  machine_text TEXT, -- one line for people
  date TEXT -- ISO 8601; NULL if it was suppressed
);
INSERT INTO "report" VALUES(1,'predictor','0.1.0','predictor run small.ptr','ideal','',NULL);
CREATE TABLE run ( -- one prediction: one number of processors
  id INTEGER PRIMARY KEY,
  report INTEGER NOT NULL REFERENCES report (id),
  processors INTEGER NOT NULL,
  grid TEXT NOT NULL,
  execution_time_ps INTEGER NOT NULL, -- picoseconds
  total_time REAL NOT NULL, -- seconds
  efficiency REAL NOT NULL, -- 0 to 1
  messages INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  events INTEGER NOT NULL, -- steps of the simulation
  elapsed REAL, -- seconds the simulation itself took; NULL if suppressed
  incomplete INTEGER NOT NULL -- 1: the trace ends early
);
INSERT INTO "run" VALUES(1,1,1,'1',131880000,0.00013188,1.0,0,0,1,NULL,0);
CREATE TABLE warning ( -- of one run, or of reading the inputs
  report INTEGER NOT NULL REFERENCES report (id),
  run INTEGER REFERENCES run (id), -- NULL: of the inputs
  severity TEXT NOT NULL, -- 'warning' or 'note'
  id TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  place TEXT NOT NULL, -- the first one
  count INTEGER NOT NULL
);
INSERT INTO "warning" VALUES(1,NULL,'note','no-intervals','','the trace has no intervals: record with Is_DVM_STAT=1 and compile with -e4 to see where the time goes','',1);
INSERT INTO "warning" VALUES(1,1,'note','grid-padded','','the processor grid is padded with sizes of 1 to rank 2, the rank the trace was recorded with','',1);
INSERT INTO "warning" VALUES(1,1,'warning','pattern-not-mapped','align_','''align_'' uses a pattern whose distribution is not modelled','small.ptr:38: align_, record 9',1);
INSERT INTO "warning" VALUES(1,1,'note','startup','','the first record''s start-up time, 0.000010000000 s, is left out','',1);
CREATE VIEW summary AS -- the runs compared; the last three are shares of the total time
  SELECT run.id AS run, run.report AS report, report.machine AS machine,
    report.date AS date, run.processors AS processors, run.grid AS grid,
    i.execution_time AS execution_time,
    (SELECT b.execution_time_ps FROM run b WHERE b.report = run.report
      ORDER BY b.processors, b.id LIMIT 1) * 1.0 / run.execution_time_ps AS speed_up,
    run.efficiency AS efficiency,
    coalesce (i.insufficient_parallelism / i.total_time, 0.0) AS insufficient_parallelism,
    coalesce (i.communication / i.total_time, 0.0) AS communication,
    coalesce (i.idle / i.total_time, 0.0) AS idle
  FROM run JOIN report ON report.id = run.report
    JOIN interval i ON i.run = run.id AND i.node = 0
  ORDER BY run.id;
CREATE VIEW lost AS -- where time is lost, seconds; share of the run's total time
  SELECT i.run AS run, i.node AS node, i.type AS type, i.file AS file, i.line AS line,
    i.idx AS idx, i.lost_time AS lost_time,
    coalesce (i.lost_time / run.total_time, 0.0) AS share,
    i.insufficient_parallelism AS insufficient_parallelism,
    i.communication AS communication, i.idle AS idle
  FROM interval i JOIN run ON run.id = i.run
  ORDER BY i.run, i.lost_time DESC, i.node;
COMMIT;
PRAGMA application_id = 1349665891;
PRAGMA user_version = 1;

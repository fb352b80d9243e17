/* One row per characteristic: its names, and how it is computed.
 * SPDX-License-Identifier: MIT */
#include "intervals/pd-interval-private.h"

#define BIT(q) (1u << PD_Q_##q)
#define CPU    (BIT (CPU_SEQ) | BIT (CPU_PAR))
#define COMM                                                                                       \
  (BIT (WAIT_REDUCTION) | BIT (WAIT_SHADOW) | BIT (REMOTE_ACCESS) | BIT (REDISTRIBUTION)           \
   | BIT (IO_COMM) | BIT (OTHER_COMM))
#define INSUFF (BIT (INSUFF_SEQ) | BIT (INSUFF_PAR))

static const struct
{
  PdCharacteristicRow row;
  PdFormula formula;
} characteristics[PD_N_CHARACTERISTICS] = {
  [PD_C_EXECUTION_TIME] = { { "Execution_time", "execution_time",
                              "Time during which the interval or one inside it was the current "
                              "one; over the processors the "
                              "maximum." },
                            { CPU | BIT (IO) | COMM, 0, PD_BASE_ZERO } },
  [PD_C_CPU_TIME] = { { "CPU_time", "cpu_time", "Computation: CPU_time_Par + CPU_time_Seq." },
                      { CPU, 0, PD_BASE_ZERO } },
  [PD_C_CPU_TIME_PAR] = { { "CPU_time_Par", "cpu_time_par",
                            "Parallel computation: iterations of parallel loops, copying of array "
                            "parts in memory." },
                          { BIT (CPU_PAR), 0, PD_BASE_ZERO } },
  [PD_C_CPU_TIME_SEQ] = { { "CPU_time_Seq", "cpu_time_seq",
                            "All other computation, the run-time functions' own time included." },
                          { BIT (CPU_SEQ), 0, PD_BASE_ZERO } },
  [PD_C_IO_TIME] = { { "I/O_time", "io_time",
                       "Time inside I/O functions, without their communication." },
                     { BIT (IO), 0, PD_BASE_ZERO } },
  [PD_C_COMMUNICATION] = { { "Communication", "communication",
                             "Time inside message passing: the sum of the six components that "
                             "follow." },
                           { COMM, 0, PD_BASE_ZERO } },
  [PD_C_WAIT_REDUCTION] = { { "Wait_reduction", "wait_reduction", "Communication of reductions." },
                            { BIT (WAIT_REDUCTION), 0, PD_BASE_ZERO } },
  [PD_C_WAIT_SHADOW] = { { "Wait_shadow", "wait_shadow",
                           "Communication of shadow edges, pipelined loops included." },
                         { BIT (WAIT_SHADOW), 0, PD_BASE_ZERO } },
  [PD_C_REMOTE_ACCESS] = { { "Remote_access", "remote_access",
                             "Communication of copies, single elements and remote-access "
                             "buffers." },
                           { BIT (REMOTE_ACCESS), 0, PD_BASE_ZERO } },
  [PD_C_REDISTRIBUTION] = { { "Redistribution", "redistribution",
                              "Communication of redistribution and realignment of arrays." },
                            { BIT (REDISTRIBUTION), 0, PD_BASE_ZERO } },
  [PD_C_IO_COMM] = { { "I/O_comm", "io_comm", "Communication of input and output." },
                     { BIT (IO_COMM), 0, PD_BASE_ZERO } },
  [PD_C_OTHER_COMM] = { { "Other_comm", "other_comm",
                          "Communication of barriers, communicator creation and pipeline "
                          "measurement." },
                        { BIT (OTHER_COMM), 0, PD_BASE_ZERO } },
  [PD_C_INSUFFICIENT_PARALLELISM] = { { "Insufficient_parallelism", "insufficient_parallelism",
                                        "Computation that other processors do alike: the sum of "
                                        "the two components that follow." },
                                      { INSUFF, 0, PD_BASE_ZERO } },
  [PD_C_INSUFFICIENT_PARALLELISM_PAR] = { { "Insufficient_parallelism_Par",
                                            "insufficient_parallelism_par",
                                            "The part of T(K-1)/K of iterations that K processors "
                                            "execute alike in time T." },
                                          { BIT (INSUFF_PAR), 0, PD_BASE_ZERO } },
  [PD_C_INSUFFICIENT_PARALLELISM_SEQ] = { { "Insufficient_parallelism_Seq",
                                            "insufficient_parallelism_seq",
                                            "The part of T(N-1)/N of a sequential stretch that N "
                                            "processors execute alike in time T." },
                                          { BIT (INSUFF_SEQ), 0, PD_BASE_ZERO } },
  [PD_C_SYNCHRONIZATION] = { { "Synchronization", "synchronization",
                               "The part of Communication spent waiting because others came "
                               "later." },
                             { BIT (SYNCHRONIZATION), 0, PD_BASE_ZERO } },
  [PD_C_IDLE] = { { "Idle", "idle",
                    "The largest Execution_time of the interval less the processor's own." },
                  { 0, CPU | BIT (IO) | COMM, PD_BASE_MAX_EXECUTION } },
  [PD_C_LOAD_IMBALANCE] = { { "Load_Imbalance", "load_imbalance",
                              "The largest CPU_time_Par of the interval less the processor's own; "
                              "no part of Lost_time." },
                            { 0, BIT (CPU_PAR), PD_BASE_MAX_CPU_PAR } },
  [PD_C_OVERLAP] = { { "Overlap", "overlap",
                       "Communication in progress everywhere while the processor computed." },
                     { BIT (REDUCTION_OVERLAP) | BIT (SHADOW_OVERLAP) | BIT (OTHER_OVERLAP), 0,
                       PD_BASE_ZERO } },
  [PD_C_REDUCTION_OVERLAP] = { { "Reduction_overlap", "reduction_overlap",
                                 "The part of Overlap that is due to reductions." },
                               { BIT (REDUCTION_OVERLAP), 0, PD_BASE_ZERO } },
  [PD_C_SHADOW_OVERLAP] = { { "Shadow_overlap", "shadow_overlap",
                              "The part of Overlap that is due to shadow edges." },
                            { BIT (SHADOW_OVERLAP), 0, PD_BASE_ZERO } },
  [PD_C_LOST_TIME] = { { "Lost_time", "lost_time",
                         "Insufficient_parallelism + Communication + Idle." },
                       /* I + C + (max E - E), with E = CPU + I/O + C */
                       { INSUFF, CPU | BIT (IO), PD_BASE_MAX_EXECUTION } },
  [PD_C_PRODUCTIVE_TIME] = { { "Productive_time", "productive_time",
                               "CPU_time - Insufficient_parallelism + I/O_time." },
                             { CPU | BIT (IO), INSUFF, PD_BASE_ZERO } },
};

static const PdCharacteristicRow counters[PD_N_QUANTITIES - PD_N_TIMES] = {
  [PD_Q_N_IO - PD_N_TIMES] = { "I/O_count", "io_count", "Number of I/O operations." },
  [PD_Q_N_REDUCTION -
      PD_N_TIMES] = { "Reduction_count", "reduction_count", "Number of reductions." },
  [PD_Q_N_SHADOW -
      PD_N_TIMES] = { "Shadow_count", "shadow_count", "Number of exchanges of shadow edges." },
  [PD_Q_N_REMOTE_ACCESS - PD_N_TIMES] = { "Remote_access_count", "remote_access_count",
                                          "Number of remote-access operations." },
  [PD_Q_N_REDISTRIBUTION - PD_N_TIMES] = { "Redistribution_count", "redistribution_count",
                                           "Number of redistributions." },
  [PD_Q_EXE_COUNT - PD_N_TIMES] = { "EXE_count", "exe_count",
                                    "How often the interval was entered; over the processors the "
                                    "maximum, of the others the sum." },
};

static const char *const type_names[] = {
  [PD_INTERVAL_MAIN] = "MAIN",
  [PD_INTERVAL_SEQ] = "SEQ",
  [PD_INTERVAL_PAR] = "PAR",
  [PD_INTERVAL_USER] = "USER",
};

const PdCharacteristicRow *
pd_characteristic_row (PdCharacteristic c)
{
  g_return_val_if_fail (c < PD_N_CHARACTERISTICS, NULL);

  return &characteristics[c].row;
}

const PdCharacteristicRow *
pd_counter_row (PdQuantity quantity)
{
  g_return_val_if_fail (quantity >= PD_N_TIMES && quantity < PD_N_QUANTITIES, NULL);

  return &counters[quantity - PD_N_TIMES];
}

const PdFormula *
pd_interval_formula (PdCharacteristic c)
{
  return &characteristics[c].formula;
}

const char *
pd_interval_type_name (PdIntervalType type)
{
  g_return_val_if_fail (type < G_N_ELEMENTS (type_names), NULL);

  return type_names[type];
}

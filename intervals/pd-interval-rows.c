/* One row per characteristic: its names, and how it is computed.
 * SPDX-License-Identifier: MIT */
#include "intervals/pd-interval-private.h"
#include "intervals/pd-interval-rows-private.h"
#include "intervals/pd-interval-rows.h"

#define BIT(q) (G_GUINT64_CONSTANT (1) << PD_Q_##q)
#define CPU    (BIT (CPU_SEQ) | BIT (CPU_PAR))
/* One time of operations of one kind, and of all kinds. */
#define OF(kind, time)                                                                             \
  (G_GUINT64_CONSTANT (1) << (PD_Q_OPERATION_TIMES + PD_OPERATION_##time * PD_N_OPERATIONS         \
                              + PD_OPERATION_##kind))
#define ALL_KINDS(time)                                                                            \
  (((G_GUINT64_CONSTANT (1) << PD_N_OPERATIONS) - 1)                                               \
   << (PD_Q_OPERATION_TIMES + PD_OPERATION_##time * PD_N_OPERATIONS))
#define COMM   (ALL_KINDS (COMMUNICATION) | BIT (SENDRECV) | BIT (COLLECTIVE) | BIT (SYSTEM))
#define INSUFF (BIT (INSUFF_SEQ) | BIT (INSUFF_PAR))

/* Of which programs a row is. */
#define DVM (1u << PD_MODEL_DVM)
#define MPI (1u << PD_MODEL_MPI)
#define ALL (DVM | MPI)

static const struct
{
  PdCharacteristicRow row;
  PdFormula formula;
  guint models;
} characteristics[PD_N_CHARACTERISTICS] = {
  [PD_C_EXECUTION_TIME] = { { "Execution_time", "execution_time",
                              "Time during which the interval or one inside it was the current "
                              "one; over the processors the "
                              "maximum.",
                              NULL },
                            { CPU | BIT (IO) | COMM, 0, PD_BASE_ZERO },
                            ALL },
  [PD_C_CPU_TIME] = { { "CPU_time", "cpu_time", "Computation: CPU_time_Par + CPU_time_Seq.", NULL },
                      { CPU, 0, PD_BASE_ZERO },
                      ALL },
  [PD_C_CPU_TIME_PAR] = { { "CPU_time_Par", "cpu_time_par",
                            "Parallel computation: iterations of parallel loops, copying of array "
                            "parts in memory.",
                            NULL },
                          { BIT (CPU_PAR), 0, PD_BASE_ZERO },
                          ALL },
  [PD_C_CPU_TIME_SEQ] = { { "CPU_time_Seq", "cpu_time_seq",
                            "All other computation, the run-time functions' own time included.",
                            NULL },
                          { BIT (CPU_SEQ), 0, PD_BASE_ZERO },
                          ALL },
  [PD_C_IO_TIME] = { { "I/O_time", "io_time",
                       "Time inside I/O functions, without their communication.", NULL },
                     { BIT (IO), 0, PD_BASE_ZERO },
                     ALL },
  [PD_C_COMMUNICATION] = { { "Communication", "communication",
                             "Time inside message passing: the sum of the six components that "
                             "follow.",
                             "Time inside message passing: SendRecv_time + Collective_time + "
                             "System_time." },
                           { COMM, 0, PD_BASE_ZERO },
                           ALL },
  [PD_C_WAIT_REDUCTION] = { { "Wait_reduction", "wait_reduction", "Communication of reductions.",
                              NULL },
                            { BIT (WAIT_REDUCTION), 0, PD_BASE_ZERO },
                            DVM },
  [PD_C_WAIT_SHADOW] = { { "Wait_shadow", "wait_shadow",
                           "Communication of shadow edges, pipelined loops included.", NULL },
                         { BIT (WAIT_SHADOW) | BIT (PIPELINE_COMM), 0, PD_BASE_ZERO },
                         DVM },
  [PD_C_REMOTE_ACCESS] = { { "Remote_access", "remote_access",
                             "Communication of copies, single elements and remote-access "
                             "buffers.",
                             NULL },
                           { BIT (REMOTE_ACCESS), 0, PD_BASE_ZERO },
                           DVM },
  [PD_C_REDISTRIBUTION] = { { "Redistribution", "redistribution",
                              "Communication of redistribution and realignment of arrays.", NULL },
                            { BIT (REDISTRIBUTION), 0, PD_BASE_ZERO },
                            DVM },
  [PD_C_IO_COMM] = { { "I/O_comm", "io_comm", "Communication of input and output.", NULL },
                     { BIT (IO_COMM), 0, PD_BASE_ZERO },
                     DVM },
  [PD_C_OTHER_COMM] = { { "Other_comm", "other_comm",
                          "Communication of barriers, communicator creation and pipeline "
                          "measurement.",
                          NULL },
                        { BIT (TASK_COMM) | BIT (OTHER_COMM), 0, PD_BASE_ZERO },
                        DVM },
  [PD_C_SENDRECV_TIME] = { { "SendRecv_time", "sendrecv_time",
                             "Time inside point-to-point functions, waits, tests and probes.",
                             NULL },
                           { BIT (SENDRECV), 0, PD_BASE_ZERO },
                           MPI },
  [PD_C_COLLECTIVE_TIME] = { { "Collective_time", "collective_time",
                               "Time inside collective operations.", NULL },
                             { BIT (COLLECTIVE), 0, PD_BASE_ZERO },
                             MPI },
  [PD_C_SYSTEM_TIME] = { { "System_time", "system_time",
                           "Time inside all other message-passing functions, those that make "
                           "communicators included.",
                           NULL },
                         { BIT (SYSTEM), 0, PD_BASE_ZERO },
                         MPI },
  [PD_C_INSUFFICIENT_PARALLELISM] = { { "Insufficient_parallelism", "insufficient_parallelism",
                                        "Computation that other processors do alike: the sum of "
                                        "the two components that follow.",
                                        NULL },
                                      { INSUFF, 0, PD_BASE_ZERO },
                                      ALL },
  [PD_C_INSUFFICIENT_PARALLELISM_PAR] = { { "Insufficient_parallelism_Par",
                                            "insufficient_parallelism_par",
                                            "The part of T(K-1)/K of iterations that K processors "
                                            "execute alike in time T.",
                                            NULL },
                                          { BIT (INSUFF_PAR), 0, PD_BASE_ZERO },
                                          ALL },
  [PD_C_INSUFFICIENT_PARALLELISM_SEQ] = { { "Insufficient_parallelism_Seq",
                                            "insufficient_parallelism_seq",
                                            "The part of T(N-1)/N of a sequential interval that N "
                                            "processors execute alike in time T.",
                                            NULL },
                                          { BIT (INSUFF_SEQ), 0, PD_BASE_ZERO },
                                          ALL },
  [PD_C_LIBRARY_TIME] = { { "Library_time", "library_time",
                            "The part of Communication in which the run-time library packs and "
                            "unpacks messages and takes memory.",
                            NULL },
                          { BIT (LIBRARY), 0, PD_BASE_ZERO },
                          DVM },
  [PD_C_SYNCHRONIZATION] = { { "Synchronization", "synchronization",
                               "The part of Communication spent waiting because others came "
                               "later.",
                               "From the beginning of each collective operation to its beginning "
                               "on the last rank." },
                             { ALL_KINDS (SYNCHRONIZATION) | BIT (SYNCHRONIZATION), 0,
                               PD_BASE_ZERO },
                             ALL },
  [PD_C_REAL_SYNC] = { { "Real_sync", "real_sync",
                         "The part of Communication in which a wait was there before the matching "
                         "send; in collective operations, before the last processor.",
                         "The part of SendRecv_time that a receive or a wait was there before the "
                         "matching send." },
                       { ALL_KINDS (REAL_SYNC) | BIT (REAL_SYNC), 0, PD_BASE_ZERO },
                       ALL },
  [PD_C_TIME_VARIATION] = { { "Time_variation", "time_variation",
                              "From the end of each operation to its end on the last of the "
                              "processors that are waited for in it.",
                              "From the end of each collective operation to its end on the last "
                              "rank." },
                            { ALL_KINDS (TIME_VARIATION) | BIT (TIME_VARIATION), 0, PD_BASE_ZERO },
                            ALL },
  [PD_C_IDLE] = { { "Idle", "idle",
                    "The largest Execution_time of the interval less the processor's own.", NULL },
                  { 0, CPU | BIT (IO) | COMM, PD_BASE_MAX_EXECUTION },
                  ALL },
  [PD_C_LOAD_IMBALANCE] = { { "Load_Imbalance", "load_imbalance",
                              "The largest CPU_time_Par of the interval less the processor's own; "
                              "no part of Lost_time.",
                              "The largest Productive_time of the interval less the rank's own; no "
                              "part of Lost_time." },
                            { 0, BIT (CPU_PAR), PD_BASE_MAX_WORK },
                            ALL },
  [PD_C_OVERLAP] = { { "Overlap", "overlap",
                       "Communication in progress everywhere while the processor computed.",
                       "From the beginning of each non-blocking operation to the wait for it; a "
                       "receive begins with its matching send, if that is later." },
                     { ALL_KINDS (OVERLAP) | BIT (OTHER_OVERLAP), 0, PD_BASE_ZERO },
                     ALL },
  [PD_C_REDUCTION_OVERLAP] = { { "Reduction_overlap", "reduction_overlap",
                                 "The part of Overlap that is due to reductions.", NULL },
                               { OF (REDUCTION, OVERLAP), 0, PD_BASE_ZERO },
                               DVM },
  [PD_C_SHADOW_OVERLAP] = { { "Shadow_overlap", "shadow_overlap",
                              "The part of Overlap that is due to shadow edges.", NULL },
                            { OF (SHADOW, OVERLAP) | OF (PIPELINE, OVERLAP), 0, PD_BASE_ZERO },
                            DVM },
  [PD_C_LOST_TIME] = { { "Lost_time", "lost_time",
                         "Insufficient_parallelism + Communication + Idle.", NULL },
                       /* I + C + (max E - E), with E = CPU + I/O + C */
                       { INSUFF, CPU | BIT (IO), PD_BASE_MAX_EXECUTION },
                       ALL },
  [PD_C_PRODUCTIVE_TIME] = { { "Productive_time", "productive_time",
                               "CPU_time - Insufficient_parallelism + I/O_time.", NULL },
                             { CPU | BIT (IO), INSUFF, PD_BASE_ZERO },
                             ALL },
  [PD_C_PRODUCTIVE_CPU_TIME] = { { "Productive_CPU_time", "productive_cpu_time",
                                   "CPU_time - Insufficient_parallelism: the time of one "
                                   "processor.",
                                   NULL },
                                 { CPU, INSUFF, PD_BASE_ZERO },
                                 DVM },
};

#define COUNTER(q, name, id, meaning) [PD_Q_##q - PD_N_TIMES] = { name, id, meaning, NULL }

static const PdCharacteristicRow counters[PD_N_QUANTITIES - PD_N_TIMES] = {
  COUNTER (N_IO, "I/O_count", "io_count", "Number of I/O operations."),
  COUNTER (N_REDUCTION, "Reduction_count", "reduction_count", "Number of reductions."),
  COUNTER (N_SHADOW, "Shadow_count", "shadow_count", "Number of exchanges of shadow edges."),
  COUNTER (N_REMOTE_ACCESS, "Remote_access_count", "remote_access_count",
           "Number of remote-access operations."),
  COUNTER (N_REDISTRIBUTION, "Redistribution_count", "redistribution_count",
           "Number of redistributions."),
  COUNTER (N_PIPELINES, "Pipeline_count", "pipeline_count",
           "Number of ordered loops whose edges are passed on in their order."),
  COUNTER (N_TASKS, "Task_count", "task_count", "Number of tasks that were run."),
  COUNTER (N_OTHER, "Other_count", "other_count",
           "Number of barriers, messages of the program, communicators made for reductions and "
           "measurements of pipelines."),
  COUNTER (N_SENDS, "Send_count", "send_count", "Number of sends."),
  COUNTER (N_RECEIVES, "Receive_count", "receive_count", "Number of receives."),
  COUNTER (N_WAITS, "Wait_count", "wait_count", "Number of waits, tests and probes."),
  COUNTER (N_COLLECTIVES, "Collective_count", "collective_count",
           "Number of collective operations, each counted once: on rank 0 of its group."),
  COUNTER (EXE_COUNT, "EXE_count", "exe_count",
           "How often the interval was entered; over the processors the maximum, of the others "
           "the sum, of operations of DVM programs each once."),
};

static const PdOperationRow operations[PD_N_OPERATIONS] = {
  [PD_OPERATION_IO] = { "io", "I/O", "input and output" },
  [PD_OPERATION_REDUCTION] = { "reduction", "Reduction", "reductions" },
  [PD_OPERATION_SHADOW] = { "shadow", "Shadow", "exchanges of shadow edges" },
  [PD_OPERATION_REMOTE_ACCESS] = { "remote_access", "Remote access",
                                   "copies, single elements and remote-access buffers" },
  [PD_OPERATION_REDISTRIBUTION] = { "redistribution", "Redistribution",
                                    "redistribution and realignment of arrays" },
  [PD_OPERATION_PIPELINE] = { "pipeline", "Pipeline",
                              "edges that ordered (ACROSS) loops pass on in their order" },
  [PD_OPERATION_TASK] = { "task", "Tasks", "tasks that were run, and their communicators" },
  [PD_OPERATION_OTHER] = { "other", "Other",
                           "barriers, messages of the program, communicators of reductions, "
                           "measurements of pipelines" },
};

/* Columns of the table of operations. */
static const PdCharacteristic operation_times[PD_N_OPERATION_TIMES] = {
  [PD_OPERATION_COMMUNICATION] = PD_C_COMMUNICATION,
  [PD_OPERATION_REAL_SYNC] = PD_C_REAL_SYNC,
  [PD_OPERATION_SYNCHRONIZATION] = PD_C_SYNCHRONIZATION,
  [PD_OPERATION_TIME_VARIATION] = PD_C_TIME_VARIATION,
  [PD_OPERATION_OVERLAP] = PD_C_OVERLAP,
};

/* Of a message-passing program everything is parallel: what differs between
 * processors is their productive time. */
static const PdFormula mpi_load_imbalance = { INSUFF, CPU | BIT (IO), PD_BASE_MAX_WORK };

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

gboolean
pd_characteristic_applies (PdCharacteristic c, PdIntervalModel model)
{
  return (characteristics[c].models & 1u << model) != 0;
}

gboolean
pd_counter_applies (PdQuantity quantity, PdIntervalModel model)
{
  if (quantity == PD_Q_EXE_COUNT)
    return TRUE;
  return (quantity < PD_Q_N_SENDS) == (model == PD_MODEL_DVM);
}

const PdOperationRow *
pd_operation_row (PdOperationKind kind)
{
  g_return_val_if_fail (kind < PD_N_OPERATIONS, NULL);

  return &operations[kind];
}

PdCharacteristic
pd_operation_characteristic (PdOperationTime time)
{
  g_return_val_if_fail (time < PD_N_OPERATION_TIMES, PD_C_COMMUNICATION);

  return operation_times[time];
}

const PdFormula *
pd_interval_formula (PdCharacteristic c, PdIntervalModel model)
{
  if (c == PD_C_LOAD_IMBALANCE && model == PD_MODEL_MPI)
    return &mpi_load_imbalance;
  return &characteristics[c].formula;
}

const char *
pd_interval_type_name (PdIntervalType type)
{
  g_return_val_if_fail (type < G_N_ELEMENTS (type_names), NULL);

  return type_names[type];
}

/* Reader of DVM traces: a stream of level-0 calls.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_READER_H
#define PD_DVM_READER_H

#include "base/pd-messages.h"
#include "base/pd-time.h"
#include "traces/dvm/pd-dvm-recorder-cost.h"

#define PD_DVM_ERROR (pd_dvm_error_quark ())
typedef enum
{
  PD_DVM_ERROR_OPEN,      /* cannot be opened or read */
  PD_DVM_ERROR_EMPTY,     /* no bytes */
  PD_DVM_ERROR_FORMAT,    /* no DVM trace: no header line in the first 1 MB, … */
  PD_DVM_ERROR_HEADLESS,  /* the tail of an overflowed trace: no header block */
  PD_DVM_ERROR_NO_PARAMS, /* recorded with FullTrace=0 */
  PD_DVM_ERROR_PROGRAM,   /* the traced program stopped with an RTS error */
  PD_DVM_ERROR_LIMIT,     /* a record of more than 16 MiB */
  PD_DVM_ERROR_SET,       /* the files of one run do not belong together */
} PdDvmError;

/**
 * pd_dvm_error_quark:
 * Returns: the domain of #PdDvmError.
 */
GQuark pd_dvm_error_quark (void);

/* The header block. Strings are owned by the reader. */
typedef struct
{
  gint64 rts_version; /* 0 = unknown */
  gint64 proc_count;  /* processors the trace was recorded on; 0 = unknown */
  gint64 own_number;  /* of several processors, which one: internal number; -1 = unknown */
  guint ps_rank;      /* 0 = unknown */
  gint64 ps_size[8];
  gint64 vproc_count; /* virtual processors shown to the program; 0 = none */
  guint vps_rank;
  gint64 vps_size[8];
  gdouble mean_proc_time; /* seconds; 0 = unknown */
  const char *host;       /* "" if unknown */
  const char *mps;        /* "MPI", …; "" if unknown */
} PdDvmHeader;

/* Statistics of the times of the records, which reveal the recorder's clock; see
 * pd_dvm_clock_is_known(). */
typedef struct
{
  guint64 n_clamped; /* records whose time was not above 0: printed as 1 us, see docs/models.md */
  guint64 n_fit;     /* other records that only such a clock explains */
  guint64 n_unfit;   /* … and that it does not explain */
} PdDvmClock;

/* The trailer; known once the reader has reached the end. */
typedef struct
{
  gboolean complete; /* Event_dvm_exit was there */
  gint64 exit_code;  /* rc */
  gdouble task_time; /* seconds; < 0 = absent; likewise the others */
  gdouble task_trace_time;
  gdouble system_time;
  gdouble system_trace_time;
  guint64 n_records;         /* header lines of the whole file */
  guint64 n_program_records; /* those between ret_dvm_Init and Event_dvm_exit, both excluded */
  PdTimeSum program_time;    /* their TIMEs and Event_dvm_exit's */
  PdTimeSum total_time;      /* all TIMEs of the file */
  PdDvmClock clock;
} PdDvmTrailer;

/* One call of a run-time function, call_ and ret_ together; or a single
 * record (Event_…). Times of nested calls are in ret_time. Valid until the
 * next pd_dvm_reader_next(). */
typedef struct _PdDvmCall PdDvmCall;
struct _PdDvmCall
{
  PdDvmFunction function; /* PD_DVM_UNKNOWN for a name that is not in the table */
  const char *name;       /* without call_; interned, lives as long as the reader */
  PdTime call_time;       /* computation of the program before the call */
  PdTime ret_time;        /* inside the function */
  gint64 line;            /* LINE of call_; 0 = unknown */
  const char *file;       /* FILE of call_; interned, lives as long as the reader */
  guint64 number;         /* of the call_ record among all header lines, from 0 */
  guint64 physical_line;  /* of the call_ record in the trace file, from 1 */
  gboolean is_single;     /* a record without partner */
};

/* A recorded time that is taken for another one. */
typedef struct
{
  guint64 number;  /* PdDvmCall.number */
  gboolean is_ret; /* it is the ret_time of that call, else its call_time */
  PdTime time;     /* instead, >= 0 */
} PdDvmCorrection;

typedef struct _PdDvmReader PdDvmReader;

/**
 * pd_dvm_reader_new:
 * @path: a trace, plain or gzip (detected from the contents); "-" = stdin
 * @messages: (nullable): takes the warnings; must
 *   outlive the reader
 * @error: return location for a #PdDvmError; messages start with the file name
 *
 * Opens the trace and reads its header block, up to and including
 * ret_dvm_Init.
 *
 * Returns: (transfer full) (nullable): the reader.
 */
PdDvmReader *pd_dvm_reader_new (const char *path, PdMessages *messages, GError **error);

/**
 * pd_dvm_reader_new_from_bytes:
 * @bytes: the contents of a trace, plain or gzip
 * @name: what messages call it
 *
 * As pd_dvm_reader_new() for a trace in memory.
 */
PdDvmReader *pd_dvm_reader_new_from_bytes (GBytes *bytes, const char *name, PdMessages *messages,
                                           GError **error);

/**
 * pd_dvm_reader_free:
 * @self: (nullable): the reader
 */
void pd_dvm_reader_free (PdDvmReader *self);

/**
 * pd_dvm_reader_get_header:
 * Returns: (transfer none): the header block.
 */
const PdDvmHeader *pd_dvm_reader_get_header (const PdDvmReader *self);

/**
 * pd_dvm_reader_set_corrections:
 * @self: a reader nothing was read from
 * @corrections: (element-type PdDvmCorrection): ascending by number; must outlive the reader
 *
 * Calls have these times then. The sums of the trailer stay those of the recorded times.
 */
void pd_dvm_reader_set_corrections (PdDvmReader *self, const GArray *corrections);

/**
 * pd_dvm_reader_set_decoding:
 * @self: a reader nothing was read from
 * @decodes: whether calls have the times that the recorder should have printed; makes sense only
 *   if pd_dvm_clock_is_known() for the trace
 */
void pd_dvm_reader_set_decoding (PdDvmReader *self, gboolean decodes);

/**
 * pd_dvm_reader_set_recorder_cost:
 * @self: a reader nothing was read from
 * @cost: taken out of the times of calls
 *
 * If a time is shorter than its cost, the rest of the cost is taken from later times of its kind.
 */
void pd_dvm_reader_set_recorder_cost (PdDvmReader *self, const PdDvmRecorderCost *cost);

/**
 * pd_dvm_reader_get_taken_out:
 * Returns: how much that was of the calls so far.
 */
PdTimeSum pd_dvm_reader_get_taken_out (const PdDvmReader *self);

/**
 * pd_dvm_clock_is_known:
 * @self: of the trailer
 *
 * Whether the times are differences of readings of gettimeofday() in doubles, multiples of
 * 2^-22 s, with the recorder's clamp: at least 16 records show that, and of 200 records at most
 * one does not fit.
 */
gboolean pd_dvm_clock_is_known (const PdDvmClock *self);

/**
 * pd_dvm_reader_next:
 * @self: the reader
 * @call: (out): the next call of the program; Event_dvm_exit is the last one,
 *   with its TIME as call_time
 * @error: return location for a #PdDvmError
 *
 * Returns: %FALSE at the end (@error not set), or on an error. The end may
 *   come without Event_dvm_exit: see pd_dvm_reader_get_trailer().
 */
gboolean pd_dvm_reader_next (PdDvmReader *self, const PdDvmCall **call, GError **error);

/**
 * pd_dvm_reader_get_trailer:
 * Returns: (transfer none): the trailer, complete after the last call.
 */
const PdDvmTrailer *pd_dvm_reader_get_trailer (const PdDvmReader *self);

/**
 * pd_dvm_reader_get_place:
 * Returns: where the current call is, for messages.
 */
PdPlace pd_dvm_reader_get_place (const PdDvmReader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDvmReader, pd_dvm_reader_free)

#endif

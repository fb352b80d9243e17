/* The recorded operations of ranks on files: the table of MPI-IO.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FILES_H
#define PD_FILES_H

#include "analyse/pd-sizes.h"
#include "base/pd-time.h"
#include "traces/program/pd-program.h"

typedef enum
{
  PD_FILE_READS,
  PD_FILE_WRITES,
  PD_N_FILE_WAYS,
} PdFileWay;

/* Calls that read, or that write. */
typedef struct
{
  guint64 n_collective; /* of them, */
  PdTimeSum time;       /* spent in them; not in waits for what they began */
  PdSizes sizes;        /* what each of them moved */
} PdFileTransfers;

/* A file; calls of all ranks. */
typedef struct
{
  const char *name; /* borrowed from the program */
  PdFileTransfers ways[PD_N_FILE_WAYS];
  guint64 n_opens;
  guint64 n_others;  /* neither opens, nor reads or writes: close, seek, sync, wait, … */
  PdTimeSum other;   /* spent in opens and those */
  guint32 n_ranks;   /* that called anything on it */
  PdTime longest;    /* the greatest time that a rank spent on it, */
  guint32 slowest;   /* and the first such rank */
  PdTime transfer;   /* the greatest time of a rank in reads, writes and waits for them */
  gdouble bandwidth; /* bytes of all ranks by @transfer, bytes per second; NaN: none moved */
} PdFileUse;

/**
 * pd_files_new:
 * @program: read with recorded times; must outlive the table
 *
 * A call that moves bytes counts with its own; one that waits for several operations, to the file
 * of the first.
 *
 * Returns: (transfer full) (nullable) (element-type PdFileUse): what became of each file, by
 *   falling time, then by name; %NULL: no calls on files are recorded.
 */
GArray *pd_files_new (const PdProgram *program);

/**
 * pd_file_use_time:
 * Returns: what all ranks spent in calls on the file.
 */
PdTimeSum pd_file_use_time (const PdFileUse *self);

#endif

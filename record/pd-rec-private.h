/* The parts of the recorder that run in the program's processes. Internal to
 * record/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_PRIVATE_H
#define PD_REC_PRIVATE_H

#include "record/pd-rec-error.h"
#include "record/pd-rec-format-private.h"
#include "record/pd-rec.h"

#include <stddef.h>

/* ---- pd-rec-say.c: the only place that prints */

/* One line on stderr: "predictor record: …". */
void pd_rec_say (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* ---- pd-rec-options.c: the environment */

typedef struct
{
  char folder[1024];
  uint64_t buffer;   /* bytes mapped at once, whole pages */
  uint64_t max_size; /* bytes of the rank's stream */
  int depth;
} PdRecOptions;

/* @size: ranks that share PREDICTOR_MAX_SIZE; -1: a variable has no sense. */
int pd_rec_options_read (PdRecOptions *self, int size, PdRecError *error);

/* ---- pd-rec-clock.c */

/* Reads PREDICTOR_RECORD_CLOCK, of tests; @n: room in @host, which has a name. */
int pd_rec_clock_begin (int rank, char *host, size_t n, PdRecError *error);
/* Whether the readings are prescribed. */
int pd_rec_clock_is_prescribed (void);

/* ---- pd-rec-align.c */

/* Collective: compares the clocks of hosts with that of rank 0. */
int pd_rec_align (const PdRecMpi *mpi, const char *host, PdRecOffset *offset);

/* ---- pd-rec-stacks.c */

/* Forgets all stacks. */
void pd_rec_stacks_clear (void);

/* ---- pd-rec-define.c */

void pd_rec_define_begin (int rank);

/* ---- pd-rec-stream.c */

/* @path is made, and begins with @head, which is in the file from then on. */
int pd_rec_stream_open (const char *path, const PdRecHead *head, const PdRecOptions *options,
                        PdRecError *error);
/* The head in the file; NULL without a stream. */
PdRecHead *pd_rec_stream_head (void);
/* Bytes recorded so far, and how many there may be. */
uint64_t pd_rec_stream_size (uint64_t *limit);
/* Nothing more is recorded, because of @reason. */
void pd_rec_stream_stop (PdRecReason reason);
/* The file is complete and closed. */
void pd_rec_stream_close (void);
/* What recording a call costs, in picoseconds: tried in the stream, which is as
 * before afterwards; nothing may be in its first piece yet but definitions. */
uint64_t pd_rec_stream_measure (void);

/* A record's words after the first one. @data: of a definition. */
void pd_rec_define (uint64_t first, const uint64_t *words, unsigned n, const void *data,
                    size_t n_data);

#endif

/* A stream as a file that grows piece by piece, for pd-rec-stream.c. Blocks are allocated
 * before they are mapped, so a full disk ends the recording and not the program.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_PIECES_PRIVATE_H
#define PD_REC_PIECES_PRIVATE_H

#include "record/stream/pd-rec-threads.h"

#include <sys/stat.h>

struct PdRecStream
{
  uint64_t *at;               /* where the next record goes */
  uint64_t *end;              /* of the mapped piece; a word is kept for %PD_REC_PAD */
  uint64_t *piece;            /* mapped */
  PdRecHead *head;            /* mapped */
  uint64_t piece_begin;       /* where in the file */
  uint64_t file_bytes;        /* allocated */
  uint64_t call;              /* where the last call is in the file, with its details behind it */
  uint64_t last;              /* when it ended */
  uint32_t n_switches;        /* pauses and their ends that it was notified of */
  uint32_t n_defined;         /* likewise, communicators and windows */
  int is_taken;               /* by a thread */
  struct PdRecStacks *stacks; /* (nullable) */
  PdRecStream *next;
  struct stat file; /* that the path named at the beginning */
  char path[];
};

/**
 * pd_rec_pieces_begin:
 * Of a rank, whose streams have @options->max_size in all.
 */
void pd_rec_pieces_begin (const PdRecOptions *options);

/**
 * pd_rec_pieces_open:
 * Makes the file self->path with @head and its first piece. %PD_REC_RUNNING, or why not, with
 * @error.
 */
PdRecReason pd_rec_pieces_open (PdRecStream *self, const PdRecHead *head, PdRecError *error);

/**
 * pd_rec_pieces_map:
 * Maps the next piece. %PD_REC_RUNNING, or why not.
 */
PdRecReason pd_rec_pieces_map (PdRecStream *self);

/**
 * pd_rec_pieces_unmap:
 * Nothing more can be written until the next piece.
 */
void pd_rec_pieces_unmap (PdRecStream *self);

/**
 * pd_rec_pieces_close:
 * Unmaps the piece and the head.
 */
void pd_rec_pieces_close (PdRecStream *self);

/**
 * pd_rec_pieces_size:
 * Bytes of all streams, and how many there may be: the limit, or what the disk that has @path
 * has room for.
 */
uint64_t pd_rec_pieces_size (const char *path, uint64_t *limit);

/**
 * pd_rec_pieces_position:
 * Where in the file the next record goes.
 */
static inline uint64_t
pd_rec_pieces_position (const PdRecStream *self)
{
  return self->piece_begin + (uint64_t) (self->at - self->piece) * 8;
}

/**
 * pd_rec_streams:
 * Returns: (nullable): the stream of the last thread; the others follow.
 */
PdRecStream *pd_rec_streams (void);

#endif

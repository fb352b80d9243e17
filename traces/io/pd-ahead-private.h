/* Decompression by a thread, some blocks ahead of the reader.
 * SPDX-License-Identifier: MIT */
#ifndef PD_AHEAD_PRIVATE_H
#define PD_AHEAD_PRIVATE_H

#include "traces/io/pd-decoder-private.h"

#define PD_AHEAD_BLOCK (128 * 1024) /* bytes */

typedef struct _PdAhead PdAhead;

/* @decoder belongs to the thread until pd_ahead_free(). Returns: NULL where there is no thread
 * left. */
PdAhead *pd_ahead_new (PdDecoder *decoder);

/* (nullable) @self. The thread ends; the decoder is the caller's again. */
void pd_ahead_free (PdAhead *self);

/* As pd_decoder_read(), whose calls of a block each are passed on one by one; @problem is that of
 * the decoder after them. */
gsize pd_ahead_read (PdAhead *self, char *to, gsize n, PdInputProblem *problem);

#endif

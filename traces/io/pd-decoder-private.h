/* The contents of a file, decompressed. One thread at a time.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DECODER_PRIVATE_H
#define PD_DECODER_PRIVATE_H

#include "traces/io/pd-input.h"

typedef enum
{
  PD_CODING_PLAIN,
  PD_CODING_GZIP,
  PD_CODING_ZSTD,
} PdCoding;

typedef struct _PdDecoder PdDecoder;

/* Of a file, which it closes unless it is standard input, or with -1 of @bytes. */
PdDecoder *pd_decoder_new (int fd, GBytes *bytes);

/* Likewise, of the bytes from @begin to @end as they are: they are not decompressed. */
PdDecoder *pd_decoder_new_part (int fd, GBytes *bytes, guint64 begin, guint64 end);

/* The next byte of such a part is that at @begin. */
void pd_decoder_move_to (PdDecoder *self, guint64 begin);

void pd_decoder_free (PdDecoder *self);

/* Bytes of the whole file, as it is; 0 where it is no regular one. */
guint64 pd_decoder_get_size (const PdDecoder *self);

/* At most @n bytes at @to; returns how many, 0 at the end. */
gsize pd_decoder_read (PdDecoder *self, char *to, gsize n);

/* Known once something was read. */
PdCoding pd_decoder_get_coding (const PdDecoder *self);

/* After the last pd_decoder_read(). */
PdInputProblem pd_decoder_get_problem (const PdDecoder *self);

#endif

/* The chunks of a file of events, one after the other. Two readers may go through the same file at
 * once, one for what is looked for ahead: what one of them has in memory the other one does not
 * read again.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_CHUNK_READER_PRIVATE_H
#define PD_OTF2_CHUNK_READER_PRIVATE_H

#include "base/memory/pd-vector.h"
#include "traces/otf2/pd-otf2-private.h"

#include <stdio.h>

/* For readers only, but for @data and @size. */
struct _PdOtf2ChunkReader
{
  const guint8 *data; /* (nullable): the present chunk, with %PD_OTF2_PADDING bytes behind it */
  gsize size;
  PdOtf2Archive *archive;
  OTF2_LocationRef location;
  FILE *file; /* (nullable): locations without events have none; closed at the end */
  gsize chunk_size;
  guint64 n;                /* chunks so far, with the present one */
  gboolean is_behind;       /* the file, since the last chunk was the other one's */
  PdVector own;             /* guint8: of one chunk */
  PdOtf2ChunkReader *other; /* (nullable): of the same file */
};

/* A file that cannot be opened is an error of the archive. The other reader of the file, if there
 * is one, belongs to the same archive. */
void pd_otf2_chunk_reader_init (PdOtf2ChunkReader *self, PdOtf2Archive *archive,
                                OTF2_LocationRef location);
/* Reads the next chunk. FALSE: it cannot be read, which is an error of the archive. */
gboolean pd_otf2_chunk_reader_next (PdOtf2ChunkReader *self);
/* There are no more chunks. */
void pd_otf2_chunk_reader_close (PdOtf2ChunkReader *self);
void pd_otf2_chunk_reader_clear (PdOtf2ChunkReader *self);

/* Frees the memory that closed readers left for others. */
void pd_otf2_clear_chunks (PdOtf2Archive *archive);

#endif

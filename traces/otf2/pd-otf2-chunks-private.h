/* The files of an archive, checked before the library reads them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_CHUNKS_PRIVATE_H
#define PD_OTF2_CHUNKS_PRIVATE_H

#include "base/memory/pd-vector.h"
#include "base/pd-digest.h"
#include "traces/otf2/pd-otf2-private.h"

#include <stdio.h>

/* Types of records that belong to no event or definition. */
enum
{
  PD_OTF2_END_OF_CHUNK = 0,
  PD_OTF2_END_OF_FILE = 2,
  PD_OTF2_HEADER = 3,
  PD_OTF2_TIME = 5,       /* among events only */
  PD_OTF2_ATTRIBUTES = 6, /* likewise: of the next event */
};

/* In a chunk's second byte. */
#define PD_OTF2_BIG_ENDIAN_MARK    '#'
#define PD_OTF2_LITTLE_ENDIAN_MARK 'B'

#define PD_OTF2_HEADER_SIZE 18 /* type, byte order, the numbers of the first and last event */

/* Bytes of a chunk of events, or of definitions. */
gsize pd_otf2_get_chunk_size (const PdOtf2Archive *archive, gboolean is_of_events);
/* (transfer full): the file of a location's events. */
char *pd_otf2_get_events_path (const PdOtf2Archive *archive, OTF2_LocationRef location);

/* Whether the file of all definitions ends where its records say; @error: TRUNCATED or
 * OPEN. So does the next one for the events and the definitions of all ranks; which of them
 * can be decoded without the library is in archive->plain: where the archive is trusting, all whose
 * events are in a file. Both warn of files that are not those whose digests the anchor has. */
gboolean pd_otf2_check_definitions (PdOtf2Archive *archive, GError **error);
gboolean pd_otf2_check_ranks (PdOtf2Archive *archive, GError **error);
/* Whether the anchor has this digest of the location's events, or none of any. */
gboolean pd_otf2_is_digest (const PdOtf2Archive *archive, OTF2_LocationRef location,
                            const PdDigest *digest);

/* Reads the chunks of a file of events one after the other. Two readers, one of which looks ahead
 * for completions, may go through the same file at once: a chunk that one of them has in memory is
 * not read again by the other one. Users read @data, @size, @archive, @file and @chunk_size. */
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
static inline void
pd_otf2_clear_chunks (PdOtf2Archive *archive)
{
  for (guint i = 0; i < G_N_ELEMENTS (archive->chunks); i++)
    pd_vector_clear (&archive->chunks[i]);
}

#endif

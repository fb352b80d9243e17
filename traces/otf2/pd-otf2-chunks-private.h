/* The files of an archive, checked before the library reads them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_CHUNKS_PRIVATE_H
#define PD_OTF2_CHUNKS_PRIVATE_H

#include "base/pd-digest.h"
#include "traces/otf2/pd-otf2-private.h"

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

#endif

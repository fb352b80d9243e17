/* The anchor file of an archive, checked before the library reads it: the library allocates as
 * many properties as the file counts before it looks whether they are there, and what it says of
 * files in a form that it was not built for names neither the form nor the reason.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-anchor-private.h"

#include "base/pd-error.h"
#include "traces/io/pd-trace-error.h"

#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <string.h>

#define BIG_ENDIAN_MARK '#'
#define FIXED_SIZE      46 /* magic, versions, sizes of chunks, numbers of locations and definitions */
#define SUBSTRATE       28 /* an OTF2_FileSubstrate, one byte */
#define COMPRESSION     29 /* an OTF2_Compression, one byte: of version 3 it is always NONE */
#define ZLIB            2  /* OTF2_COMPRESSION_ZLIB, deprecated in version 3 */
#define TAIL_SIZE       16 /* the archive's identifier, numbers of snapshots and thumbnails */
#define MOST            (64 << 20) /* bytes: no archive has as many properties */
#define N_TEXTS         3          /* machine, creator, description: before the properties */

/* Behind @n texts from @at on, each with its zero; 0 if there are not as many. */
static gsize
skip_texts (const char *data, gsize size, gsize at, guint64 n)
{
  for (; n > 0; n--)
    {
      const char *zero = memchr (data + at, '\0', size - at);
      if (zero == NULL)
        return 0;
      at = (gsize) (zero - data) + 1;
    }
  return at;
}

/* Returns: NULL, or the content that was expected at @at. */
static const char *
find_fault (const char *data, gsize size, gsize *at)
{
  guint32 n;

  *at = 0;
  if (size < FIXED_SIZE)
    return "the head of an archive";
  gsize counted = skip_texts (data, size, *at = FIXED_SIZE, N_TEXTS);
  if (counted == 0 || size - counted < sizeof n)
    return "names of machine and creator, a description and the number of properties";
  memcpy (&n, data + counted, sizeof n);
  n = data[1] == BIG_ENDIAN_MARK ? GUINT32_FROM_BE (n) : GUINT32_FROM_LE (n);
  *at = counted;
  counted = skip_texts (data, size, counted + sizeof n, 2 * (guint64) n);
  return counted == 0 || size - counted < TAIL_SIZE ? "as many properties as are counted" : NULL;
}

/* NULL, or how the files of the archive are kept, in which form they cannot be read or checked. */
static const char *
find_form (const char *data)
{
  if (data[SUBSTRATE] == OTF2_SUBSTRATE_SION)
    return "in SION containers";
  return data[COMPRESSION] == ZLIB ? "compressed by zlib" : NULL;
}

gboolean
pd_otf2_check_anchor (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  gsize at, size = file != NULL ? g_mapped_file_get_length (file) : 0;

  /* who cannot open it says why elsewhere */
  if (file == NULL)
    return TRUE;
  const char *expected = size > MOST ? "an anchor file of an archive"
                                     : find_fault (g_mapped_file_get_contents (file), size, &at);
  const char *form = expected == NULL ? find_form (g_mapped_file_get_contents (file)) : NULL;
  if (form != NULL)
    return pd_fail (
        error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
        "%s: the files of this archive are %s: expected plain files, one for each location", path,
        form);
  if (expected == NULL)
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED,
               "%s: offset %" G_GSIZE_FORMAT ": expected %s: the file is cut or damaged", path,
               size > MOST ? 0 : at, expected);
  return FALSE;
}

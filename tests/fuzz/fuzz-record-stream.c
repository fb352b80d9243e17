/* Any bytes as a raw stream of the recorder: its records, and its definitions
 * with those of others.
 * SPDX-License-Identifier: MIT */
#include "record/archive/pd-rec-archive.h"
#include "record/archive/pd-rec-extract.h"

#include <glib.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* The merge of one stream with itself, as if it were two ranks'. */
static void
merge (const PdRecExtract *extract, guint32 size)
{
  PdRecError error = { "" };
  PdRecMerged merged;

  if (pd_rec_merged_init (&merged, size, &error) == 0)
    for (int i = 0; i < 2; i++)
      {
        PdRecMap map = { 0 };
        if (pd_rec_merged_add (&merged, "fuzz", extract, &map, &error) == 0)
          pd_rec_settle (&merged, &map);
        pd_rec_map_clear (&map);
      }
  pd_rec_merged_clear (&merged);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  /* the head is a page: its end is not in the inputs */
  gsize n = size <= sizeof (PdRecHead) ? size : size - sizeof (PdRecHead) + PD_REC_HEAD_BYTES;
  g_autofree guint8 *bytes = g_malloc0 (n + 1);
  g_autofree PdRecReader *reader = g_new0 (PdRecReader, 1);
  PdRecError error = { "" };
  PdRecExtract extract = { 0 };
  int is_damaged;

  for (gsize i = 0; i < size; i++)
    bytes[i < sizeof (PdRecHead) ? i : i - sizeof (PdRecHead) + PD_REC_HEAD_BYTES] = data[i];
  if (pd_rec_reader_init (reader, "fuzz", bytes, n, &error) != 0)
    return 0;
  if (pd_rec_extract (reader, &extract, &is_damaged, &error) == 0)
    merge (&extract, (guint32) reader->head->size);
  g_free (extract.words);
  pd_rec_reader_clear (reader);
  return 0;
}

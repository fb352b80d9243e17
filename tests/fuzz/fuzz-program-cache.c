/* Any bytes as a file of a program, with the sum made right: what is accepted
 * can be read to its end.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-program-file.h"
#include "traces/program/pd-program-file-private.h"
#include "traces/text/pd-text-writer.h"

#include <string.h>

/* Loops may make more of them than are gone through in good time. */
#define MOST_ACTIONS 1000000

static guint64
count_actions (const PdProgram *program)
{
  guint64 n = 0;

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    n += pd_program_get_n_actions (program, rank);
  return n;
}

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree guint8 *copy = g_malloc (size + 1);
  g_autoptr (GVariant) notes = NULL;
  g_autoptr (GError) error = NULL;

  if (size > 0)
    memcpy (copy, data, size);
  pd_program_file_seal (copy, size);
  g_autoptr (GBytes) bytes = g_bytes_new (copy, size);
  g_autoptr (PdProgram) program = pd_program_map_bytes (bytes, NULL, &notes, &error);
  g_assert_true ((program == NULL) == (error != NULL));
  if (program != NULL && count_actions (program) < MOST_ACTIONS)
    {
      g_autoptr (GBytes) text = pd_program_to_text (program);
      g_assert_cmpuint (g_bytes_get_size (text), >, 0);
    }
  return 0;
}

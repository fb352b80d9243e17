/* Any bytes as the records of a chunk of events, its size as it is: they are decoded to where a
 * record ends them, or left to libotf2. What both tell is compared in fuzz-otf2.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-chunks-private.h"
#include "traces/otf2/pd-otf2-decode-private.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const PdOtf2Archive archive = { .has_attribute = { TRUE, TRUE, TRUE },
                                  .attributes = { 0, 1, 70 } };
  gsize whole = PD_OTF2_HEADER_SIZE + size;
  g_autofree guint8 *chunk = g_malloc0 (whole + PD_OTF2_PADDING);
  PdOtf2Survey survey = { .archive = &archive, .is_plain = TRUE };

  chunk[0] = PD_OTF2_HEADER;
  chunk[1] = PD_OTF2_LITTLE_ENDIAN_MARK;
  if (size > 0)
    memcpy (chunk + PD_OTF2_HEADER_SIZE, data, size);
  gsize end = pd_otf2_survey_chunk (&survey, chunk, whole);
  g_assert_true ((end > 0) == survey.is_plain);
  g_assert_true (survey.n_events <= size);
  if (!survey.is_plain)
    return 0;
  g_assert_true (end < whole);
  g_assert_true (chunk[end] == PD_OTF2_END_OF_CHUNK || chunk[end] == PD_OTF2_END_OF_FILE);
  /* what is behind the end does not matter, and one byte less is not whole */
  guint64 n_events = survey.n_events;
  memset (chunk + end + 1, 5, whole + PD_OTF2_PADDING - end - 1);
  survey.n_events = 0;
  g_assert_true (pd_otf2_survey_chunk (&survey, chunk, end + 1) == end);
  g_assert_true (survey.n_events == n_events);
  g_assert_true (pd_otf2_survey_chunk (&survey, chunk, end) == 0);
  return 0;
}

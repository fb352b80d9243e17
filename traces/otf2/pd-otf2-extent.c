/* How much of a run an archive has. The recorder names the ranks that it could not record to
 * their ends: their streams reached a limit, or the disk was full. Calls of other ranks after
 * the first of these ends may have no partners, and are left out.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-recording-private.h"

#include "base/pd-verdict.h"
#include "traces/otf2/pd-otf2-rank-private.h"
#include "traces/program/pd-program-builder.h"

#include <stdlib.h>
#include <string.h>

/* The library's own text, as one of ours. */
static char *
get_property (const PdOtf2Archive *archive, const char *name)
{
  char *value = NULL, *copy;

  if (OTF2_Reader_GetProperty (archive->reader, name, &value) != OTF2_SUCCESS)
    return NULL;
  copy = g_strdup (value);
  free (value);
  return copy;
}

static gboolean
parse_ticks (const char *text, guint64 *ticks)
{
  return g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64 - 1, ticks, NULL);
}

/* "UNTIL" or "UNTIL END" */
static gboolean
parse_common_part (const char *text, guint64 *until, guint64 *end)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 3);
  guint n = g_strv_length (words);

  *end = 0;
  return (n == 1 && parse_ticks (words[0], until))
         || (n == 2 && parse_ticks (words[0], until) && parse_ticks (words[1], end)
             && *until <= *end);
}

void
pd_otf2_read_extent (PdOtf2Archive *archive)
{
  g_autofree char *text = get_property (archive, "PREDICTOR::COMMON_PART");
  guint64 until, end;

  archive->until = G_MAXUINT64;
  if (text == NULL)
    return;
  if (parse_common_part (text, &until, &end) && until >= archive->clock_begin)
    {
      archive->is_cut = TRUE;
      archive->until = until;
      archive->run_end = end;
      return;
    }
  pd_messages_add (archive->messages, PD_SEVERITY_WARNING, "property-ignored",
                   "PREDICTOR::COMMON_PART", &(PdPlace){ archive->path, 0, NULL, -1, -1, TRUE },
                   "PREDICTOR::COMMON_PART is '%s', expected when recording stopped and when the "
                   "run ended, in ticks: how much of the run was recorded is unknown",
                   text);
}

/* "CALLS:NANOSECONDS" of each kind; words of another form are ignored. */
void
pd_otf2_read_costs (PdOtf2Archive *archive)
{
  g_autofree char *text = get_property (archive, PD_OTF2_CALL_COSTS);
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", " ", -1);

  for (guint i = 0; i < PD_N_CALL_COSTS && words[i] != NULL; i++)
    {
      const char *colon = strchr (words[i], ':');
      gdouble ns = colon != NULL ? g_ascii_strtod (colon + 1, NULL) : 0;
      if (ns > 0 && ns < 1e9)
        pd_program_builder_set_call_cost (archive->builder, (PdCallCost) i,
                                          PD_TIME ((gint64) (ns * PD_PS_PER_NS + 0.5)));
    }
}

void
pd_otf2_read_clock (PdOtf2Archive *archive)
{
  g_autofree char *text = get_property (archive, PD_OTF2_CLOCK);

  for (guint i = PD_CLOCK_WALL; text != NULL && i < PD_N_CLOCKS; i++)
    if (g_str_equal (text, pd_recorded_clock_name ((PdRecordedClock) i)))
      archive->clock = (PdRecordedClock) i;
  pd_program_builder_set_recorded_clock (archive->builder, archive->clock);
  if (archive->clock == PD_CLOCK_CPU)
    archive->reading_costs = pd_otf2_find_reading_costs (archive);
}

/* 0: not known */
static gdouble
find_share (const PdOtf2Archive *archive, PdTime first)
{
  PdTime had = pd_time_sub (pd_otf2_to_ps (archive, archive->origin, archive->until), first);
  PdTime all = pd_time_sub (pd_otf2_to_ps (archive, archive->origin, archive->run_end), first);

  return archive->run_end != 0 && had.ps > 0 && all.ps > 0
             ? MIN ((gdouble) had.ps / (gdouble) all.ps, 1)
             : 0;
}

gboolean
pd_otf2_report_extent (PdOtf2Archive *archive, PdTime first)
{
  g_autofree char *ranks = get_property (archive, "PREDICTOR::TRUNCATED");
  const PdPlace place = { archive->path, 0, NULL, -1, -1, TRUE };

  if (archive->is_cut)
    {
      gdouble share = find_share (archive, first);
      g_autofree char *part = pd_verdict_describe_part (share);
      pd_program_builder_set_recorded_share (archive->builder, share);
      pd_messages_add (archive->messages, PD_SEVERITY_WARNING, "recording-truncated", NULL, &place,
                       "recording stopped before the program ended%s%s: the trace has %s; record "
                       "again with a higher limit or more room for all of it",
                       ranks != NULL ? ", of ranks " : "", ranks != NULL ? ranks : "", part);
    }
  else if (ranks != NULL)
    pd_messages_add (archive->messages, PD_SEVERITY_WARNING, "recording-truncated", NULL, &place,
                     "the events of ranks %s end before the program did: it was killed, or "
                     "recording stopped",
                     ranks);
  return archive->is_cut || ranks != NULL;
}

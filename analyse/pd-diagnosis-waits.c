/* The wait states of an interval in words.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-diagnosis-private.h"
#include "analyse/pd-diagnosis.h"
#include "analyse/pd-sites.h"
#include "analyse/pd-waits.h"

#define MAIN_SHARE 0.1 /* of all waiting: worth a word */

void
pd_diagnosis_append_place (GString *text, const char *file, gint64 line)
{
  g_string_append (text, file);
  if (file[0] != '\0' && line > 0)
    g_string_append_printf (text, ":%" G_GINT64_FORMAT, line);
}

/* The call site where the state took most; @polls: its calls in vain, everywhere. */
static const PdCallSite *
find_dearest (const GArray *sites, guint state, guint64 *polls)
{
  const PdCallSite *dearest = NULL;

  *polls = 0;
  for (guint i = 0; i < sites->len; i++)
    {
      const PdCallSite *site = &g_array_index (sites, PdCallSite, i);
      if (site->waits[state].ps == 0)
        continue;
      *polls += site->n_polls;
      if (dearest == NULL || site->waits[state].ps > dearest->waits[state].ps)
        dearest = site;
    }
  return dearest;
}

/* @where: they waited. */
static void
append_late (GString *text, const PdAnalysis *analysis, const PdLate *late, PdTimeSum all,
             const char *where)
{
  g_autofree char *time = pd_diagnosis_format_time (late->waited);
  g_autoptr (GString) there = g_string_new (NULL);

  g_string_append_printf (text, ", %s for rank %u, late", late->waited.ps == all.ps ? "all" : time,
                          late->rank);
  if (late->site == PD_PROGRAM_NONE)
    return;
  PdProgramSite place = pd_program_get_site (analysis->program, late->site);
  pd_diagnosis_append_place (there, place.file, place.line);
  if (g_str_equal (there->str, where))
    g_string_append (text, " there");
  else
    g_string_append_printf (text, " at %s", there->str);
}

static void
append_state (GString *text, const PdAnalysis *analysis, guint32 node, const GArray *sites,
              PdWaitState state, PdTimeSum time)
{
  const char *name = pd_wait_state_name (state);
  g_autofree char *t = pd_diagnosis_format_time (time);
  g_autoptr (GString) where = g_string_new (NULL);
  guint64 polls;
  const PdCallSite *site = find_dearest (sites, state, &polls);
  PdLate late;

  g_string_append_printf (text, "%s%c%s takes %s", text->len > 0 ? " " : "",
                          g_ascii_toupper (name[0]), name + 1, t);
  if (polls > 0)
    g_string_append_printf (text, " in %" G_GUINT64_FORMAT " polling call%s", polls,
                            polls == 1 ? "" : "s");
  if (site != NULL)
    {
      pd_diagnosis_append_place (where, site->file, site->line);
      g_string_append_printf (text, "%s at %s%s%s%s",
                              site->waits[state].ps == time.ps ? "" : ", most", where->str,
                              where->len > 0 ? " " : "", site->function,
                              site->part == PD_Q_SYSTEM ? ", a synchronising operation" : "");
    }
  if (pd_analysis_find_late (analysis, node, state, &late))
    append_late (text, analysis, &late, time, where->str);
  g_string_append_c (text, '.');
}

char *
pd_diagnosis_describe_waits (const PdAnalysis *analysis, guint32 node, const GArray *sites)
{
  GString *text = g_string_new (NULL);
  PdTimeSum waits[PD_N_WAIT_STATES];
  gdouble sum = 0;

  pd_analysis_get_waits (analysis, node, waits);
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    sum += (gdouble) waits[i].ps;
  for (guint n = 0; n < PD_N_WAIT_STATES; n++)
    {
      guint most = 0;
      for (guint i = 1; i < PD_N_WAIT_STATES; i++)
        if (waits[i].ps > waits[most].ps)
          most = i;
      if (waits[most].ps == 0 || (gdouble) waits[most].ps < MAIN_SHARE * sum)
        break;
      append_state (text, analysis, node, sites, (PdWaitState) most, waits[most]);
      waits[most].ps = 0;
    }
  return g_string_free (text, text->len == 0);
}

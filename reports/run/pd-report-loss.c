/* SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-loss.h"

#include "base/pd-figures.h"
#include "intervals/pd-interval-rows.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-analysis-common.h"
#include "reports/run/pd-report-common.h"

#include <string.h>

#define LEAST_SHARE 0.1 /* of the lost time: worth naming */

/* ---- own times of intervals: without those inside */

/* The parts of lost time that an interval has on its own, in words: in a parallel loop, and
 * anywhere else. Together they are insufficient parallelism and communication, of either model. */
static const struct
{
  PdCharacteristic part;
  const char *in_loop, *elsewhere; /* the latter NULL: the same */
} parts[] = {
  { PD_C_INSUFFICIENT_PARALLELISM_SEQ, "time in the run-time system",
    "computation that every processor repeats" },
  { PD_C_INSUFFICIENT_PARALLELISM_PAR, "iterations that several processors repeat", NULL },
  { PD_C_WAIT_REDUCTION, "reductions", NULL },
  { PD_C_WAIT_SHADOW, "exchanges of shadow edges", NULL },
  { PD_C_REMOTE_ACCESS, "remote access", NULL },
  { PD_C_REDISTRIBUTION, "redistribution", NULL },
  { PD_C_IO_COMM, "input and output of distributed arrays", NULL },
  { PD_C_OTHER_COMM, "barriers and communicators", NULL },
  { PD_C_SENDRECV_TIME, "point-to-point operations", NULL },
  { PD_C_COLLECTIVE_TIME, "collective operations", NULL },
  { PD_C_SYSTEM_TIME, "other MPI calls", NULL },
};

typedef PdWide Own[G_N_ELEMENTS (parts)];

/* Of all results, by their index. */
static Own *
find_own (const PdReportRun *run)
{
  Own *own = g_new (Own, run->results->len);
  g_autofree guint *positions = pd_report_positions (run);

  for (guint i = 0; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
        {
          PdWide all = r->values[parts[k].part].sum.ps;
          own[i][k] = all;
          if (i > 0)
            own[positions[r->parent]][k] -= all;
        }
    }
  return own;
}

static PdTimeSum
per_entry (const PdIntervalResult *r, PdWide time)
{
  PdWide entries = (PdWide) r->counts[PD_Q_EXE_COUNT - PD_N_TIMES] * r->n_processors;

  return (PdTimeSum){ entries > 0 ? time / entries : 0 };
}

static PdLossPlace
make_place (const PdReportRun *run, Own *own, guint i)
{
  const PdIntervalResult *r = pd_report_result (run, i);
  PdTimeSum lost = pd_report_result (run, 0)->values[PD_C_LOST_TIME].sum;
  PdWide idle = i == 0 ? r->values[PD_C_IDLE].sum.ps : 0, all = idle;
  guint most = 0;

  for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
    {
      all += own[i][k];
      if (own[i][k] > own[i][most])
        most = k;
    }
  if (idle > own[i][most])
    return (PdLossPlace){ i, pd_report_share ((PdTimeSum){ all }, lost), PD_C_IDLE,
                          per_entry (r, idle) };
  return (PdLossPlace){ i, pd_report_share ((PdTimeSum){ all }, lost), parts[most].part,
                        per_entry (r, own[i][most]) };
}

guint
pd_report_find_places (const PdReportRun *run, PdLossPlace *places)
{
  g_autofree Own *own = find_own (run);
  guint n = 0;

  for (guint i = 0; i < run->results->len; i++)
    {
      PdLossPlace place = make_place (run, own, i);
      guint at = n;
      if (place.share < LEAST_SHARE)
        continue;
      while (at > 0 && places[at - 1].share < place.share)
        at--;
      if (at == PD_LOSS_PLACES)
        continue;
      n = MIN (n + 1, PD_LOSS_PLACES);
      memmove (places + at + 1, places + at, (n - at - 1) * sizeof *places);
      places[at] = place;
    }
  return n;
}

/* ---- words */

static const PdReportRun *
largest_run (const PdReport *self)
{
  const PdReportRun *largest = NULL;

  for (guint i = 0; i < self->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (self, i);
      if (largest == NULL || run->n_processors > largest->n_processors)
        largest = run;
    }
  return largest;
}

/* ", chiefly Wait_shadow" for communication, "" for the rest. */
static char *
describe_component (const PdReportRun *run, PdCharacteristic part)
{
  const PdIntervalResult *root = pd_report_result (run, 0);
  PdCharacteristic largest = run->model == PD_MODEL_MPI ? PD_C_SENDRECV_TIME : PD_C_WAIT_REDUCTION;

  if (part != PD_C_COMMUNICATION)
    return g_strdup ("");
  for (PdCharacteristic c = PD_C_WAIT_REDUCTION; c <= PD_C_SYSTEM_TIME; c++)
    if (root->values[c].sum.ps > root->values[largest].sum.ps)
      largest = c;
  return g_strdup_printf (", chiefly %s", pd_characteristic_row (largest)->name);
}

static const char *
name_cause (const PdIntervalResult *r, const PdLossPlace *place)
{
  gboolean is_loop = r->type == PD_INTERVAL_PAR;

  if (place->cause == PD_C_IDLE)
    return "waiting for the last processor at the end";
  /* which has both */
  if (place->cause == PD_C_WAIT_SHADOW
      && r->operations[PD_OPERATION_PIPELINE][PD_OPERATION_COMMUNICATION].ps
             > r->operations[PD_OPERATION_SHADOW][PD_OPERATION_COMMUNICATION].ps)
    return "pipeline";
  for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
    if (parts[k].part == place->cause)
      return is_loop || parts[k].elsewhere == NULL ? parts[k].in_loop : parts[k].elsewhere;
  g_assert_not_reached ();
}

/* "29 % in PAR a.fdv:19 (time in the run-time system, 32.2 us per entry)". */
static void
describe_place (const PdReportRun *run, const PdLossPlace *place, GString *out)
{
  const PdIntervalResult *r = pd_report_result (run, place->interval);
  g_autofree char *label = pd_report_label (r);
  gboolean is_loop = r->type == PD_INTERVAL_PAR;

  g_string_append_printf (out, "%s %s%s (%s", pd_figures_percent (place->share, 1).text,
                          place->interval == 0 ? "outside of all intervals" : "in ",
                          place->interval == 0 ? "" : label, name_cause (r, place));
  if (is_loop && place->per_entry.ps > 0)
    {
      g_autofree char *time = pd_figures_time (place->per_entry);
      g_string_append_printf (out, ", %s per entry", time);
    }
  g_string_append_c (out, ')');
}

static void
describe_places (const PdReportRun *run, GString *out)
{
  PdLossPlace places[PD_LOSS_PLACES];
  guint n = run->results->len > 1 ? pd_report_find_places (run, places) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? " By place: " : ", ");
      describe_place (run, &places[i], out);
    }
  if (n > 0)
    g_string_append_c (out, '.');
}

char *
pd_report_describe_loss (const PdReport *self)
{
  const PdReportRun *run = largest_run (self);
  guint k = 0;

  if (run == NULL)
    return NULL;
  const PdIntervalResult *root = pd_report_result (run, 0);
  PdTimeSum lost = root->values[PD_C_LOST_TIME].sum;
  g_autofree char *where = self->runs->len > 1
                               ? g_strdup_printf (" on %u processors", run->n_processors)
                               : g_strdup ("");
  if (lost.ps == 0)
    return g_strdup_printf ("No time is lost%s.", where);

  for (guint i = 1; i < PD_N_LOSSES; i++)
    if (root->values[pd_report_losses[i]].sum.ps > root->values[pd_report_losses[k]].sum.ps)
      k = i;
  gdouble share = pd_report_share (root->values[pd_report_losses[k]].sum, lost);
  g_autofree char *per_cent = pd_report_fixed (100 * share, 0);
  g_autofree char *component = describe_component (run, pd_report_losses[k]);
  GString *out = g_string_new (NULL);
  g_string_printf (out, "%s of the lost time%s (%s %%) is %s%s.",
                   share > 0.5 ? "Most" : "The largest part", where, per_cent,
                   pd_report_loss_names[k], component);
  describe_places (run, out);
  g_autofree char *reason = pd_report_find_statement (run, "load-imbalance");
  if (reason != NULL)
    g_string_append_printf (out, " %s", reason);
  return g_string_free (out, FALSE);
}

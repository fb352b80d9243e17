/* SPDX-License-Identifier: MIT */
#include "reports/analysis/pd-analysis-tables.h"

#include "analyse/pd-sites.h"
#include "analyse/pd-waits.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-common.h"

#include <math.h>

#define LITTLE 0.01 /* of an interval's time: no reason is named */

/* ---- intervals */

/* The time of ranks in @r and in the intervals inside it: Execution_time is its own maximum. */
static PdTimeSum
time_of (const PdIntervalResult *r)
{
  return (PdTimeSum){ r->total_time.ps - r->values[PD_C_IDLE].sum.ps };
}

static PdTimeSum
lost_of (const PdIntervalResult *r)
{
  return (PdTimeSum){ r->values[PD_C_COMMUNICATION].sum.ps
                      + r->values[PD_C_INSUFFICIENT_PARALLELISM].sum.ps };
}

/* The largest cause of loss in an interval itself. @waits: its waits;
 * @insufficient: the rest */
static const char *
find_reason (const PdTimeSum *waits, PdTimeSum lost, PdTimeSum insufficient)
{
  PdWide rest = lost.ps - insufficient.ps, most = insufficient.ps;
  const char *reason = "insufficient parallelism";

  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    {
      rest -= waits[i].ps;
      if (waits[i].ps <= most)
        continue;
      most = waits[i].ps;
      reason = pd_wait_state_name ((PdWaitState) i);
    }
  return rest > most ? "calls and transfer" : reason;
}

static gint
compare_own (gconstpointer a, gconstpointer b)
{
  const PdOwnTime *x = a, *y = b;

  if (x->lost.ps != y->lost.ps)
    return x->lost.ps > y->lost.ps ? -1 : 1;
  if (x->time.ps != y->time.ps)
    return x->time.ps > y->time.ps ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

/* Of @own, the part of @r without the intervals inside it. */
static void
set_reason (const PdReportRun *run, const PdIntervalResult *r, gboolean with_inner,
            PdTimeSum insufficient, PdOwnTime *own)
{
  PdTimeSum waits[PD_N_WAIT_STATES];

  own->reason = "";
  if (pd_report_share (own->lost, own->time) < LITTLE)
    return;
  pd_analysis_get_waits (run->analysis, r->node, waits);
  for (guint i = 0; i < PD_N_WAIT_STATES && !with_inner; i++)
    waits[i] = run->analysis->waits[r->node * PD_N_WAIT_STATES + i];
  own->reason = find_reason (waits, own->lost, insufficient);
}

GArray *
pd_analysis_rank_intervals (const PdReportRun *run, gint64 level)
{
  GArray *ranked = g_array_new (FALSE, FALSE, sizeof (PdOwnTime));
  g_autofree guint *positions = pd_report_positions (run);
  guint n = run->results->len;
  g_autofree PdTimeSum *times = g_new0 (PdTimeSum, n), *lost = g_new0 (PdTimeSum, n);
  g_autofree PdTimeSum *insufficient = g_new0 (PdTimeSum, n);

  for (guint i = 0; i < n; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      guint around = positions[r->parent];
      PdTimeSum alone = r->values[PD_C_INSUFFICIENT_PARALLELISM].sum;
      if (r->depth > level)
        continue;
      times[i].ps += time_of (r).ps;
      lost[i].ps += lost_of (r).ps;
      insufficient[i].ps += alone.ps;
      if (i == 0)
        continue;
      times[around].ps -= time_of (r).ps;
      lost[around].ps -= lost_of (r).ps;
      insufficient[around].ps -= alone.ps;
    }
  for (guint i = 0; i < n; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      PdOwnTime own = { i, times[i], lost[i], "" };
      if (r->depth > level)
        continue;
      set_reason (run, r, r->depth == level, insufficient[i], &own);
      g_array_append_val (ranked, own);
    }
  g_array_sort (ranked, compare_own);
  return ranked;
}

void
pd_analysis_add_own_time (PdColumns *to, const PdReportRun *run, const PdOwnTime *own)
{
  static const PdColumn columns[] = {
    { "<Interval", "<Interval" },   { "Entered", "Entered" },          { "Own s", "Own time, s" },
    { "Run%", "% of the run" },     { "Lost s", "Lost, s" },           { "Run%", "% of the run" },
    { "Effic.%", "Efficiency, %" }, { "<Main reason", "<Main reason" }
  };
  const PdIntervalResult *r = pd_report_result (run, own->at), *root = pd_report_result (run, 0);
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (root->total_time));
  g_autofree char *label = pd_report_label (r);

  pd_columns_begin (to, PD_COLUMNS (columns));
  pd_columns_add_text (to, own->at == 0 ? "outside of intervals" : label);
  pd_columns_add_count (to, r->counts[PD_Q_EXE_COUNT - PD_N_TIMES]);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (own->time), decimals);
  pd_columns_add_share (to, own->time, root->total_time);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (own->lost), decimals);
  pd_columns_add_share (to, own->lost, root->total_time);
  pd_columns_add_share (to, (PdTimeSum){ own->time.ps - own->lost.ps }, own->time);
  pd_columns_add_text (to, own->reason);
}

/* ---- call sites */

/* "halo.c:22 MPI_Recv" */
static char *
label_of (const PdAnalysis *analysis, const PdCallSite *site)
{
  GString *text = g_string_new (NULL);

  pd_analysis_append_place (analysis, text, site->file, site->line);
  g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", site->function);
  return g_string_free (text, FALSE);
}

/* "late sender 97 %": of the time of the calls, its largest wait state. */
static char *
describe_waiting (const PdCallSite *site)
{
  guint best = 0;

  for (guint i = 1; i < PD_N_WAIT_STATES; i++)
    if (site->waits[i].ps > site->waits[best].ps)
      best = i;
  gdouble share = pd_report_share (site->waits[best], site->costs.time);
  g_autofree char *percent = pd_report_fixed (100 * share, 0);
  if (share < LITTLE)
    return g_strdup ("");
  return g_strdup_printf ("%s %s %%", pd_wait_state_name ((PdWaitState) best), percent);
}

void
pd_analysis_add_site (PdColumns *to, const PdReportRun *run, const PdIntervalResult *r,
                      const PdCallSite *site, gboolean with_waits)
{
  static const PdColumn columns[] = { { "<Call site", "<Call site" },
                                      { "Seconds", "Seconds" },
                                      { "Comm%", "% of communication" },
                                      { "Calls", "Calls" },
                                      { "Bytes", "Bytes" },
                                      { "Mean", "Mean size" },
                                      { "Imbal.", "Imbalance, greatest by mean" },
                                      { "<Waiting", "<Waiting" } };
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
  g_autofree char *label = label_of (run->analysis, site),
                  *waiting = with_waits ? describe_waiting (site) : g_strdup ("");
  gboolean any = site->sizes.n > 0;
  g_autofree char *bytes = pd_report_format_bytes ((gdouble) site->sizes.bytes.ps);
  g_autofree char *mean = pd_report_format_bytes (any ? pd_sizes_mean (&site->sizes) : 0);

  pd_columns_begin (to, PD_COLUMNS (columns));
  pd_columns_add_text (to, label);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (site->costs.time), decimals);
  pd_columns_add_share (to, site->costs.time, r->values[PD_C_COMMUNICATION].sum);
  pd_columns_add_count (to, site->costs.count);
  pd_columns_add_text (to, any ? bytes : "-");
  pd_columns_add_text (to, any ? mean : "-");
  pd_columns_add_fixed (to, pd_call_site_get_spread (site).imbalance, 2);
  pd_columns_add_text (to, waiting);
}

/* ---- files */

/* "4 (1 MiB)", "4 (512 B to 1 MiB)": calls and what each of them moves. */
static char *
describe_calls (const PdSizes *sizes)
{
  g_autofree char *least = pd_report_format_bytes ((gdouble) sizes->smallest);
  g_autofree char *most = pd_report_format_bytes ((gdouble) sizes->largest);

  if (sizes->n == 0)
    return g_strdup ("-");
  return sizes->smallest == sizes->largest
             ? g_strdup_printf ("%" G_GUINT64_FORMAT " x %s", sizes->n, most)
             : g_strdup_printf ("%" G_GUINT64_FORMAT " x %s-%s", sizes->n, least, most);
}

/* Of reads and writes: how many are collective. */
static char *
describe_collective (const PdFileUse *file)
{
  guint64 n = file->ways[PD_FILE_READS].sizes.n + file->ways[PD_FILE_WRITES].sizes.n;
  guint64 all = file->ways[PD_FILE_READS].n_collective + file->ways[PD_FILE_WRITES].n_collective;

  if (n == 0)
    return g_strdup ("-");
  return all == 0   ? g_strdup ("none")
         : all == n ? g_strdup ("all")
                    : g_strdup_printf ("%" G_GUINT64_FORMAT, all);
}

static void
add_way (PdColumns *to, const PdFileTransfers *way, int decimals)
{
  g_autofree char *calls = describe_calls (&way->sizes);
  g_autofree char *bytes = pd_report_format_bytes ((gdouble) way->sizes.bytes.ps);

  pd_columns_add_text (to, calls);
  pd_columns_add_text (to, way->sizes.n > 0 ? bytes : "-");
  pd_columns_add_fixed (to, way->sizes.n > 0 ? pd_time_sum_to_seconds (way->time) : NAN, decimals);
}

void
pd_analysis_add_file (PdColumns *to, const PdIntervalResult *r, const PdFileUse *file)
{
  static const PdColumn columns[] = {
    { "<File", "<File" },       { "Ranks", "Ranks" },
    { "Opens", "Opens" },       { "Reads", "Reads" },
    { "Bytes", "Bytes read" },  { "Seconds", "Reads, s" },
    { "Writes", "Writes" },     { "Bytes", "Bytes written" },
    { "Seconds", "Writes, s" }, { "Other s", "Other calls, s" },
    { "Coll.", "Collective" },  { "Rate", "Bytes of all ranks per s of the slowest rank" },
  };
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
  g_autofree char *collective = describe_collective (file);
  g_autofree char *bytes = pd_report_format_bytes (isnan (file->bandwidth) ? 0 : file->bandwidth);
  g_autofree char *rate =
      isnan (file->bandwidth) ? g_strdup ("-") : g_strconcat (bytes, "/s", NULL);

  pd_columns_begin (to, PD_COLUMNS (columns));
  pd_columns_add_text (to, file->name);
  pd_columns_add_count (to, file->n_ranks);
  pd_columns_add_count (to, file->n_opens);
  for (guint i = 0; i < PD_N_FILE_WAYS; i++)
    add_way (to, &file->ways[i], decimals);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (file->other), decimals);
  pd_columns_add_text (to, collective);
  pd_columns_add_text (to, rate);
}

/* "from 4 B: 100, from 8 KiB: 100": how many messages each power of two has. */
static char *
describe_classes (const PdSizes *sizes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < PD_N_SIZE_CLASSES; i++)
    {
      g_autofree char *from = pd_report_format_bytes ((gdouble) pd_sizes_class_from (i));
      if (sizes->classes[i] > 0)
        g_string_append_printf (text, "%s%s%s: %" G_GUINT64_FORMAT, text->len > 0 ? ", " : "",
                                i > 1 ? "from " : "", from, sizes->classes[i]);
    }
  return g_string_free (text, FALSE);
}

char *
pd_analysis_describe_sizes (const PdSizes *sizes)
{
  g_autofree char *all = pd_report_format_bytes ((gdouble) sizes->bytes.ps);
  g_autofree char *least = pd_report_format_bytes ((gdouble) sizes->smallest);
  g_autofree char *most = pd_report_format_bytes ((gdouble) sizes->largest);
  g_autofree char *classes = describe_classes (sizes);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%" G_GUINT64_FORMAT " message%s of %s", sizes->n,
                          sizes->n == 1 ? "" : "s", all);
  if (sizes->n > 1 && sizes->smallest == sizes->largest)
    g_string_append_printf (text, " in all, %s each", most);
  else if (sizes->n > 1)
    g_string_append_printf (text, " in all, %s to %s; %s", least, most, classes);
  return g_string_free (text, FALSE);
}

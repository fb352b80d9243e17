/* The wait states, the call sites, the processors, the threads and
 * the parallel regions of an interval in words.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-diagnosis-private.h"
#include "analyse/pd-diagnosis.h"
#include "analyse/pd-sites.h"
#include "analyse/pd-waits.h"
#include "traces/program/pd-program-sharing.h"
#include "base/pd-figures.h"

#define MAIN_SHARE 0.1   /* of all waiting: worth a word */
#define CAUSE      0.5   /* of the time of a call site: a wait state that is named there */
#define N_PLACES   3     /* call sites that are named, */
#define WORTH      0.005 /* if they are so much of the communication */

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
  g_autofree char *time = pd_figures_time (late->waited);
  g_autoptr (GString) there = g_string_new (NULL);

  g_string_append_printf (text, ", %s for rank %u", late->waited.ps == all.ps ? "all" : time,
                          late->rank);
  if (late->site != PD_PROGRAM_NONE)
    {
      PdProgramSite place = pd_program_get_site (analysis->program, late->site);
      pd_analysis_append_place (analysis, there, place.file, place.line);
    }
  if (there->len > 0 && g_str_equal (there->str, where))
    g_string_append (text, ", late there");
  else if (there->len > 0)
    g_string_append_printf (text, ", late at %s", there->str);
}

static void
append_state (GString *text, const PdAnalysis *analysis, guint32 node, const GArray *sites,
              PdWaitState state, PdTimeSum time)
{
  const char *name = pd_wait_state_name (state);
  g_autofree char *t = pd_figures_time (time);
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
      pd_analysis_append_place (analysis, where, site->file, site->line);
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

/* ---- call sites */

static gint
compare_costs (gconstpointer a, gconstpointer b)
{
  const PdCallSite *x = a, *y = b;

  if (x->costs.time.ps != y->costs.time.ps)
    return x->costs.time.ps > y->costs.time.ps ? -1 : 1;
  return 0;
}

static const PdCallSiteRank *
find_slowest (const PdCallSite *site)
{
  const PdCallSiteRank *dearest = &g_array_index (site->ranks, PdCallSiteRank, 0);

  for (guint i = 1; i < site->ranks->len; i++)
    {
      const PdCallSiteRank *own = &g_array_index (site->ranks, PdCallSiteRank, i);
      if (own->costs.time.ps > dearest->costs.time.ps)
        dearest = own;
    }
  return dearest;
}

/* The wait state that takes most of it; PD_N_WAIT_STATES: none. */
static guint
find_state (const PdTimeSum *waits)
{
  guint dearest = PD_N_WAIT_STATES;

  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    if (waits[i].ps > 0 && (dearest == PD_N_WAIT_STATES || waits[i].ps > waits[dearest].ps))
      dearest = i;
  return dearest;
}

static void
append_place (const PdAnalysis *analysis, GString *text, const PdCallSite *site,
              gdouble communication)
{
  const PdCallSiteRank *dearest = find_slowest (site);
  g_autofree char *t = pd_figures_time (site->costs.time);
  guint state = find_state (site->waits);

  g_string_append (text, text->len > 0 ? "; " : "");
  pd_analysis_append_place (analysis, text, site->file, site->line);
  g_string_append_printf (text, "%s%s %s (%s", site->file[0] != '\0' ? " " : "", site->function, t,
                          pd_figures_percent ((gdouble) site->costs.time.ps, communication).text);
  if (site->ranks->len > 1)
    g_string_append_printf (text, ", most on rank %u", dearest->rank);
  if (state != PD_N_WAIT_STATES
      && (gdouble) site->waits[state].ps >= CAUSE * (gdouble) site->costs.time.ps)
    g_string_append_printf (text, ", %s", pd_wait_state_name ((PdWaitState) state));
  g_string_append_c (text, ')');
}

char *
pd_diagnosis_describe_places (const PdAnalysis *analysis, GArray *sites, gdouble communication)
{
  GString *text = g_string_new (NULL);

  g_array_sort (sites, compare_costs);
  for (guint i = 0; i < MIN (sites->len, N_PLACES); i++)
    {
      const PdCallSite *site = &g_array_index (sites, PdCallSite, i);
      if ((gdouble) site->costs.time.ps >= WORTH * communication)
        append_place (analysis, text, site, communication);
    }
  return g_string_free (text, text->len == 0);
}

/* ---- components of communication */

#define LARGE 16384 /* bytes of a message that cost more than its latency */

PdTimeSum
pd_diagnosis_sum_waits (const GArray *sites, PdQuantity part)
{
  PdTimeSum sum = { 0 };

  for (guint i = 0; i < sites->len; i++)
    {
      const PdCallSite *site = &g_array_index (sites, PdCallSite, i);
      for (guint state = 0; site->part == part && state < PD_N_WAIT_STATES; state++)
        sum.ps += site->waits[state].ps;
    }
  return sum;
}

char *
pd_diagnosis_describe_amount (const GArray *sites, PdQuantity part, guint64 n, const char *fewer)
{
  PdSizes sizes = { 0 };

  for (guint i = 0; i < sites->len; i++)
    {
      const PdCallSite *site = &g_array_index (sites, PdCallSite, i);
      if (site->part == part)
        pd_sizes_merge (&sizes, &site->sizes);
    }
  g_autofree char *mean =
      sizes.bytes.ps > 0 ? g_strdup_printf (" with %.0f B each on average", pd_sizes_mean (&sizes))
                         : g_strdup ("");
  const char *what = n > 0 ? "operation" : "one-sided operation"; /* which nothing counts */
  n = n > 0 ? n : sizes.n;
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %s%s%s. %s may help.", n, what, n == 1 ? "" : "s",
                          mean,
                          sizes.bytes.ps > 0 && pd_sizes_mean (&sizes) >= LARGE
                              ? "Less to send, or another division of the data,"
                              : fewer);
}

/* ---- processors */

static const PdProcessorsTold shared = {
  .id = "processors-shared",
  .is_disturbed = TRUE,
  .waits_id = "waits-shared",
  .waits = "Ranks that take turns on processors wait for those whose turn it is not, whatever the "
           "program does, so no rank and no call is named as the reason.",
};

static const PdProcessorsTold taken = {
  .id = "processors-taken",
  .waits_id = "waits-taken",
  .waits = "A rank whose processor another program has makes others wait, whatever this program "
           "does, so no rank and no call is named as the reason: record while nothing else runs "
           "on these processors.",
};

/* "40 s, 98 % of their time": how long ranks had no processor. */
static char *
describe_wait (const PdProcessorWait *wait)
{
  g_autofree char *t = pd_figures_time (wait->waited);

  return g_strdup_printf ("%s, %s of their time", t, pd_figures_percent (wait->share, 1).text);
}

PdProcessorsTold
pd_diagnosis_tell_processors (const PdAnalysis *analysis, PdTimeSum waiting)
{
  PdSharing sharing;
  PdProcessorWait wait;
  gboolean is_shared = pd_program_find_sharing (analysis->program, &sharing);
  gboolean is_much = pd_program_find_processor_wait (analysis->program, &wait);
  g_autofree char *waited = is_much ? describe_wait (&wait) : NULL;
  PdProcessorsTold told = is_shared ? shared : taken;

  if (is_shared)
    {
      g_autofree char *text = pd_sharing_describe (&sharing);
      gboolean is_cpu = pd_program_get_recorded_clock (analysis->program) == PD_CLOCK_CPU;
      told.text = g_strdup_printf (
          "%s%s%s: their waits are those of the scheduler, not of the program. analyse -m MACHINE "
          "explains the predicted run%s.",
          text, is_much ? ", and were ready but had none for " : "", is_much ? waited : "",
          is_cpu ? ""
                 : "; record with --clock cpu, so that computation has no other ranks' time "
                   "slices in it");
    }
  else if (is_much)
    {
      told.is_disturbed = (gdouble) wait.waited.ps >= CAUSE * (gdouble) waiting.ps;
      told.text = g_strdup_printf ("Ranks were ready but had no processor for %s, because other "
                                   "programs had it: computation and waits below include that.",
                                   waited);
    }
  return told;
}

/* ---- threads */

#define IDLE  0.8 /* of the threads: fewer are busy */
#define ALIKE 0.1 /* processors that ranks differ by */

/* The most threads that a rank has, and the processors that one of those might use. */
static guint32
find_threads (const PdProgram *program, guint *processors)
{
  guint32 most = 0;

  *processors = 0;
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      const PdRecordedUsage *usage = pd_program_get_recorded_usage (program, rank);
      if (usage == NULL || usage->n_threads <= most)
        continue;
      most = usage->n_threads;
      *processors = pd_program_count_processors (program, rank);
    }
  return most;
}

static void
append_number (GString *text, const char *format, gdouble number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (digits, sizeof digits, format, number));
}

/* Where ranks differ, the one with the fewest busy processors, and the one with the most. */
static void
append_extremes (GString *text, const PdAnalysis *analysis)
{
  guint32 n = pd_program_get_n_ranks (analysis->program), least = n, most = n;

  for (guint32 rank = 0; rank < n; rank++)
    {
      gdouble mean = pd_busy_mean (&analysis->busy_ranks[rank]);
      if (analysis->busy_ranks[rank].time.ps == 0)
        continue;
      if (least == n || mean < pd_busy_mean (&analysis->busy_ranks[least]))
        least = rank;
      if (most == n || mean > pd_busy_mean (&analysis->busy_ranks[most]))
        most = rank;
    }
  if (least == n)
    return;
  gdouble from = pd_busy_mean (&analysis->busy_ranks[least]);
  gdouble to = pd_busy_mean (&analysis->busy_ranks[most]);
  if (to - from < ALIKE)
    return;
  g_string_append_printf (text, ", from ");
  append_number (text, "%.1f", from);
  g_string_append_printf (text, " on rank %u to ", least);
  append_number (text, "%.1f", to);
  g_string_append_printf (text, " on rank %u", most);
}

char *
pd_diagnosis_describe_threads (const PdAnalysis *analysis, guint32 node)
{
  const PdBusy *busy = &analysis->busy[node];
  guint processors;
  guint32 n = find_threads (analysis->program, &processors);
  gdouble mean = pd_busy_mean (busy);

  if (busy->time.ps == 0)
    return NULL;
  GString *text = g_string_new (NULL);
  if (n > 1)
    g_string_append_printf (text, "%u threads, ", n);
  else
    g_string_append (text, "Several threads, ");
  append_number (text, "%.1f", mean);
  g_string_append (text, " busy on average while a rank computes");
  if (node == PD_INTERVAL_ROOT)
    append_extremes (text, analysis);
  if (n > 1 && processors > 0 && processors < n)
    g_string_append_printf (
        text,
        "; they may use %u processor%s only: bind each rank to as many "
        "processors as it has threads, by an option of mpiexec or the batch system",
        processors, processors == 1 ? "" : "s");
  else if (n > 1 && mean < IDLE * n)
    g_string_append (text, "; the others wait for work, or for each other");
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

/* ---- parallel regions */

typedef struct
{
  gint64 n;
  gint64 n_threads; /* the most */
  PdTimeSum time;
  PdTimeSum busy;
  PdTimeSum longest;
  PdTimeSum capacity;
} Regions;

static Regions
sum_regions (const PdProgram *program)
{
  Regions sum = { 0 };

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      const PdRecordedUsage *usage = pd_program_get_recorded_usage (program, rank);
      if (usage == NULL)
        continue;
      sum.n += usage->regions.n;
      sum.n_threads = MAX (sum.n_threads, usage->regions.n_threads);
      pd_time_sum_add (&sum.time, usage->regions.time);
      pd_time_sum_add (&sum.busy, usage->regions.busy);
      pd_time_sum_add (&sum.longest, usage->regions.longest);
      pd_time_sum_add (&sum.capacity, usage->regions.capacity);
    }
  return sum;
}

char *
pd_diagnosis_describe_regions (const PdAnalysis *analysis, PdTimeSum computation)
{
  Regions regions = sum_regions (analysis->program);

  if (regions.n <= 0 || regions.capacity.ps <= 0)
    return NULL;
  gdouble inside = (gdouble) MIN (regions.time.ps, computation.ps);
  gdouble busy = (gdouble) regions.busy.ps / (gdouble) regions.capacity.ps;
  gdouble mean = busy * (gdouble) regions.time.ps;
  g_autofree char *time = pd_figures_time (regions.time);
  g_autofree char *longest = pd_figures_time (regions.longest);
  g_autofree char *even = pd_figures_time ((PdTimeSum){ (PdWide) mean });

  return g_strdup_printf (
      "%" G_GINT64_FORMAT " parallel regions of up to %" G_GINT64_FORMAT " threads take %s, %s of "
      "the computation; %s is serial. In them threads are busy for %s of the time: the one that "
      "works longest in each region works %s in all, the mean one %s.",
      regions.n, regions.n_threads, time,
      pd_figures_percent (inside, (gdouble) computation.ps).text,
      pd_figures_percent ((gdouble) computation.ps - inside, (gdouble) computation.ps).text,
      pd_figures_percent (busy, 1).text, longest, even);
}

/* SPDX-License-Identifier: MIT */
#include "reports/hints/pd-diagnosis-dvm.h"

#include "analyse/pd-diagnosis.h"
#include "base/pd-figures.h"

#define MAIN_SHARE 0.1 /* of the loss: worth a sentence */
#define CAUSE      0.5 /* of its effect */

typedef struct
{
  const PdIntervalResult *r;
  GArray *statements;
} Diagnosis;

/* The components of communication in words. */
static const struct
{
  PdCharacteristic time;
  const char *what;
} components[] = {
  { PD_C_WAIT_REDUCTION, "reductions" },
  { PD_C_WAIT_SHADOW, "exchanges of shadow edges and pipelines" },
  { PD_C_REMOTE_ACCESS, "remote access" },
  { PD_C_REDISTRIBUTION, "redistribution" },
  { PD_C_IO_COMM, "input and output of distributed arrays" },
  { PD_C_OTHER_COMM, "barriers and communicators" },
};

/* ---- own times */

static const PdIntervalResult *
get (const GArray *results, guint i)
{
  return &g_array_index (results, PdIntervalResult, i);
}

static PdWide
spent_in (const PdIntervalResult *r)
{
  return r->values[PD_C_CPU_TIME].sum.ps + r->values[PD_C_IO_TIME].sum.ps
         + r->values[PD_C_COMMUNICATION].sum.ps;
}

PdTimeSum
pd_diagnosis_get_own_time (const GArray *results, guint i)
{
  const PdIntervalResult *r = get (results, i);
  PdWide own = spent_in (r);

  for (guint k = i + 1; k < results->len && get (results, k)->depth > r->depth; k++)
    if (get (results, k)->depth == r->depth + 1)
      own -= spent_in (get (results, k));
  return (PdTimeSum){ own };
}

static gint
compare_own (gconstpointer a, gconstpointer b, gpointer data)
{
  const PdTimeSum *own = data;
  guint i = *(const guint *) a, k = *(const guint *) b;

  if (own[i].ps != own[k].ps)
    return own[i].ps > own[k].ps ? -1 : 1;
  return i < k ? -1 : i > k;
}

guint *
pd_diagnosis_rank (const GArray *results)
{
  g_autofree PdTimeSum *own = g_new (PdTimeSum, results->len + 1);
  guint *order = g_new (guint, results->len + 1);

  for (guint i = 0; i < results->len; i++)
    {
      own[i] = pd_diagnosis_get_own_time (results, i);
      order[i] = i;
    }
  g_qsort_with_data (order, (gint) results->len, sizeof *order, compare_own, own);
  return order;
}

/* ---- words */

static gdouble
value (const Diagnosis *self, PdCharacteristic c)
{
  return (gdouble) self->r->values[c].sum.ps;
}

static char *
time_of (const Diagnosis *self, PdCharacteristic c)
{
  return pd_figures_time (self->r->values[c].sum);
}

static char *
time_at (PdTime time)
{
  return pd_figures_time ((PdTimeSum){ time.ps });
}

static gboolean
is_worth (const Diagnosis *self, PdCharacteristic c)
{
  return value (self, c) > 0 && value (self, c) >= MAIN_SHARE * value (self, PD_C_LOST_TIME);
}

static void
say_own_time (Diagnosis *self, const GArray *results, guint i)
{
  PdTimeSum own = pd_diagnosis_get_own_time (results, i);
  g_autofree char *t = pd_figures_time (own);

  pd_diagnosis_say (
      self->statements, "own-time",
      "Outside of the intervals inside it the processors spend %s here, %s of the run.", t,
      pd_figures_percent ((gdouble) own.ps, (gdouble) spent_in (get (results, 0))).text);
}

static void
say_insufficient (Diagnosis *self)
{
  g_autofree char *t = time_of (self, PD_C_INSUFFICIENT_PARALLELISM);
  g_autofree char *seq = time_of (self, PD_C_INSUFFICIENT_PARALLELISM_SEQ);
  g_autofree char *par = time_of (self, PD_C_INSUFFICIENT_PARALLELISM_PAR);

  g_autoptr (GString) where = g_string_new (NULL);

  if (value (self, PD_C_INSUFFICIENT_PARALLELISM_SEQ) > 0)
    g_string_append_printf (where, "%s outside of parallel loops", seq);
  if (value (self, PD_C_INSUFFICIENT_PARALLELISM_PAR) > 0)
    g_string_append_printf (where, "%s%s in iterations that several processors execute",
                            where->len > 0 ? ", " : "", par);
  pd_diagnosis_say (self->statements, "insufficient-parallelism",
                    "%s go to computation that several of %u processors repeat: %s.", t,
                    self->r->n_processors, where->str);
}

/* ---- communication */

static guint
find_dearest (const Diagnosis *self)
{
  guint most = 0;

  for (guint k = 1; k < G_N_ELEMENTS (components); k++)
    if (value (self, components[k].time) > value (self, components[most].time))
      most = k;
  return most;
}

/* Which operations take it, the dearest first. */
static void
say_components (Diagnosis *self, guint most)
{
  gdouble all = value (self, PD_C_COMMUNICATION);
  g_autofree char *c = time_of (self, PD_C_COMMUNICATION);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "Communication takes %s: %s are %s", c,
                          pd_figures_percent (value (self, components[most].time), all).text,
                          components[most].what);
  for (guint k = 0; k < G_N_ELEMENTS (components); k++)
    if (k != most && value (self, components[k].time) >= MAIN_SHARE * all)
      g_string_append_printf (text, ", %s %s",
                              pd_figures_percent (value (self, components[k].time), all).text,
                              components[k].what);
  pd_diagnosis_say (self->statements, "communication", "%s.", text->str);
}

/* Whether it is waiting for others or the messages themselves, and for whom. */
static void
say_reason (Diagnosis *self, guint most)
{
  const PdSummary *cpu = &self->r->values[PD_C_CPU_TIME];
  const PdSummary *sync = &self->r->values[PD_C_SYNCHRONIZATION];
  gdouble all = value (self, PD_C_COMMUNICATION);
  g_autofree char *s = time_of (self, PD_C_SYNCHRONIZATION);
  g_autofree char *longest = time_at (sync->max), *works = time_at (cpu->max);

  if (value (self, PD_C_SYNCHRONIZATION) >= CAUSE * all)
    pd_diagnosis_say (
        self->statements, "desynchronised",
        "%s of it are waiting for processors that come later: processor %u waits longest (%s), "
        "processor %u computes longest (%s).",
        s, sync->max_at, longest, cpu->max_at, works);
  else
    pd_diagnosis_say (
        self->statements, "amount",
        "Only %s of it (%s) are waiting for processors that come later: the rest is what the "
        "messages of %s cost.",
        s, pd_figures_percent (value (self, PD_C_SYNCHRONIZATION), all).text,
        components[most].what);
}

/* ---- who has more to do */

static void
say_imbalance (Diagnosis *self)
{
  const PdSummary *s = &self->r->values[PD_C_CPU_TIME_PAR];
  g_autofree char *t = time_of (self, PD_C_LOAD_IMBALANCE);
  g_autofree char *most = time_at (s->max), *least = time_at (s->min);

  pd_diagnosis_say (
      self->statements, "load-imbalance",
      "Processors need unequal times for their iterations: processor %u spends %s on its own, "
      "processor %u %s; the others are ahead of the slowest by %s in all.",
      s->max_at, most, s->min_at, least, t);
}

static void
say_idle (Diagnosis *self)
{
  const PdSummary *s = &self->r->values[PD_C_EXECUTION_TIME];
  g_autofree char *first = time_at (s->min), *last = time_at (s->max);

  pd_diagnosis_say (
      self->statements, "idle",
      "Processors spend different times here, processor %u %s and processor %u %s: the others wait "
      "for the last one elsewhere, or at the end.",
      s->min_at, first, s->max_at, last);
}

GArray *
pd_diagnosis_new_dvm (const GArray *results, guint i)
{
  GArray *statements = pd_diagnosis_new_statements ();
  Diagnosis self = { get (results, i), statements };
  guint most = find_dearest (&self);

  if (i > 0)
    say_own_time (&self, results, i);
  pd_diagnosis_say_lost (statements, self.r);
  if (!pd_diagnosis_is_lossy (self.r))
    return statements;
  if (is_worth (&self, PD_C_INSUFFICIENT_PARALLELISM))
    say_insufficient (&self);
  if (is_worth (&self, PD_C_COMMUNICATION))
    {
      say_components (&self, most);
      say_reason (&self, most);
    }
  if (is_worth (&self, PD_C_LOAD_IMBALANCE))
    say_imbalance (&self);
  if (is_worth (&self, PD_C_IDLE))
    say_idle (&self);
  return statements;
}

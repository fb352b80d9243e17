/* Rules of thumb: one figure is the cause of another one
 * if it is at least half of it, and two are comparable within a factor of two.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-diagnosis.h"
#include "analyse/pd-diagnosis-private.h"
#include "analyse/pd-sites.h"
#include "analyse/pd-waits.h"
#include "base/pd-figures.h"

#define CAUSE      0.5 /* of the waiting that it explains */
#define COMPARABLE 0.5
#define MAIN_SHARE 0.1  /* of the lost time: worth a word */
#define ALONE      0.9  /* of all computation, by one rank */
#define HARDLY     0.05 /* of the mean computation of a rank */

/* ---- statements */

static void
statement_clear (gpointer data)
{
  g_free (((PdStatement *) data)->text);
}

GArray *
pd_diagnosis_new_statements (void)
{
  GArray *self = g_array_new (FALSE, FALSE, sizeof (PdStatement));

  g_array_set_clear_func (self, statement_clear);
  return self;
}

void
pd_diagnosis_say (GArray *statements, const char *id, const char *format, ...)
{
  PdStatement statement = { .id = id };
  va_list arguments;

  va_start (arguments, format);
  statement.text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_array_append_val (statements, statement);
}

gboolean
pd_diagnosis_is_lossy (const PdIntervalResult *r)
{
  return (gdouble) r->values[PD_C_LOST_TIME].sum.ps > PD_NOTHING_LOST * (gdouble) r->total_time.ps;
}

static PdPercent
share_of (const PdIntervalResult *r, PdCharacteristic c, gdouble whole)
{
  return pd_figures_percent ((gdouble) r->values[c].sum.ps, whole);
}

void
pd_diagnosis_say_lost (GArray *statements, const PdIntervalResult *r)
{
  gdouble total = (gdouble) r->total_time.ps;
  gdouble lost = (gdouble) r->values[PD_C_LOST_TIME].sum.ps;
  g_autofree char *t = pd_figures_time (r->total_time);
  g_autofree char *l = pd_figures_time (r->values[PD_C_LOST_TIME].sum);

  if (!pd_diagnosis_is_lossy (r))
    pd_diagnosis_say (statements, "nothing-lost",
                      "Of %s of processor time %s (%s) are lost: there is little to gain.", t, l,
                      pd_figures_percent (lost, total).text);
  else
    pd_diagnosis_say (
        statements, "lost",
        "Of %s of processor time %s (%s) are lost: communication is %s of the loss, "
        "insufficient parallelism %s, idleness %s.",
        t, l, pd_figures_percent (lost, total).text, share_of (r, PD_C_COMMUNICATION, lost).text,
        share_of (r, PD_C_INSUFFICIENT_PARALLELISM, lost).text, share_of (r, PD_C_IDLE, lost).text);
}

/* ---- the diagnosis of an analysis */

typedef struct
{
  const PdAnalysis *analysis;
  const PdIntervalResult *r;
  const PdIntervalResult *single;
  GArray *sites; /* PdCallSite: of the interval and those inside it */
  PdProcessorsTold processors;
  GArray *statements;
} Diagnosis;

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

static guint64
counted (const Diagnosis *self, PdQuantity q)
{
  return self->r->counts[q - PD_N_TIMES];
}

/* ---- the steps */

static void
compare_single (Diagnosis *self)
{
  if (self->single == NULL)
    return;
  gdouble alone = (gdouble) self->single->values[PD_C_EXECUTION_TIME].sum.ps;
  gdouble productive = value (self, PD_C_PRODUCTIVE_TIME);
  g_autofree char *a = pd_figures_time (self->single->values[PD_C_EXECUTION_TIME].sum);
  g_autofree char *p = time_of (self, PD_C_PRODUCTIVE_TIME);
  const char *meaning = "the efficiency shown is that of the program";

  if (alone > 1.1 * productive)
    meaning = "several ranks compute faster than one, perhaps because each one's data fit its "
              "cache: part of the speed-up depends on this machine";
  else if (alone < 0.9 * productive)
    meaning = "several ranks compute more, or slower, than one: memory that they share, or work "
              "that the division adds, and no waiting shows it";
  pd_diagnosis_say (self->statements, "single",
                    "One rank alone takes %s, and the ranks together compute %s (%s of it): %s.", a,
                    p, pd_figures_percent (productive, alone).text, meaning);
}

/* Ranks without a processor: no figure below is what it would be with one. */
static void
say_processors (Diagnosis *self)
{
  PdTimeSum waiting = pd_analysis_get_waiting (self->analysis, PD_INTERVAL_ROOT);

  self->processors = pd_diagnosis_tell_processors (self->analysis, waiting);
  if (self->processors.text != NULL && self->r->depth == 0)
    pd_diagnosis_say (self->statements, self->processors.id, "%s", self->processors.text);
  g_clear_pointer (&self->processors.text, g_free);
}

static void
say_threads (Diagnosis *self)
{
  g_autofree char *threads = pd_diagnosis_describe_threads (self->analysis, self->r->node);

  if (threads != NULL)
    pd_diagnosis_say (self->statements, "threads-busy", "%s", threads);
  if (self->r->depth > 0)
    return;
  g_autofree char *regions =
      pd_diagnosis_describe_regions (self->analysis, self->r->values[PD_C_PRODUCTIVE_TIME].sum);
  if (regions != NULL)
    pd_diagnosis_say (self->statements, "threads-regions", "%s", regions);
}

/* Whether more of @whole than can be neglected is lost to @part. */
static gboolean
is_worth (const Diagnosis *self, gdouble part)
{
  return part >= MAIN_SHARE * value (self, PD_C_LOST_TIME);
}

static void
say_insufficient (Diagnosis *self)
{
  g_autofree char *t = time_of (self, PD_C_INSUFFICIENT_PARALLELISM);

  pd_diagnosis_say (
      self->statements, "insufficient-parallelism",
      "%s go to computation that several ranks do alike: divide it, or do it once and send the "
      "result.",
      t);
}

static gdouble
spread (const Diagnosis *self, PdCharacteristic c)
{
  return (gdouble) (self->r->values[c].max.ps - self->r->values[c].min.ps);
}

/* The times that ranks spend in it differ as much as the rank that waits most waits
 * there, though all compute about as much: they come to it at different times. One
 * rank that is late makes all others wait, so sums over ranks do not show it. */
static gboolean
is_entered_late (const Diagnosis *self)
{
  const PdSummary *values = self->r->values;
  gdouble times = spread (self, PD_C_EXECUTION_TIME);
  gdouble waits = (gdouble) (values[PD_C_REAL_SYNC].max.ps + values[PD_C_SYNCHRONIZATION].max.ps);

  return self->r->depth > 0 && times >= CAUSE * waits
         && times >= PD_NOTHING_LOST * (gdouble) values[PD_C_EXECUTION_TIME].max.ps
         && spread (self, PD_C_PRODUCTIVE_TIME) < CAUSE * times;
}

static void
say_idle (Diagnosis *self)
{
  const PdSummary *s = &self->r->values[PD_C_EXECUTION_TIME];
  g_autofree char *first = pd_figures_time ((PdTimeSum){ s->min.ps });
  g_autofree char *last = pd_figures_time ((PdTimeSum){ s->max.ps });

  if (is_entered_late (self))
    pd_diagnosis_say (
        self->statements, "late-entry",
        "Ranks spend different times in this interval, rank %u %s and rank %u %s, but compute "
        "about as much: they enter it at different times, rank %u among the last. The reason is "
        "what comes before it.",
        s->min_at, first, s->max_at, last, s->min_at);
  else if (self->r->depth > 0)
    pd_diagnosis_say (
        self->statements, "idle",
        "Ranks spend different times in this interval, rank %u %s and rank %u %s: it is not "
        "divided evenly.",
        s->min_at, first, s->max_at, last);
  else
    pd_diagnosis_say (
        self->statements, "idle",
        "Ranks are through at different times, rank %u after %s and rank %u after %s: what comes "
        "last is not divided evenly.",
        s->min_at, first, s->max_at, last);
}

/* A rank that computes alone, or not at all. */
static void
say_roles (Diagnosis *self)
{
  const PdSummary *s = &self->r->values[PD_C_PRODUCTIVE_TIME];
  gdouble sum = (gdouble) s->sum.ps, mean = sum / MAX (self->r->n_processors, 1);
  g_autofree char *most = pd_figures_time ((PdTimeSum){ s->max.ps });
  g_autofree char *least = pd_figures_time ((PdTimeSum){ s->min.ps });

  if (self->r->n_processors < 2 || sum < PD_NOTHING_LOST * (gdouble) self->r->total_time.ps)
    return;
  if ((gdouble) s->max.ps >= ALONE * sum)
    pd_diagnosis_say (
        self->statements, "alone",
        "Rank %u computes alone (%s, %s of all computation here): let others take part, or do "
        "something else "
        "meanwhile.",
        s->max_at, most, pd_figures_percent ((gdouble) s->max.ps, sum).text);
  else if ((gdouble) s->min.ps <= HARDLY * mean)
    pd_diagnosis_say (
        self->statements, "hardly-computes",
        "Rank %u hardly computes (%s), while rank %u computes %s: if it gives out the work of the "
        "others, let it take a share of its own.",
        s->min_at, least, s->max_at, most);
}

/* ---- communication and its components */

static const struct
{
  const char *what;
  PdCharacteristic time;
  PdQuantity part;
  PdQuantity counter; /* PD_Q_CPU_SEQ: what they carry is not the question */
  const char *fewer;  /* what helps against many that carry little */
} components[] = {
  { "Point-to-point operations", PD_C_SENDRECV_TIME, PD_Q_SENDRECV, PD_Q_N_SENDS,
    "Fewer and larger messages" },
  { "Collective operations", PD_C_COLLECTIVE_TIME, PD_Q_COLLECTIVE, PD_Q_N_COLLECTIVES,
    "Fewer operations" },
  { "Operations that make or free something, and other calls,", PD_C_SYSTEM_TIME, PD_Q_SYSTEM,
    PD_Q_CPU_SEQ, NULL },
};

static gdouble
time_of_component (const Diagnosis *self, guint i)
{
  return value (self, components[i].time);
}

static gdouble
waiting_of (const Diagnosis *self, guint i)
{
  return (gdouble) pd_diagnosis_sum_waits (self->sites, components[i].part).ps;
}

/* Whether the component is among those that take most. */
static gboolean
is_large (const Diagnosis *self, guint i)
{
  gdouble most = 0;

  for (guint k = 0; k < G_N_ELEMENTS (components); k++)
    most = MAX (most, time_of_component (self, k));
  return most > 0 && time_of_component (self, i) >= COMPARABLE * most;
}

/* Whether waiting for others is what it takes; else there is much to send. */
static gboolean
is_desynchronised (const Diagnosis *self, guint i)
{
  return waiting_of (self, i) >= CAUSE * time_of_component (self, i);
}

/* ---- why ranks come at different times */

/* Load imbalance counts ranks that have less to compute, waiting what they do about it, in calls
 * that cost something besides: the former may be more. */
static void
say_imbalance (Diagnosis *self, gdouble sync)
{
  gdouble imbalance = value (self, PD_C_LOAD_IMBALANCE);
  const PdSummary *s = &self->r->values[PD_C_PRODUCTIVE_TIME];
  g_autofree char *t = time_of (self, PD_C_LOAD_IMBALANCE);
  g_autofree char *most = pd_figures_time ((PdTimeSum){ s->max.ps });
  g_autofree char *least = pd_figures_time ((PdTimeSum){ s->min.ps });

  pd_diagnosis_say (
      self->statements, "load-imbalance",
      "The reason is load imbalance: %s, which explains %s of the waiting. Rank %u computes %s, "
      "rank %u only %s; divide the work anew.",
      t, imbalance >= sync ? "all" : pd_figures_percent (imbalance, sync).text, s->max_at, most,
      s->min_at, least);
}

/* The reason that sums over ranks give. If the causes name a rank, only a reason that agrees. */
static void
say_reason (Diagnosis *self, const PdCausesTold *told)
{
  g_autofree char *imbalance = time_of (self, PD_C_LOAD_IMBALANCE);
  g_autofree char *variation = time_of (self, PD_C_TIME_VARIATION);
  gdouble sync = 0;

  for (guint i = 0; i < G_N_ELEMENTS (components); i++)
    if (is_large (self, i) && is_desynchronised (self, i))
      sync += waiting_of (self, i);
  gboolean is_imbalance = value (self, PD_C_LOAD_IMBALANCE) >= CAUSE * sync;
  if (sync <= 0 || (told->is_named && !(is_imbalance && told->is_computed)))
    return;
  if (is_imbalance)
    say_imbalance (self, sync);
  else if (value (self, PD_C_TIME_VARIATION) >= CAUSE * sync)
    pd_diagnosis_say (
        self->statements, "time-variation",
        "Load imbalance (%s) does not explain it, but collective operations let ranks go at "
        "different times: %s. That is in the library or the network, and hard to avoid but by "
        "fewer operations.",
        imbalance, variation);
  else if (!is_entered_late (self)) /* which is said below */
    pd_diagnosis_say (
        self->statements, "delays",
        "Neither load imbalance (%s) nor the ends of collective operations (%s) explain it: "
        "ranks delay each other on the way, and even out at the end. Look at intervals inside "
        "this one, and at call sites whose time differs most between ranks.",
        imbalance, variation);
}

/* The ranks that make others wait, and why: the answer that users look for. It is not known if
 * ranks waited for processors. */
static void
say_causes (Diagnosis *self)
{
  PdTimeSum waiting = pd_analysis_get_waiting (self->analysis, self->r->node);
  PdCausesTold told;

  if (self->processors.is_disturbed || !pd_diagnosis_is_lossy (self->r)
      || !is_worth (self, value (self, PD_C_COMMUNICATION)) || waiting.ps <= 0
      || !is_worth (self, (gdouble) waiting.ps))
    return;
  told = pd_diagnosis_tell_causes (self->analysis, self->r->node, waiting,
                                   self->r->values[PD_C_PRODUCTIVE_TIME].max_at);
  pd_diagnosis_say (self->statements, "root-cause", "%s", told.text);
  say_reason (self, &told);
  g_free (told.text);
}

/* ---- where */

static void
say_where (Diagnosis *self)
{
  g_autofree char *places =
      pd_diagnosis_describe_places (self->analysis, self->sites, value (self, PD_C_COMMUNICATION));

  if (places != NULL)
    pd_diagnosis_say (self->statements, "where", "Most of the communication is at %s.", places);
}

/* ---- communication in words */

static void
say_component (Diagnosis *self, guint i)
{
  PdTimeSum sync = pd_diagnosis_sum_waits (self->sites, components[i].part);
  g_autofree char *t = time_of (self, components[i].time), *s = pd_figures_time (sync);

  if (is_desynchronised (self, i))
    {
      pd_diagnosis_say (
          self->statements, "desynchronised",
          "%s take %s, and ranks that come at different times are the cause: %s waited for "
          "others.",
          components[i].what, t, s);
      return;
    }
  if (components[i].counter == PD_Q_CPU_SEQ)
    return;
  g_autofree char *amount = pd_diagnosis_describe_amount (
      self->sites, components[i].part, counted (self, components[i].counter), components[i].fewer);
  if (sync.ps == 0)
    pd_diagnosis_say (self->statements, "amount",
                      "%s take %s, none of it waiting for others: the cost of %s",
                      components[i].what, t, amount);
  else
    pd_diagnosis_say (
        self->statements, "amount",
        "%s take %s, of which only %s are waiting for others who come late; the rest is the "
        "cost of %s",
        components[i].what, t, s, amount);
}

/* Names no rank as the cause if the scheduler makes ranks wait. */
static void
say_waits_disturbed (Diagnosis *self, gdouble waiting)
{
  g_autofree char *w = pd_figures_time ((PdTimeSum){ (PdWide) waiting });

  pd_diagnosis_say (self->statements, self->processors.waits_id,
                    "%s of it are waiting for others. %s", w, self->processors.waits);
}

static void
say_communication (Diagnosis *self)
{
  gdouble communication = value (self, PD_C_COMMUNICATION), waiting = 0;
  g_autofree char *c = time_of (self, PD_C_COMMUNICATION);
  g_autofree char *waits = pd_diagnosis_describe_waits (self->analysis, self->r->node, self->sites);

  for (guint i = 0; i < G_N_ELEMENTS (components); i++)
    waiting += waiting_of (self, i);
  pd_diagnosis_say (self->statements, "communication",
                    "Communication takes %s: %s point to point, %s collective, %s other calls.", c,
                    pd_figures_percent (time_of_component (self, 0), communication).text,
                    pd_figures_percent (time_of_component (self, 1), communication).text,
                    pd_figures_percent (time_of_component (self, 2), communication).text);
  if (self->processors.is_disturbed)
    {
      say_waits_disturbed (self, waiting);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (components); i++)
    if (is_large (self, i))
      say_component (self, i);
  if (waits != NULL && waiting >= MAIN_SHARE * communication)
    pd_diagnosis_say (self->statements, "wait-states", "%s", waits);
  say_where (self);
}

static void
say_overlap (Diagnosis *self)
{
  gdouble rest = value (self, PD_C_SENDRECV_TIME) - value (self, PD_C_REAL_SYNC);
  g_autofree char *done = time_of (self, PD_C_OVERLAP);
  g_autofree char *more = pd_figures_time ((PdTimeSum){ (PdWide) MAX (rest, 0) });

  if (rest < PD_NOTHING_LOST * (gdouble) self->r->total_time.ps)
    return;
  pd_diagnosis_say (
      self->statements, "overlap",
      "%s of communication overlapped computation or other communication; point-to-point "
      "operations take %s besides waiting for late senders, which is the most that further "
      "overlap could save.",
      done, more);
}

/* ---- the critical path */

static void
say_path (Diagnosis *self)
{
  const PdAnalysis *a = self->analysis;
  PdPathShare share = pd_analysis_get_path (a, self->r->node);

  if (share.computation.ps + share.communication.ps == 0)
    return;
  g_autofree char *c = pd_figures_time (share.computation);
  g_autofree char *m = pd_figures_time (share.communication);
  pd_diagnosis_say (
      self->statements, "critical-path",
      "The critical path of the run has %s of computation and %s of communication here; it ends "
      "on rank %u and changes ranks %u time%s in all.",
      c, m, a->path_end, a->path_changes, a->path_changes == 1 ? "" : "s");
}

GArray *
pd_diagnosis_new (const PdAnalysis *analysis, const PdIntervalResult *result,
                  const PdIntervalResult *single)
{
  g_autoptr (GArray) sites = pd_analysis_get_sites (analysis, result->node);
  GArray *statements = pd_diagnosis_new_statements ();
  Diagnosis self = {
    .analysis = analysis, .r = result, .single = single, .sites = sites, .statements = statements
  };

  say_processors (&self);
  say_causes (&self);
  say_threads (&self);
  compare_single (&self);
  pd_diagnosis_say_lost (statements, result);
  if (!pd_diagnosis_is_lossy (self.r))
    return statements;
  if (is_worth (&self, value (&self, PD_C_INSUFFICIENT_PARALLELISM)))
    say_insufficient (&self);
  if (!self.processors.is_disturbed
      && (is_worth (&self, value (&self, PD_C_IDLE)) || is_entered_late (&self)))
    say_idle (&self);
  say_roles (&self);
  if (is_worth (&self, value (&self, PD_C_COMMUNICATION)))
    {
      say_communication (&self);
      if (!self.processors.is_disturbed)
        say_overlap (&self);
    }
  if (!self.processors.is_disturbed)
    say_path (&self);
  return statements;
}

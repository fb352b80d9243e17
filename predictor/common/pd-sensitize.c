/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-sensitize.h"

#include "predictor/common/pd-tolerance.h"
#include "intervals/pd-interval-rows.h"

/* How reports call the kinds of the critical path; NULL: takes no time. */
static const char *const kinds[PD_CRITICAL_N_KINDS] = {
  [PD_CRITICAL_WORK] = "computation",
  [PD_CRITICAL_DELAY] = "delay",
  [PD_CRITICAL_IO] = "input-output",
  [PD_CRITICAL_SOFTWARE] = "software",
  [PD_CRITICAL_FUNCTION] = "function-overhead",
  [PD_CRITICAL_LIBRARY] = "library",
  [PD_CRITICAL_DATA] = "transfer",
  [PD_CRITICAL_CONTROL] = "control-message",
  [PD_CRITICAL_NETWORK_CPU] = "network-overhead",
  [PD_CRITICAL_LAUNCH] = "sending",
  [PD_CRITICAL_GAP_SENT] = "gap-after-sending",
  [PD_CRITICAL_FLIGHT] = "flight",
  [PD_CRITICAL_RECEIVE] = "receiving",
  [PD_CRITICAL_GAP_RECEIVED] = "gap-after-receiving",
  [PD_CRITICAL_OPERATION] = "operation",
  [PD_CRITICAL_UNTRACKED] = "other",
};

/* The kinds of parameters, by the end of their paths; the others by their units. */
static const struct
{
  const char *name;
  const char *kind;
} names[] = {
  { "/o", "overhead" },
  { "/O", "overhead" },
  { "/g", "gap" },
  { "/send-overhead", "overhead" },
  { "/recv-overhead", "overhead" },
  { "/wait-overhead", "overhead" },
  { "/pack-per-run", "overhead" },
  { "/exchange-overhead", "overhead" },
};

static const char *
kind_of (const PdCriticalParam *param)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_suffix (param->path, names[i].name))
      return names[i].kind;
  return param->unit == PD_UNIT_TIME ? "latency" : "per-byte";
}

static gdouble
to_seconds (gdouble ps)
{
  return ps / (gdouble) PD_PS_PER_S;
}

/* By how many percent the run time grows. */
static gdouble
elasticity_of (const PdSensitivity *self, gdouble ps)
{
  return self->makespan.ps > 0 ? ps / (gdouble) self->makespan.ps : 0;
}

static void
add_parameters (PdSensitivity *self, const PdCriticalResult *critical)
{
  for (guint i = 0; i < critical->params->len; i++)
    {
      const PdCriticalParam *param = &g_array_index (critical->params, PdCriticalParam, i);
      PdSensitivityParameter row = {
        .path = g_strdup (param->path),
        .kind = kind_of (param),
        .unit = param->unit == PD_UNIT_TIME ? "s" : "s/B",
        .value = to_seconds (param->value),
        .derivative = param->derivative,
        .elasticity = elasticity_of (self, param->value * param->derivative),
      };
      g_array_append_val (self->parameters, row);
    }
  /* a processor that is faster by a percent computes for a percent less */
  PdSensitivityParameter speed = {
    .path = g_strdup ("speed"),
    .kind = "speed",
    .unit = "",
    .value = 1,
    .derivative = -to_seconds ((gdouble) critical->work.ps),
    .elasticity = -elasticity_of (self, (gdouble) critical->work.ps),
  };
  g_array_append_val (self->parameters, speed);
}

/* As the tree of the report names it. */
static char *
label_of (const PdIntervalTree *tree, guint32 node)
{
  PdIntervalKey key = pd_interval_tree_get_key (tree, node);

  if (node == PD_INTERVAL_ROOT)
    return g_strdup ("MAIN");
  if (key.name != NULL && key.name[0] != '\0')
    return g_strdup (key.name);
  if (key.file == NULL || key.file[0] == '\0')
    return g_strdup_printf ("%s [%" G_GINT64_FORMAT "]", pd_interval_type_name (key.type),
                            key.index);
  return g_strdup_printf ("%s:%" G_GINT64_FORMAT, key.file, key.line);
}

static void
add_intervals (PdSensitivity *self, const PdCriticalResult *critical, const PdIntervalTree *tree)
{
  for (guint i = 0; i < critical->places->len; i++)
    {
      const PdCriticalPlace *place = &g_array_index (critical->places, PdCriticalPlace, i);
      PdSensitivityInterval row = {
        .node = place->place,
        .label = label_of (tree, place->place),
        .on_path = place->on_path,
        .derivative = place->derivative,
        .elasticity = elasticity_of (self, (gdouble) place->derivative.ps),
      };
      g_array_append_val (self->intervals, row);
    }
}

static void
add_path (PdSensitivity *self, const PdCriticalResult *critical)
{
  PdSensitivityPart queued = { "queued", critical->queued };

  for (guint i = 0; i < PD_CRITICAL_N_KINDS; i++)
    {
      PdSensitivityPart part = { kinds[i], critical->spent[i] };
      if (part.kind != NULL && part.time.ps > 0)
        g_array_append_val (self->parts, part);
    }
  if (queued.time.ps > 0)
    g_array_append_val (self->parts, queued);
  for (guint i = 0; i < critical->segments->len; i++)
    {
      const PdCriticalSegment *s = &g_array_index (critical->segments, PdCriticalSegment, i);
      PdSensitivitySegment row = { s->rank, s->peer,  kinds[s->kind], s->place,
                                   s->n,    s->begin, s->end };
      g_array_append_val (self->segments, row);
    }
}

/* ---- untracked time */

static void
add_notes (PdReportRun *run, const PdCriticalResult *critical)
{
  PdTime other = pd_time_add (critical->spent[PD_CRITICAL_UNTRACKED], critical->unknown);
  char text[64];

  if (critical->queued.ps > 0)
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "sensitivity-queued", NULL, NULL,
                     "%s s of the critical path are spent sharing the network with other messages: "
                     "derivatives take them as constant",
                     pd_time_format (critical->queued, text));
  if (critical->spent[PD_CRITICAL_OPERATION].ps > 0)
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "sensitivity-operation", NULL, NULL,
                     "%s s of the critical path are operations that are not simulated message by "
                     "message: derivatives take them as constant",
                     pd_time_format (critical->spent[PD_CRITICAL_OPERATION], text));
  if (other.ps > 0)
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "sensitivity-other", NULL, NULL,
                     "%s s of the critical path are one-sided communication, or messages on "
                     "networks whose times have no parameters: derivatives take them as constant",
                     pd_time_format (other, text));
  if (critical->is_shared)
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "sensitivity-order", NULL, NULL,
                     "messages share the network: derivatives hold as long as the same message "
                     "comes first");
}

gboolean
pd_sensitize (PdReportRun *run, const PdCriticalResult *critical, const char *const *settings,
              PdSensitizeRun again, gconstpointer data, GError **error)
{
  PdSensitivity *self = run->sensitivity = pd_sensitivity_new ();

  self->makespan = critical->makespan;
  self->rank = critical->rank;
  self->n_messages = critical->n_messages;
  self->n_ties = critical->n_ties;
  add_path (self, critical);
  add_parameters (self, critical);
  add_intervals (self, critical, run->tree);
  add_notes (run, critical);
  const PdTolerance tolerance = { critical, settings, again, data };
  guint n_lost;
  if (!pd_tolerance_find (&tolerance, self->tolerances, &n_lost, error))
    return FALSE;
  if (n_lost > 0)
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "sensitivity-stuck", NULL, NULL,
                     "the program does not end at another latency: %u slowdowns have no latency "
                     "that is tolerated",
                     n_lost);
  return TRUE;
}

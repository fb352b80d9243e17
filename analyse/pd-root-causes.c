/* Root causes of the waiting in an interval, for people.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-delays-private.h"
#include "analyse/pd-sites.h"

#include <string.h>

static const char *const kinds[PD_N_DELAYS] = {
  [PD_DELAY_COMPUTATION] = "computation",
  [PD_DELAY_COMMUNICATION] = "communication",
  [PD_DELAY_START] = "start",
};

const char *
pd_delay_kind_id (PdDelayKind kind)
{
  return kinds[kind];
}

/* ---- words */

static gboolean
is_call (const PdCallPlace *place)
{
  return place->function[0] != '\0';
}

static void
append_place (const PdAnalysis *self, GString *text, const char *word, const PdCallPlace *place)
{
  g_string_append_printf (text, "%s%s ", text->len > 0 ? " " : "", word);
  if (place->file[0] == '\0')
    g_string_append (text, place->function);
  else
    pd_analysis_append_place (self, text, place->file, place->line);
}

char *
pd_analysis_describe_cause_place (const PdAnalysis *self, const PdRootCause *cause)
{
  GString *text = g_string_new (NULL);

  if (cause->kind == PD_DELAY_COMMUNICATION)
    {
      g_string_append_printf (text, "in %s", cause->from.function);
      if (cause->from.file[0] != '\0')
        append_place (self, text, "at", &cause->from);
    }
  else if (is_call (&cause->from) && is_call (&cause->to))
    {
      append_place (self, text, "between", &cause->from);
      append_place (self, text, "and", &cause->to);
    }
  else if (is_call (&cause->to))
    append_place (self, text, "before", &cause->to);
  else if (is_call (&cause->from))
    append_place (self, text, "behind", &cause->from);
  return g_string_free (text, FALSE);
}

/* ---- waiting */

/* Whether @node is @around or inside it: an interval comes behind the one around it. */
static gboolean
is_within (const PdAnalysis *self, guint32 node, guint32 around)
{
  while (node > around)
    node = pd_interval_tree_get_parent (self->tree, node);
  return node == around;
}

PdTimeSum
pd_analysis_get_waiting (const PdAnalysis *self, guint32 node)
{
  guint32 n = pd_interval_tree_get_n_nodes (self->tree);
  PdTimeSum sum = { 0 };

  for (guint32 i = node; i < n; i++)
    if (is_within (self, i, node))
      sum.ps += self->delays->waiting[i].ps;
  return sum;
}

/* ---- what the rank, and others, took there */

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

/* The median of an even number is the lower one of the two in the middle. */
static void
set_times (const GArray *ranks, PdRootCause *cause)
{
  g_autofree gint64 *others = g_new (gint64, ranks->len + 1);

  for (guint i = 0; i < ranks->len; i++)
    {
      const PdPlaceTime *own = &g_array_index (ranks, PdPlaceTime, i);
      if (own->rank == cause->rank)
        cause->took.ps = own->time;
      else
        others[cause->n_others++] = own->time;
    }
  if (cause->n_others == 0)
    return;
  qsort (others, cause->n_others, sizeof *others, compare_times);
  cause->others.ps = others[(cause->n_others - 1) / 2];
}

/* ---- costs of one rank and place */

typedef struct
{
  guint32 index; /* of the cost */
  guint32 rank;
  guint32 place;
} Own;

static gint
compare_own (gconstpointer a, gconstpointer b)
{
  const Own *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* The costs of waiting inside @node, by rank and place. */
static GArray *
find_costs (const PdAnalysis *self, guint32 node)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Own));

  for (guint i = 0; i < self->delays->costs->len; i++)
    {
      const PdDelayCost *cost = &g_array_index (self->delays->costs, PdDelayCost, i);
      const Own own = { i, cost->rank, cost->place };
      if (is_within (self, cost->at, node))
        g_array_append_val (found, own);
    }
  g_array_sort (found, compare_own);
  return found;
}

static void
add_cost (const PdAnalysis *self, const Own *own, gboolean is_first, GArray *causes)
{
  const PdDelayCost *cost = &g_array_index (self->delays->costs, PdDelayCost, own->index);

  if (is_first)
    {
      const PdDelayPlace *place = &g_array_index (self->delays->places, PdDelayPlace, own->place);
      PdRootCause cause = { .rank = own->rank,
                            .kind = place->kind,
                            .node = place->node,
                            .from = place->from,
                            .to = place->to };
      set_times (place->ranks, &cause);
      g_array_append_val (causes, cause);
    }
  PdRootCause *cause = &g_array_index (causes, PdRootCause, causes->len - 1);
  cause->direct.ps += cost->direct;
  cause->propagated.ps += cost->propagated;
}

/* ---- victims */

typedef struct
{
  guint32 cause;
  guint32 rank;
  PdWide time;
} Victim;

static gint
compare_victims (gconstpointer a, gconstpointer b)
{
  const Victim *x = a, *y = b;

  if (x->cause != y->cause)
    return x->cause < y->cause ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* @cause_of: (array length=n_costs): 1 + which cause, 0: none. */
static void
add_victims (const PdAnalysis *self, const guint32 *cause_of, GArray *causes)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Victim));
  PdWide time = 0;

  for (guint i = 0; i < self->delays->victims->len; i++)
    {
      const PdDelayVictim *victim = &g_array_index (self->delays->victims, PdDelayVictim, i);
      const Victim own = { cause_of[victim->cost] - 1, victim->rank, victim->time };
      if (cause_of[victim->cost] > 0)
        g_array_append_val (all, own);
    }
  g_array_sort (all, compare_victims);
  for (guint i = 0; i < all->len; i++)
    {
      const Victim *own = &g_array_index (all, Victim, i);
      gboolean is_new = i == 0 || compare_victims (own, own - 1) != 0;
      PdRootCause *cause = &g_array_index (causes, PdRootCause, own->cause);
      time = is_new ? own->time : time + own->time;
      cause->n_victims += is_new ? 1 : 0;
      if (time > cause->suffered.ps)
        {
          cause->suffered.ps = time;
          cause->victim = own->rank;
        }
    }
}

/* ---- order */

static gint
compare_places (const PdCallPlace *x, const PdCallPlace *y)
{
  gint order = strcmp (x->file, y->file);

  if (order == 0)
    order = x->line < y->line ? -1 : x->line > y->line;
  if (order == 0)
    order = strcmp (x->function, y->function);
  if (order == 0)
    order = x->site < y->site ? -1 : x->site > y->site;
  return order;
}

static gint
compare_causes (gconstpointer a, gconstpointer b)
{
  const PdRootCause *x = a, *y = b;
  PdWide p = x->direct.ps + x->propagated.ps, q = y->direct.ps + y->propagated.ps;

  if (p != q)
    return p > q ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  gint order = compare_places (&x->from, &y->from);
  if (order == 0)
    order = compare_places (&x->to, &y->to);
  if (order == 0 && x->node != y->node)
    order = x->node < y->node ? -1 : 1;
  return order != 0 ? order : (gint) x->kind - (gint) y->kind;
}

GArray *
pd_analysis_get_root_causes (const PdAnalysis *self, guint32 node)
{
  GArray *causes = g_array_new (FALSE, FALSE, sizeof (PdRootCause));
  g_autoptr (GArray) found = find_costs (self, node);
  g_autofree guint32 *cause_of = g_new0 (guint32, self->delays->costs->len + 1);

  for (guint i = 0; i < found->len; i++)
    {
      const Own *own = &g_array_index (found, Own, i);
      gboolean is_first = i == 0 || own->rank != own[-1].rank || own->place != own[-1].place;
      add_cost (self, own, is_first, causes);
      cause_of[own->index] = causes->len;
    }
  add_victims (self, cause_of, causes);
  g_array_sort (causes, compare_causes);
  return causes;
}

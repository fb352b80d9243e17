/* The activities of ranks between the moments at which they were in step with others. Computation
 * lies between two calls, and in one interval. Of a call the time counts in which it did not wait
 * for others.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-delays-private.h"
#include "analyse/pd-nodes-private.h"
#include "analyse/pd-replay-private.h"
#include "base/pd-hash-map.h"
#include "traces/program/pd-action.h"

#include <string.h>

#define NO_SITE PD_ANALYSIS_NONE

/* The key of a place, with indices of sites. Computation is between two lines of the source,
 * whatever is called there: one rank sends where another one receives. */
typedef struct
{
  PdDelayKind kind;
  guint32 node;
  guint32 from;
  guint32 to;
} PlaceKey;

/* The results of earlier searches for a call site. */
typedef struct
{
  guint32 line;   /* 1 + the first site of its line; 0 = not yet */
  guint32 place;  /* 1 + that of its calls; likewise */
  guint32 before; /* 1 + that of the last computation before them; likewise; */
  guint32 node;   /* that is in here, */
  guint32 from;   /* and behind that line */
} KnownSite;

/* The time of the rank in a place. */
typedef struct
{
  gint64 since; /* the last moment */
  gint64 time;  /* in all */
} Been;

/* Computation whose next call has not come yet. */
typedef struct
{
  guint32 node;
  gint64 enter;
  gint64 took;
} Pending;

typedef struct
{
  PdStretches *result;
  PdSites *sites;
  PdWaits *waits;
  PdHashMap index;   /* PlaceKey -> place */
  GHashTable *lines; /* PdCallPlace -> 1 + the first site there */
  GArray *known;     /* KnownSite, by site */
  PdReplay replay;
  PdNodes nodes;
  PdPath *path; /* shared on the way */
  /* of the rank: */
  const PdVector *moments;
  PdVector *stretches;
  PdVector *firsts;
  PdVector pending; /* Pending */
  PdVector present; /* guint32: places in which it has been since the last moment, in order */
  GArray *been;     /* Been, by place */
  gint64 next;      /* its next moment; G_MAXINT64: there is none */
  guint32 last;     /* the line of its last call */
  guint32 wait;     /* its next wait */
} Collector;

static guint
line_hash (gconstpointer data)
{
  const PdCallPlace *line = data;

  return (line->site * 31 + (guint) line->line) * 31 + g_direct_hash (line->file)
         + g_direct_hash (line->function) * 7;
}

static gboolean
line_equal (gconstpointer a, gconstpointer b)
{
  const PdCallPlace *x = a, *y = b;

  return x->site == y->site && x->line == y->line && x->file == y->file
         && x->function == y->function;
}

static void
place_clear (gpointer data)
{
  g_array_unref (((PdDelayPlace *) data)->ranks);
}

static PdCallPlace
place_of (const Collector *self, guint32 index)
{
  if (index == NO_SITE)
    return (PdCallPlace){ PD_PROGRAM_NONE, "", 0, "" };
  const PdCallSite *site = &g_array_index (self->sites->sites, PdCallSite, index);
  return (PdCallPlace){ site->site, site->file, site->line, site->function };
}

/* The first site of the line that @site is on; without a line it is @site's function. */
static guint32
look_up_line (Collector *self, guint32 site)
{
  PdCallPlace line = place_of (self, site);

  if (line.file[0] != '\0')
    line.function = NULL;
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->lines, &line));
  if (known > 0)
    return known - 1;
  PdCallPlace *copy = g_new (PdCallPlace, 1);
  *copy = line;
  g_hash_table_insert (self->lines, copy, GUINT_TO_POINTER (site + 1));
  return site;
}

static guint32
find_place (Collector *self, const PlaceKey *key)
{
  const guint32 unknown = G_MAXUINT32;
  uint64_t *known = pd_hash_map_get (&self->index, (guint64) key->from << 32 | key->to,
                                     1 + ((guint64) key->node << 8 | key->kind), unknown);

  if (*known != unknown)
    return (guint32) *known;
  PdDelayPlace place = { key->kind, key->node, place_of (self, key->from), place_of (self, key->to),
                         g_array_new (FALSE, FALSE, sizeof (PdPlaceTime)) };
  g_array_append_val (self->result->places, place);
  *known = self->result->places->len - 1;
  return (guint32) *known;
}

static KnownSite *
find_known (Collector *self, guint32 site)
{
  if (self->known->len <= site)
    g_array_set_size (self->known, site + 1);
  return &g_array_index (self->known, KnownSite, site);
}

/* ---- stretches of a rank */

static void
count_rank (Collector *self)
{
  for (guint place = 0; place < self->been->len; place++)
    {
      Been *been = &g_array_index (self->been, Been, place);
      const PdPlaceTime own = { self->replay.rank, been->time };
      if (been->time > 0)
        g_array_append_val (g_array_index (self->result->places, PdDelayPlace, place).ranks, own);
      *been = (Been){ 0 };
    }
}

/* @is_last: of a moment: bytes of 0 make its time longer, up to a multiple of 4. */
static inline void
append (PdVector *stretches, guint32 place, gint64 time, gboolean is_last)
{
  guint64 bytes = GUINT64_TO_LE ((guint64) time);
  guint32 code = place + 1;
  guint size = (guint) (63 - __builtin_clzll ((guint64) time)) / 8;

  if (G_UNLIKELY (stretches->room - stretches->n < PD_STRETCH_SPARE))
    pd_vector_reserve (stretches, stretches->n + stretches->n / 2 + PD_STRETCH_SPARE, 1);
  guint8 *begin = (guint8 *) stretches->data + stretches->n, *at = begin + 1;
  if (G_UNLIKELY (code >= PD_STRETCH_BYTE))
    {
      guint32 more = GUINT32_TO_LE (place);
      gboolean is_byte = code - PD_STRETCH_BYTE <= G_MAXUINT8;
      if (is_byte)
        *at = (guint8) (code - PD_STRETCH_BYTE);
      else
        memcpy (at, &more, sizeof more);
      at += is_byte ? 1 : sizeof more;
      code = is_byte ? PD_STRETCH_BYTE : PD_STRETCH_WORD;
    }
  gsize n = stretches->n + (gsize) (at - begin) + size + 1;
  guint pad = is_last ? (guint) -n % 4 : 0;
  if (size + pad < sizeof bytes)
    {
      n += pad;
      size += pad;
    }
  *begin = (guint8) (code << 3 | size);
  memcpy (at, &bytes, sizeof bytes);
  stretches->n = n;
}

/* A moment ends: of each place the time since the last one is a stretch. */
static void
append_present (Collector *self)
{
  for (gsize i = 0; i < self->present.n; i++)
    {
      guint32 place = pd_vector_at (&self->present, guint32, i);
      Been *been = &g_array_index (self->been, Been, place);
      append (self->stretches, place, been->since, i + 1 == self->present.n);
      been->since = 0;
    }
  self->present.n = 0;
  while (G_UNLIKELY (self->stretches->n % 4 != 0))
    pd_vector_append (self->stretches, guint8) = 0;
}

/* The next moment begins where the last one ends. */
static void
pass_moments (Collector *self, gint64 now)
{
  gsize n = self->moments->n;

  while (self->firsts->n <= n
         && pd_in_step_time (self->waits, self->moments, self->firsts->n - 1) <= now)
    {
      append_present (self);
      pd_vector_append (self->firsts, guint32) = (guint32) (self->stretches->n / 4);
    }
  self->next = self->firsts->n <= n
                   ? pd_in_step_time (self->waits, self->moments, self->firsts->n - 1)
                   : G_MAXINT64;
}

/* Up to the next moment. */
static inline void
add_since (Collector *self, Been *been, guint32 place, gint64 time)
{
  if (been->since == 0)
    pd_vector_append (&self->present, guint32) = place;
  been->since += time;
}

/* A stretch with moments in it. */
static void
add_parts (Collector *self, Been *been, guint32 place, gint64 from, gint64 to)
{
  while (from < to)
    {
      if (from >= self->next)
        pass_moments (self, from);
      if (self->next == G_MAXINT64)
        return; /* behind its last moment stretches do not matter */
      gint64 until = MIN (to, self->next);
      add_since (self, been, place, until - from);
      from = until;
    }
}

static inline void
add_stretch (Collector *self, guint32 place, gint64 from, gint64 to)
{
  if (to <= from)
    return;
  if (G_UNLIKELY (self->been->len <= place))
    g_array_set_size (self->been, place + 1);
  Been *been = &g_array_index (self->been, Been, place);
  been->time += to - from;
  if (G_UNLIKELY (to > self->next || from >= self->next))
    add_parts (self, been, place, from, to);
  else if (self->next != G_MAXINT64)
    add_since (self, been, place, to - from);
}

/* Where the rank was in @node since its last call, up to one on @line; @known: (nullable): of its
 * site. */
static guint32
find_computation (Collector *self, guint32 node, guint32 line, KnownSite *known)
{
  const PlaceKey key = { PD_DELAY_COMPUTATION, node, self->last, line };

  if (known != NULL && known->before > 0 && known->node == node && known->from == self->last)
    return known->before - 1;
  guint32 place = find_place (self, &key);
  if (known != NULL)
    {
      known->before = place + 1;
      known->node = node;
      known->from = self->last;
    }
  return place;
}

/* The computation since the last call, up to the one on @line. */
static void
add_pending (Collector *self, guint32 line, KnownSite *known)
{
  for (gsize i = 0; i < self->pending.n; i++)
    {
      const Pending *own = &pd_vector_at (&self->pending, Pending, i);
      add_stretch (self, find_computation (self, own->node, line, known), own->enter,
                   own->enter + own->took);
    }
  self->pending.n = 0;
  self->last = line;
}

static void
add_call (Collector *self)
{
  const PdReplay *replay = &self->replay;
  guint32 site = pd_sites_find (self->sites, replay, self->nodes.node, PD_Q_SYSTEM);
  PdCallSite *row = &g_array_index (self->sites->sites, PdCallSite, site);
  const PlaceKey key = { PD_DELAY_COMMUNICATION, self->nodes.node, site, site };
  KnownSite *known = find_known (self, site);
  gint64 from = replay->enter;

  pd_path_share (self->path, replay, self->nodes.node, row);
  if (known->line == 0)
    known->line = look_up_line (self, site) + 1;
  add_pending (self, known->line - 1, known);
  if (known->place == 0)
    known->place = find_place (self, &key) + 1;
  guint32 place = known->place - 1;
  if (self->wait < self->waits->first[replay->rank + 1])
    {
      PdWaited *wait = &pd_vector_at (&self->waits->all, PdWaited, self->wait);
      if (wait->enter == replay->enter && wait->cause <= replay->leave)
        {
          wait->place = place;
          from = wait->cause;
          self->wait++;
        }
    }
  add_stretch (self, place, from, replay->leave);
}

static void
add_computation (Collector *self)
{
  const PdReplay *replay = &self->replay;
  gsize n = self->pending.n;
  Pending *last = n > 0 ? &pd_vector_at (&self->pending, Pending, n - 1) : NULL;
  gint64 took = replay->leave - replay->enter;

  pd_path_share (self->path, replay, self->nodes.node, NULL);
  if (last != NULL && last->node == self->nodes.node && last->enter + last->took == replay->enter)
    last->took += took;
  else if (took > 0)
    pd_vector_append (&self->pending, Pending) = (Pending){ self->nodes.node, replay->enter, took };
}

/* FALSE at the end of the rank. */
static inline gboolean
collect_next (Collector *self)
{
  PdReplayStep step = pd_replay_step (&self->replay);

  if (step == PD_STEP_NONE && !pd_replay_next_time (&self->replay))
    return FALSE;
  PdActionKind kind = self->replay.action->kind;
  if (kind >= PD_ACT_SEND && kind <= PD_ACT_LOCAL)
    add_call (self);
  else
    add_computation (self);
  if (step == PD_STEP_NONE)
    pd_nodes_follow (&self->nodes, &self->replay);
  return TRUE;
}

static void
collect_rank (Collector *self, guint32 rank, const PdVector *moments)
{
  const PlaceKey start = { PD_DELAY_START, PD_INTERVAL_ROOT, NO_SITE, NO_SITE };

  self->moments = moments;
  self->stretches = &self->result->ranks[rank];
  self->firsts = &self->result->firsts[rank];
  pd_vector_append (self->firsts, guint32) = 0;
  self->next = moments->n > 0 ? pd_in_step_time (self->waits, moments, 0) : G_MAXINT64;
  self->last = NO_SITE;
  self->wait = self->waits->first[rank];
  self->nodes.node = PD_INTERVAL_ROOT;
  pd_replay_begin_rank (&self->replay, rank);
  pd_path_begin_rank (self->path, rank);
  add_stretch (self, find_place (self, &start), 0, self->replay.leave);
  while (collect_next (self))
    ;
  add_pending (self, NO_SITE, NULL);
  pass_moments (self, G_MAXINT64);
  pd_vector_reserve (self->stretches, self->stretches->n + PD_STRETCH_SPARE, 1);
  count_rank (self);
}

/* FALSE, and an error, if there are more than can be found again. */
static gboolean
collect_all (Collector *self, const PdVector *moments, GError **error)
{
  for (guint32 rank = 0; rank < self->result->n_ranks; rank++)
    {
      collect_rank (self, rank, &moments[rank]);
      if (pd_stretches_can_tell (self->stretches->n))
        continue;
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                   "rank %u did %" G_GSIZE_FORMAT " bytes of different things between its waits, "
                   "expected at most 16 GiB: record a shorter part of the run",
                   rank, self->stretches->n);
      return FALSE;
    }
  return TRUE;
}

PdStretches *
pd_stretches_new (PdPath *path, PdSites *sites, PdWaits *waits, const PdVector *moments,
                  GError **error)
{
  PdAnalysis *analysis = path->analysis;
  PdStretches *self = g_new0 (PdStretches, 1);
  g_autoptr (GHashTable) lines = g_hash_table_new_full (line_hash, line_equal, g_free, NULL);
  g_autoptr (GArray) known = g_array_new (FALSE, TRUE, sizeof (KnownSite));
  g_autoptr (GArray) been = g_array_new (FALSE, TRUE, sizeof (Been));
  Collector collector = { .result = self,
                          .sites = sites,
                          .waits = waits,
                          .lines = lines,
                          .known = known,
                          .nodes = { .tree = analysis->tree, .program = analysis->program },
                          .path = path,
                          .been = been };

  self->places = g_array_new (FALSE, FALSE, sizeof (PdDelayPlace));
  g_array_set_clear_func (self->places, place_clear);
  self->n_ranks = waits->n_ranks;
  self->ranks = g_new0 (PdVector, self->n_ranks);
  self->firsts = g_new0 (PdVector, self->n_ranks);
  pd_replay_init (&collector.replay, analysis->program, analysis->retiming);
  collector.replay.progress = analysis->progress;
  if (!collect_all (&collector, moments, error))
    {
      g_array_unref (pd_stretches_free (self));
      self = NULL;
    }
  pd_replay_clear (&collector.replay);
  pd_hash_map_clear (&collector.index);
  pd_vector_clear (&collector.pending);
  pd_vector_clear (&collector.present);
  return self;
}

GArray *
pd_stretches_free (PdStretches *self)
{
  GArray *places = self->places;

  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    {
      pd_vector_clear (&self->ranks[rank]);
      pd_vector_clear (&self->firsts[rank]);
    }
  g_free (self->ranks);
  g_free (self->firsts);
  g_free (self);
  return places;
}

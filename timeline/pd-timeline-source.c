/* SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-source.h"
#include "intervals/pd-interval-rows.h"
#include "timeline/pd-timeline-feed.h"
#include "traces/program/pd-action.h"

/* The moment up to which the activities of a rank are known. */
typedef struct
{
  PdTime at;
  guint32 node; /* its innermost interval */
  guint32 region;
  gboolean has_begun;
  gboolean has_slices; /* its CPUs work at once */
} Rank;

struct _PdTimelineSource
{
  PdTimelineFeed *feed;
  const PdIntervalTree *tree; /* (nullable) */
  guint32 n_ranks;
  Rank *ranks;
  GArray *regions; /* guint32: of nodes; PD_TL_NONE: not asked for so far */
  guint32 calls[PD_N_ACTS];
  guint32 collectives[2][PD_N_COLLS]; /* blocking or not */
};

PdTimelineSource *
pd_timeline_source_new (PdTimelineFeed *feed, const PdTimelineHead *head,
                        const PdIntervalTree *tree)
{
  PdTimelineSource *self = g_new0 (PdTimelineSource, 1);

  self->feed = feed;
  self->tree = tree;
  self->n_ranks = head->n_ranks;
  self->ranks = g_new0 (Rank, MAX (head->n_ranks, 1));
  self->regions = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (gsize i = 0; i < PD_N_ACTS; i++)
    self->calls[i] = PD_TL_NONE;
  for (gsize i = 0; i < PD_N_COLLS; i++)
    self->collectives[0][i] = self->collectives[1][i] = PD_TL_NONE;
  pd_timeline_feed_begin (feed, head);
  return self;
}

void
pd_timeline_source_free (PdTimelineSource *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->regions);
  g_free (self->ranks);
  g_free (self);
}

PdTimelineFeed *
pd_timeline_source_get_feed (const PdTimelineSource *self)
{
  return self->feed;
}

PdTime
pd_timeline_source_get_time (const PdTimelineSource *self, guint32 rank)
{
  return self->ranks[rank].at;
}

/* ---- intervals */

/* "main", "exchange", "exchange (3)", "par heat2d.cdv:54" */
static char *
name_node (const PdIntervalKey *key)
{
  g_autoptr (GString) name = g_string_new (NULL);

  if (key->name[0] != '\0')
    g_string_append (name, key->name);
  else if (key->type == PD_INTERVAL_USER && key->line <= 0)
    g_string_append (name, key->file);
  else
    g_string_append_printf (name, "%s %s:%" G_GINT64_FORMAT, pd_interval_type_name (key->type),
                            key->file, key->line);
  if (key->index != PD_INTERVAL_NO_INDEX)
    g_string_append_printf (name, " (%" G_GINT64_FORMAT ")", key->index);
  return g_string_free (g_steal_pointer (&name), FALSE);
}

static guint32
region_of (PdTimelineSource *self, guint32 node)
{
  const guint32 none = PD_TL_NONE;

  if (node == PD_INTERVAL_ROOT)
    return PD_TL_PROGRAM;
  while (self->regions->len <= node)
    g_array_append_val (self->regions, none);
  guint32 *region = &g_array_index (self->regions, guint32, node);
  if (*region == PD_TL_NONE)
    {
      PdIntervalKey key = pd_interval_tree_get_key (self->tree, node);
      g_autofree char *name = name_node (&key);
      *region = pd_timeline_feed_region (self->feed, name);
    }
  return *region;
}

static void
mark (PdTimelineSource *self, guint32 rank, guint32 node, PdTime at, gboolean enters)
{
  const PdTimelineMark new_mark = { at, rank, region_of (self, node), enters };

  pd_timeline_feed_mark (self->feed, &new_mark);
}

void
pd_timeline_source_begin (PdTimelineSource *self, guint32 rank, PdTime at)
{
  Rank *r = &self->ranks[rank];

  *r = (Rank){ at, PD_INTERVAL_ROOT, PD_TL_PROGRAM, TRUE, FALSE };
  mark (self, rank, PD_INTERVAL_ROOT, at, TRUE);
}

static Rank *
get_rank (PdTimelineSource *self, guint32 rank)
{
  if (G_UNLIKELY (!self->ranks[rank].has_begun))
    pd_timeline_source_begin (self, rank, PD_TIME_ZERO);
  return &self->ranks[rank];
}

static guint
depth_of (const PdIntervalTree *tree, guint32 node)
{
  guint depth = 0;

  for (; node != PD_INTERVAL_ROOT; node = pd_interval_tree_get_parent (tree, node))
    depth++;
  return depth;
}

/* Enters the intervals between @from, an enclosing one, and @node. */
static void
enter_down (PdTimelineSource *self, guint32 rank, guint32 from, guint32 node, PdTime at)
{
  guint n = depth_of (self->tree, node) - depth_of (self->tree, from);

  for (; n > 0; n--)
    {
      guint32 next = node;
      for (guint i = 1; i < n; i++)
        next = pd_interval_tree_get_parent (self->tree, next);
      mark (self, rank, next, at, TRUE);
    }
}

void
pd_timeline_source_move (PdTimelineSource *self, guint32 rank, guint32 node, PdTime at)
{
  Rank *r = get_rank (self, rank);
  guint32 common = node;

  if (r->node == node)
    return;
  /* the innermost one that is around both */
  for (guint own = depth_of (self->tree, r->node), other = depth_of (self->tree, node);;)
    {
      if (own > other || (own == other && r->node != common))
        {
          mark (self, rank, r->node, at, FALSE);
          r->node = pd_interval_tree_get_parent (self->tree, r->node);
          own--;
        }
      else if (r->node == common)
        break;
      if (other > own)
        {
          common = pd_interval_tree_get_parent (self->tree, common);
          other--;
        }
    }
  enter_down (self, rank, common, node, at);
  r->node = node;
  r->region = region_of (self, node);
}

void
pd_timeline_source_end (PdTimelineSource *self, guint32 rank, PdTime at)
{
  get_rank (self, rank);
  pd_timeline_source_move (self, rank, PD_INTERVAL_ROOT, at);
  mark (self, rank, PD_INTERVAL_ROOT, at, FALSE);
}

/* ---- slices */

void
pd_timeline_source_call (PdTimelineSource *self, guint32 rank, PdTimelineWhat what, PdTime until)
{
  Rank *r = get_rank (self, rank);
  const PdTimelineSlice slice = { .begin = r->at,
                                  .end = until,
                                  .rank = rank,
                                  .region = what.region,
                                  .interval = r->region,
                                  .state = (guint8) what.state };

  r->at = until;
  pd_timeline_feed_slice (self->feed, &slice);
}

void
pd_timeline_source_skip (PdTimelineSource *self, guint32 rank, PdTime until)
{
  get_rank (self, rank)->at = until;
}

gboolean
pd_timeline_source_notify (PdTimelineSource *self, guint32 rank, PdTimelineWhat what, PdTime until)
{
  if (get_rank (self, rank)->at.ps >= until.ps)
    return FALSE;
  pd_timeline_source_call (self, rank, what, until);
  return TRUE;
}

void
pd_timeline_source_slice (PdTimelineSource *self, const PdTimelineSlice *slice)
{
  PdTimelineSlice own = *slice;

  Rank *r = get_rank (self, slice->rank);

  r->has_slices = TRUE;
  own.interval = r->region;
  pd_timeline_feed_slice (self->feed, &own);
}

/* ---- names */

/* A hole, which is 0, is computation. */
static const guint8 states[PD_N_ACTS] = {
  [PD_ACT_COMPUTE] = PD_TL_COMPUTE,
  [PD_ACT_DELAY] = PD_TL_COMPUTE,
  [PD_ACT_SEND] = PD_TL_SEND,
  [PD_ACT_BSEND] = PD_TL_SEND,
  [PD_ACT_SSEND] = PD_TL_SEND,
  [PD_ACT_RSEND] = PD_TL_SEND,
  [PD_ACT_ISEND] = PD_TL_SEND,
  [PD_ACT_IBSEND] = PD_TL_SEND,
  [PD_ACT_ISSEND] = PD_TL_SEND,
  [PD_ACT_IRSEND] = PD_TL_SEND,
  [PD_ACT_RECV] = PD_TL_RECEIVE,
  [PD_ACT_IRECV] = PD_TL_RECEIVE,
  [PD_ACT_SENDRECV] = PD_TL_SEND,
  [PD_ACT_SEND_INIT] = PD_TL_OTHER,
  [PD_ACT_BSEND_INIT] = PD_TL_OTHER,
  [PD_ACT_SSEND_INIT] = PD_TL_OTHER,
  [PD_ACT_RSEND_INIT] = PD_TL_OTHER,
  [PD_ACT_RECV_INIT] = PD_TL_OTHER,
  [PD_ACT_START] = PD_TL_SEND,
  [PD_ACT_REQUEST_FREE] = PD_TL_OTHER,
  [PD_ACT_CANCEL] = PD_TL_OTHER,
  [PD_ACT_WAIT] = PD_TL_WAIT,
  [PD_ACT_WAITALL] = PD_TL_WAIT,
  [PD_ACT_WAITANY] = PD_TL_WAIT,
  [PD_ACT_WAITSOME] = PD_TL_WAIT,
  [PD_ACT_TEST] = PD_TL_WAIT,
  [PD_ACT_TESTALL] = PD_TL_WAIT,
  [PD_ACT_TESTANY] = PD_TL_WAIT,
  [PD_ACT_TESTSOME] = PD_TL_WAIT,
  [PD_ACT_PROBE] = PD_TL_WAIT,
  [PD_ACT_IPROBE] = PD_TL_WAIT,
  [PD_ACT_COLLECTIVE] = PD_TL_COLLECTIVE,
  [PD_ACT_ICOLLECTIVE] = PD_TL_COLLECTIVE,
  [PD_ACT_COMM_FREE] = PD_TL_OTHER,
  [PD_ACT_PUT] = PD_TL_ONE_SIDED,
  [PD_ACT_GET] = PD_TL_ONE_SIDED,
  [PD_ACT_ACCUMULATE] = PD_TL_ONE_SIDED,
  [PD_ACT_GET_ACCUMULATE] = PD_TL_ONE_SIDED,
  [PD_ACT_RPUT] = PD_TL_ONE_SIDED,
  [PD_ACT_RGET] = PD_TL_ONE_SIDED,
  [PD_ACT_RACCUMULATE] = PD_TL_ONE_SIDED,
  [PD_ACT_RGET_ACCUMULATE] = PD_TL_ONE_SIDED,
  [PD_ACT_WIN_FENCE] = PD_TL_ONE_SIDED,
  [PD_ACT_WIN_LOCK] = PD_TL_ONE_SIDED,
  [PD_ACT_WIN_UNLOCK] = PD_TL_ONE_SIDED,
  [PD_ACT_WIN_FLUSH] = PD_TL_ONE_SIDED,
  [PD_ACT_WIN_POST] = PD_TL_ONE_SIDED,
  [PD_ACT_WIN_START] = PD_TL_ONE_SIDED,
  [PD_ACT_WIN_COMPLETE] = PD_TL_ONE_SIDED,
  [PD_ACT_WIN_WAIT] = PD_TL_ONE_SIDED,
  [PD_ACT_OTHER] = PD_TL_OTHER,
  [PD_ACT_LOCAL] = PD_TL_OTHER,
};

PdTimelineWhat
pd_timeline_source_name (PdTimelineSource *self, const char *name, PdTimelineState state)
{
  return (PdTimelineWhat){ pd_timeline_feed_region (self->feed, name), state };
}

void
pd_timeline_source_fill (PdTimelineSource *self, guint32 rank, const char *name,
                         PdTimelineState state, PdTime until)
{
  const Rank *r = &self->ranks[rank];

  if (r->at.ps < until.ps && !r->has_slices)
    pd_timeline_source_call (self, rank, pd_timeline_source_name (self, name, state), until);
}

PdTimelineWhat
pd_timeline_source_name_action (PdTimelineSource *self, const PdProgram *program,
                                const PdAction *action)
{
  PdActionKind kind = action->kind;
  gboolean is_collective = kind == PD_ACT_COLLECTIVE || kind == PD_ACT_ICOLLECTIVE;
  guint32 *known = is_collective ? &self->collectives[kind == PD_ACT_ICOLLECTIVE][action->op]
                                 : &self->calls[kind];

  if (kind == PD_ACT_OTHER || kind == PD_ACT_LOCAL)
    return pd_timeline_source_name (self, pd_program_get_string (program, action->name),
                                    PD_TL_OTHER);
  gboolean makes = is_collective && action->op >= PD_COLL_COMM_DUP;
  PdTimelineState state = makes ? PD_TL_OTHER : (PdTimelineState) states[kind];
  if (action->called != PD_PROGRAM_NONE)
    return pd_timeline_source_name (self, pd_action_get_called (action, program), state);
  if (*known == PD_TL_NONE)
    *known = pd_timeline_feed_region (self->feed, pd_action_name (action));
  return (PdTimelineWhat){ *known, state };
}

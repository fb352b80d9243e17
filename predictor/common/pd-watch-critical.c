/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-watch-critical.h"

#include "comsys/critical/pd-critical-path-operations.h"
#include "comsys/critical/pd-critical-path-result.h"
#include "comsys/critical/pd-critical-path-tokens.h"

typedef struct
{
  PdCriticalPath *path;
  PdComsys *comsys;
  PdCriticalResult **result;
} Critical;

static PdCriticalPath *
path_of (gpointer data)
{
  return ((Critical *) data)->path;
}

static void
spent (gpointer data, const PdSpan *span)
{
  static void (*const spend[]) (PdCriticalPath *, const PdCriticalInterval *) = {
    [PD_SPAN_COMPUTE] = pd_critical_work,
    [PD_SPAN_DELAY] = pd_critical_delay,
    [PD_SPAN_IO] = pd_critical_io,
  };

  spend[span->kind](path_of (data),
                    &(PdCriticalInterval){ span->rank, span->node, span->since, span->until });
}

static void
packed (gpointer data, const PdLibrarySpan *span)
{
  pd_critical_library (path_of (data),
                       &(PdCriticalInterval){ span->rank, 0, span->since, span->until }, span->part,
                       span->amount);
}

/* Its work so far belongs to the previous place. */
static void
moved (gpointer data, guint32 rank, guint32 node, PdTime when)
{
  pd_critical_work (path_of (data), &(PdCriticalInterval){ rank, node, when, when });
  pd_critical_set_place (path_of (data), rank, node);
}

static void
turn_begins (gpointer data, const PdTurn *turn)
{
  pd_critical_begin_turn (path_of (data), turn);
}

static void
use_token (gpointer data, PdTokenUse how, guint32 rank, guint32 token)
{
  static void (*const use[]) (PdCriticalPath *, guint32 rank, guint32 token) = {
    [PD_TOKEN_KEEP] = pd_critical_keep,
    [PD_TOKEN_JOIN] = pd_critical_join,
    [PD_TOKEN_FOLLOW] = pd_critical_operation_follow,
  };

  use[how](path_of (data), rank, token);
}

static void
go_on (gpointer data, guint32 rank)
{
  pd_critical_continue (path_of (data), rank);
}

static gboolean
finish (gpointer data, const PdTime *ends, GError **error G_GNUC_UNUSED)
{
  const Critical *self = data;

  if (ends != NULL)
    *self->result = pd_critical_finish (self->path, self->comsys, ends);
  return TRUE;
}

static void
critical_free (gpointer data)
{
  pd_critical_free (path_of (data));
  g_free (data);
}

static const PdWatcherClass class = {
  .spent = spent,
  .packed = packed,
  .moved = moved,
  .turn = turn_begins,
  .token = use_token,
  .go_on = go_on,
  .finish = finish,
  .free = critical_free,
};

void
pd_critical_watch (PdWatcher **watchers, PdComsys *comsys, guint32 n_ranks, gboolean is_explicit,
                   PdCriticalResult **result)
{
  if (result == NULL)
    return;
  Critical *self = g_new (Critical, 1);
  *self = (Critical){ pd_critical_new (n_ranks), comsys, result };
  if (is_explicit)
    pd_critical_set_explicit_work (self->path);
  pd_comsys_set_critical_path (comsys, self->path);
  pd_watch (watchers, &class, self);
}

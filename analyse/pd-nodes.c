/* In which interval a rank is: as in a prediction, an interval that ends before
 * those inside it ends these, too.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-marked.h"
#include "analyse/pd-nodes-private.h"
#include "analyse/pd-replay-private.h"

static void
notify (const PdNodes *self, guint32 rank, gint64 number, const char *id, const char *name,
        const char *text)
{
  PdPlace place = { self->file, 0, NULL, number, rank, TRUE };

  pd_messages_add (self->messages, PD_SEVERITY_WARNING, id, name, &place, "'%s' %s", name, text);
}

static void
leave (PdNodes *self, const PdReplay *replay, const PdIntervalKey *key)
{
  guint32 open = pd_marked_find_open (self->tree, self->node, key);
  const char *wrong = pd_marked_mismatch (self->node, open);

  if (wrong != NULL)
    notify (self, replay->rank, (gint64) replay->number, "interval-mismatch", pd_marked_name (key),
            wrong);
  if (open != PD_INTERVAL_ROOT)
    self->node = pd_interval_tree_get_parent (self->tree, open);
}

void
pd_nodes_pass (PdNodes *self, const PdReplay *replay, gboolean counts)
{
  PdActionKind kind = replay->action->kind;
  PdIntervalKey key =
      pd_marked_key (pd_program_get_interval (self->program, replay->action->interval));
  if (kind == PD_ACT_LEAVE)
    {
      leave (self, replay, &key);
      return;
    }
  self->node = pd_interval_tree_child (self->tree, self->node, &key);
  if (counts)
    pd_interval_tree_add (self->tree, self->node, PD_Q_EXE_COUNT, replay->rank, PD_TIME (1));
}

void
pd_nodes_end_rank (PdNodes *self, guint32 rank)
{
  while (self->node != PD_INTERVAL_ROOT)
    {
      PdIntervalKey key = pd_interval_tree_get_key (self->tree, self->node);
      if (pd_program_get_recorded_share (self->program) == 1)
        notify (self, rank, -1, "interval-open", pd_marked_name (&key),
                "is open when the program ends");
      self->node = pd_interval_tree_get_parent (self->tree, self->node);
    }
}

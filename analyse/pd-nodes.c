/* In which interval a rank is: as in a prediction, an interval that ends before
 * those inside it ends these, too.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis-private.h"

#include <string.h>

void
pd_nodes_init (PdNodes *self, PdIntervalTree *tree, const PdProgram *program)
{
  guint32 root = PD_INTERVAL_ROOT;

  *self = (PdNodes){ .tree = tree, .program = program };
  self->open = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self->open, root);
}

void
pd_nodes_clear (PdNodes *self)
{
  g_clear_pointer (&self->open, g_array_unref);
}

guint32
pd_nodes_innermost (const PdNodes *self)
{
  return g_array_index (self->open, guint32, self->open->len - 1);
}

static PdIntervalKey
key_of (const PdProgramInterval *marked)
{
  return (PdIntervalKey){ .type = PD_INTERVAL_USER,
                          .file = marked->file,
                          .line = marked->line,
                          .index = marked->index >= 0 ? marked->index : PD_INTERVAL_NO_INDEX,
                          .name = marked->name };
}

static gboolean
is_node_of (const PdNodes *self, guint32 node, const PdIntervalKey *key)
{
  PdIntervalKey own = pd_interval_tree_get_key (self->tree, node);

  return own.type == key->type && own.line == key->line && own.index == key->index
         && strcmp (own.file, key->file) == 0 && strcmp (own.name, key->name) == 0;
}

static void
tell (const PdNodes *self, guint32 rank, gint64 number, const char *id, const char *name,
      const char *text)
{
  PdPlace place = { self->file, 0, NULL, number, rank, TRUE };

  pd_messages_add (self->messages, PD_SEVERITY_WARNING, id, name, &place, "'%s' %s", name, text);
}

static const char *
name_of (const PdIntervalKey *key)
{
  return key->name[0] != '\0' ? key->name : key->file;
}

static void
leave (PdNodes *self, const PdReplay *replay, const PdIntervalKey *key)
{
  guint at = self->open->len - 1;

  while (at > 0 && !is_node_of (self, g_array_index (self->open, guint32, at), key))
    at--;
  if (at == 0 || at + 1 < self->open->len)
    tell (self, replay->rank, (gint64) replay->number, "interval-mismatch", name_of (key),
          at == 0 ? "ends, but is not open: left out"
                  : "ends before the intervals inside it: they end, too");
  if (at > 0)
    g_array_set_size (self->open, at);
}

void
pd_nodes_follow (PdNodes *self, const PdReplay *replay, gboolean counts)
{
  PdActionKind kind = replay->action.kind;

  if (kind != PD_ACT_ENTER && kind != PD_ACT_LEAVE)
    return;
  PdIntervalKey key = key_of (pd_program_get_interval (self->program, replay->action.interval));
  if (kind == PD_ACT_LEAVE)
    {
      leave (self, replay, &key);
      return;
    }
  guint32 node = pd_interval_tree_child (self->tree, pd_nodes_innermost (self), &key);
  g_array_append_val (self->open, node);
  if (counts)
    pd_interval_tree_add (self->tree, node, PD_Q_EXE_COUNT, replay->rank, PD_TIME (1));
}

void
pd_nodes_end_rank (PdNodes *self, guint32 rank)
{
  for (guint i = self->open->len; i-- > 1;)
    {
      PdIntervalKey key =
          pd_interval_tree_get_key (self->tree, g_array_index (self->open, guint32, i));
      tell (self, rank, -1, "interval-open", name_of (&key), "is open when the program ends");
    }
  g_array_set_size (self->open, 1);
}

/* SPDX-License-Identifier: MIT */
#include "analyse/pd-marked.h"

#include <string.h>

PdIntervalKey
pd_marked_key (const PdProgramInterval *marked)
{
  return (PdIntervalKey){ .type = PD_INTERVAL_USER,
                          .file = marked->file,
                          .line = marked->line,
                          .index = marked->index >= 0 ? marked->index : PD_INTERVAL_NO_INDEX,
                          .name = marked->name };
}

const char *
pd_marked_name (const PdIntervalKey *key)
{
  return key->name[0] != '\0' ? key->name : key->file;
}

static gboolean
is_node_of (const PdIntervalTree *tree, guint32 node, const PdIntervalKey *key)
{
  PdIntervalKey own = pd_interval_tree_get_key (tree, node);

  return own.line == key->line && own.index == key->index && strcmp (own.file, key->file) == 0
         && strcmp (own.name, key->name) == 0;
}

guint32
pd_marked_find_open (const PdIntervalTree *tree, guint32 node, const PdIntervalKey *key)
{
  while (node != PD_INTERVAL_ROOT && !is_node_of (tree, node, key))
    node = pd_interval_tree_get_parent (tree, node);
  return node;
}

const char *
pd_marked_mismatch (guint32 node, guint32 open)
{
  if (open == PD_INTERVAL_ROOT)
    return "ends, but is not open: left out";
  return open == node ? NULL : "ends before the intervals inside it: they end, too";
}

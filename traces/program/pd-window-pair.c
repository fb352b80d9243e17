/* SPDX-License-Identifier: MIT */
#include "traces/program/pd-window-pair.h"

guint
pd_window_pair_hash (gconstpointer data)
{
  const PdWindowPair *pair = data;
  guint32 hash = pair->comm;

  hash = hash * 0x9e3779b1u + pair->origin;
  hash = hash * 0x9e3779b1u + pair->target;
  return hash ^ hash >> 15;
}

gboolean
pd_window_pair_equal (gconstpointer a, gconstpointer b)
{
  const PdWindowPair *x = a, *y = b;

  return x->comm == y->comm && x->origin == y->origin && x->target == y->target;
}

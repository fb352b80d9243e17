/* Interval records: which node of the tree is current.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-intervals.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-current.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"

typedef struct
{
  guint32 node;
  guint32 parent;
  gint64 fragment; /* nfrag */
  gint64 line;
  gboolean is_user; /* else a loop */
} Open;

GArray *
pd_dvm_interval_stack_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Open));
}

static const struct
{
  PdIntervalType type;
  gboolean opens;
} records[PD_DVM_N_FUNCTIONS] = {
  [PD_DVM_bsloop_] = { PD_INTERVAL_SEQ, TRUE },   [PD_DVM_bploop_] = { PD_INTERVAL_PAR, TRUE },
  [PD_DVM_binter_] = { PD_INTERVAL_USER, TRUE },  [PD_DVM_enloop_] = { PD_INTERVAL_SEQ, FALSE },
  [PD_DVM_einter_] = { PD_INTERVAL_USER, FALSE },
};

/* Deeper than any program nests: those that a program leaves by jumps, without
 * closing them, must not pile up. */
#define MAX_OPEN 1000

gboolean
pd_dvm_interval_is_open (const PdDvm *self, guint32 node)
{
  guint i = self->open->len;

  while (i > 0 && g_array_index (self->open, Open, i - 1).node != node)
    i--;
  return i > 0;
}

static gboolean
open_interval (PdDvm *self, gint64 fragment)
{
  PdIntervalType type = records[self->call->function].type;
  PdIntervalKey key = { .type = type,
                        .file = self->call->file,
                        .line = self->call->line,
                        .index = pd_dvm_get (self, PD_DVM_KEY_index, PD_INTERVAL_NO_INDEX) };
  Open open = { .parent = self->node,
                .fragment = fragment,
                .line = self->call->line,
                .is_user = type == PD_INTERVAL_USER };

  /* the run-time's own, never closed: the whole program */
  if (type == PD_INTERVAL_SEQ && fragment == -1)
    return FALSE;
  if (self->open->len >= MAX_OPEN)
    {
      pd_dvm_warn (self, "interval-mismatch", "depth",
                   "%d intervals are open already: another one is ignored", MAX_OPEN);
      return FALSE;
    }
  if (type != PD_INTERVAL_USER)
    key.index = PD_INTERVAL_NO_INDEX;
  open.node = self->node = pd_interval_tree_child (self->tree, self->node, &key);
  pd_node_ratios_enter (self->ratios, open.node, open.parent, key.file, key.line);
  g_array_append_vals (self->open, &open, 1);
  return TRUE;
}

static Open *
innermost (PdDvm *self)
{
  return &g_array_index (self->open, Open, self->open->len - 1);
}

/* Is one of those open that this record can close? In a task, of those opened
 * there: the others are also in those who are not in it. */
static gboolean
is_open (const PdDvm *self, gboolean is_user, gint64 fragment)
{
  for (guint i = self->open_base; i < self->open->len; i++)
    {
      const Open *open = &g_array_index (self->open, Open, i);
      if (open->is_user == is_user && open->fragment == fragment)
        return TRUE;
    }
  return FALSE;
}

static void
close_interval (PdDvm *self, gint64 fragment)
{
  gboolean is_user = records[self->call->function].type == PD_INTERVAL_USER;

  if (!is_open (self, is_user, fragment))
    {
      pd_dvm_warn (self, "interval-mismatch", NULL,
                   "'%s' closes interval %" G_GINT64_FORMAT " that is not open: ignored",
                   self->call->name, fragment);
      return;
    }
  for (gboolean found = FALSE; !found;)
    {
      const Open *open = innermost (self);
      found = open->is_user == is_user && open->fragment == fragment;
      if (!found)
        pd_dvm_warn (self, "interval-mismatch", NULL,
                     "interval of line %" G_GINT64_FORMAT " is still open when an outer one ends",
                     open->line);
      else if (pd_dvm_get (self, PD_DVM_KEY_nline, open->line) != open->line)
        pd_dvm_warn (self, "interval-mismatch", NULL,
                     "'%s' names line %" G_GINT64_FORMAT " for the interval opened at line "
                     "%" G_GINT64_FORMAT,
                     self->call->name, pd_dvm_get (self, PD_DVM_KEY_nline, 0), open->line);
      self->node = open->parent;
      g_array_set_size (self->open, self->open->len - 1);
    }
}

gboolean
pd_dvm_interval_move (PdDvm *self)
{
  gint64 fragment = pd_dvm_get (self, PD_DVM_KEY_nfrag, 0);

  if (records[self->call->function].opens)
    return open_interval (self, fragment);
  close_interval (self, fragment);
  return FALSE;
}

gboolean
pd_dvm_interval (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  pd_dvm_charge_call (self);
  if (pd_dvm_interval_move (self))
    pd_dvm_count (self, PD_Q_EXE_COUNT);
  pd_dvm_charge_ret (self);
  return TRUE;
}

void
pd_dvm_interval_leave_task (PdDvm *self, gboolean at_end)
{
  while (self->open->len > self->open_base)
    {
      const Open *open = innermost (self);
      pd_dvm_warn (self, at_end ? "interval-open" : "interval-mismatch", NULL,
                   "interval of line %" G_GINT64_FORMAT " is still open at the end of %s",
                   open->line, at_end ? "the trace" : "its task");
      self->node = open->parent;
      g_array_set_size (self->open, self->open->len - 1);
    }
}

void
pd_dvm_interval_finish (PdDvm *self)
{
  while (self->open->len > 0)
    {
      pd_dvm_warn (self, "interval-open", NULL,
                   "interval of line %" G_GINT64_FORMAT " is still open at the end of the trace",
                   innermost (self)->line);
      g_array_set_size (self->open, self->open->len - 1);
    }
  self->node = PD_INTERVAL_ROOT;
}

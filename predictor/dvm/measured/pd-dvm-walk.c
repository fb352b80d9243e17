/* The recorded times of one processor. A call has two: the computation before it, and what the
 * run-time function took. Where a processor may wait for others in the function, the second is
 * communication of the function's kind, else computation, as predictions take it.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/measured/pd-dvm-walk-private.h"

#include "traces/dvm/pd-dvm-call.h"

typedef struct
{
  guint32 node;
  gint64 fragment; /* nfrag */
  gboolean is_user;
} Open;

typedef struct
{
  const PdDvmWalk *to;
  PdDvmReader *reader;
  const PdDvmCall *call;
  guint32 p;              /* whose file it is */
  GArray *open;           /* Open: the intervals around the call, the innermost last */
  PdTime end;             /* sum of all times so far */
  gboolean is_first;      /* nothing was read yet */
  gboolean in_portion;    /* the next computation is iterations of a parallel loop */
  gboolean in_io;         /* in an I/O statement of Fortran */
  gboolean waits_in_dopl; /* the loop under way exchanges messages inside dopl_ and endpl_ */
} Walker;

/* ---- tables */

/* Communication of the functions in which processors wait for others. */
static const PdQuantity components[PD_DVM_N_CLASSES] = {
  [PD_DVM_CLASS_DIST] = PD_Q_REDISTRIBUTION, [PD_DVM_CLASS_XFER] = PD_Q_REMOTE_ACCESS,
  [PD_DVM_CLASS_RED] = PD_Q_WAIT_REDUCTION,  [PD_DVM_CLASS_SHD] = PD_Q_WAIT_SHADOW,
  [PD_DVM_CLASS_LOOP] = PD_Q_WAIT_SHADOW,    [PD_DVM_CLASS_REM] = PD_Q_REMOTE_ACCESS,
  [PD_DVM_CLASS_IND] = PD_Q_REMOTE_ACCESS,   [PD_DVM_CLASS_CONS] = PD_Q_REMOTE_ACCESS,
};

static const PdQuantity counters[PD_DVM_N_FUNCTIONS] = {
  [PD_DVM_strtrd_] = PD_Q_N_REDUCTION,      [PD_DVM_dvmreduce_] = PD_Q_N_REDUCTION,
  [PD_DVM_strtsh_] = PD_Q_N_SHADOW,         [PD_DVM_sendsh_] = PD_Q_N_SHADOW,
  [PD_DVM_sendsa_] = PD_Q_N_SHADOW,         [PD_DVM_across_] = PD_Q_N_SHADOW,
  [PD_DVM_doacr_] = PD_Q_N_SHADOW,          [PD_DVM_loadrb_] = PD_Q_N_REMOTE_ACCESS,
  [PD_DVM_loadbg_] = PD_Q_N_REMOTE_ACCESS,  [PD_DVM_loadib_] = PD_Q_N_REMOTE_ACCESS,
  [PD_DVM_loadig_] = PD_Q_N_REMOTE_ACCESS,  [PD_DVM_strtac_] = PD_Q_N_REMOTE_ACCESS,
  [PD_DVM_strtcg_] = PD_Q_N_REMOTE_ACCESS,  [PD_DVM_consda_] = PD_Q_N_REMOTE_ACCESS,
  [PD_DVM_arrcpy_] = PD_Q_N_REMOTE_ACCESS,  [PD_DVM_aarrcp_] = PD_Q_N_REMOTE_ACCESS,
  [PD_DVM_rwelm_] = PD_Q_N_REMOTE_ACCESS,   [PD_DVM_arwelm_] = PD_Q_N_REMOTE_ACCESS,
  [PD_DVM_copelm_] = PD_Q_N_REMOTE_ACCESS,  [PD_DVM_acopel_] = PD_Q_N_REMOTE_ACCESS,
  [PD_DVM_elmcpy_] = PD_Q_N_REMOTE_ACCESS,  [PD_DVM_aelmcp_] = PD_Q_N_REMOTE_ACCESS,
  [PD_DVM_dacsum_] = PD_Q_N_REMOTE_ACCESS,  [PD_DVM_redis_] = PD_Q_N_REDISTRIBUTION,
  [PD_DVM_mredis_] = PD_Q_N_REDISTRIBUTION, [PD_DVM_realn_] = PD_Q_N_REDISTRIBUTION,
  [PD_DVM_mrealn_] = PD_Q_N_REDISTRIBUTION, [PD_DVM_gettar_] = PD_Q_N_REDISTRIBUTION,
};

static const struct
{
  PdIntervalType type;
  gboolean opens;
} intervals[PD_DVM_N_FUNCTIONS] = {
  [PD_DVM_bsloop_] = { PD_INTERVAL_SEQ, TRUE },   [PD_DVM_bploop_] = { PD_INTERVAL_PAR, TRUE },
  [PD_DVM_binter_] = { PD_INTERVAL_USER, TRUE },  [PD_DVM_enloop_] = { PD_INTERVAL_SEQ, FALSE },
  [PD_DVM_einter_] = { PD_INTERVAL_USER, FALSE },
};

/* ---- charging */

static guint32
get_node (const Walker *self)
{
  guint n = self->open->len;

  return n == 0 ? PD_INTERVAL_ROOT : g_array_index (self->open, Open, n - 1).node;
}

static void
charge (Walker *self, PdQuantity quantity, PdTime time)
{
  PdIntervalTree *tree = self->to->tree;
  guint32 node = get_node (self);

  pd_interval_tree_add (tree, node, quantity, self->p, time);
  self->end = pd_time_add (self->end, time);
  if (quantity == PD_Q_CPU_SEQ)
    pd_interval_tree_add (tree, node, PD_Q_INSUFF_SEQ, self->p,
                          pd_time_scale (time, self->to->n - 1, self->to->n));
}

/* The I/O processor, which is processor 0, does it; the others wait. */
static PdQuantity
get_io (const Walker *self)
{
  return self->p == 0 ? PD_Q_IO : PD_Q_IO_COMM;
}

static void
charge_call (Walker *self)
{
  PdTime time = self->call->call_time;

  /* the start-up before the first call is no part of the program */
  if (self->is_first && !self->call->is_single)
    time = PD_TIME_ZERO;
  self->is_first = FALSE;
  charge (self, self->in_io ? get_io (self) : self->in_portion ? PD_Q_CPU_PAR : PD_Q_CPU_SEQ, time);
}

static gboolean
communicates (const Walker *self, PdDvmFunction function)
{
  if (self->to->n == 1)
    return FALSE;
  return pd_dvm_function_communicates (function)
         || (self->waits_in_dopl && (function == PD_DVM_dopl_ || function == PD_DVM_endpl_));
}

static PdQuantity
get_component (const Walker *self, PdDvmClass class_)
{
  if (self->in_io)
    return PD_Q_IO_COMM;
  return components[class_] != 0 ? components[class_] : PD_Q_OTHER_COMM;
}

static void
charge_ret (Walker *self)
{
  PdDvmFunction function = self->call->function;
  PdDvmClass class_ = pd_dvm_function_get_class (function);
  gboolean is_section = function == PD_DVM_biof_ || function == PD_DVM_eiof_;
  PdTime time = self->call->ret_time;

  if (communicates (self, function))
    {
      charge (self, get_component (self, class_), time);
      pd_dvm_places_add (self->to->places, get_node (self), function, self->p, time);
    }
  else if (class_ == PD_DVM_CLASS_IO && !is_section)
    charge (self, get_io (self), time);
  else
    charge (self, PD_Q_CPU_SEQ, time);
}

static void
count (Walker *self, PdQuantity counter)
{
  pd_interval_tree_add (self->to->tree, get_node (self), counter, self->p, PD_TIME (1));
}

static void
count_call (Walker *self)
{
  PdDvmFunction function = self->call->function;
  PdQuantity counter = counters[function];

  if (counter != 0 && !(self->in_io && counter == PD_Q_N_REMOTE_ACCESS))
    count (self, counter);
  if (pd_dvm_function_get_class (function) == PD_DVM_CLASS_IO && function != PD_DVM_eiof_)
    count (self, PD_Q_N_IO);
}

/* ---- intervals */

static gint64
get (const Walker *self, PdDvmKey key, gint64 otherwise)
{
  gint64 value = otherwise;

  pd_dvm_call_get (self->reader, key, &value);
  return value;
}

static void
open_interval (Walker *self, PdIntervalType type)
{
  gint64 fragment = get (self, PD_DVM_KEY_nfrag, 0);
  gboolean is_user = type == PD_INTERVAL_USER;
  const PdIntervalKey key = { .type = type,
                              .file = self->call->file,
                              .line = self->call->line,
                              .index = is_user ? get (self, PD_DVM_KEY_index, PD_INTERVAL_NO_INDEX)
                                               : PD_INTERVAL_NO_INDEX };

  /* the run-time's own, never closed: the whole program */
  if (type == PD_INTERVAL_SEQ && fragment == -1)
    return;
  Open open = { pd_interval_tree_child (self->to->tree, get_node (self), &key), fragment, is_user };
  g_array_append_val (self->open, open);
  count (self, PD_Q_EXE_COUNT);
}

static void
close_interval (Walker *self, gboolean is_user)
{
  gint64 fragment = get (self, PD_DVM_KEY_nfrag, 0);
  PdPlace place = pd_dvm_reader_get_place (self->reader);

  for (guint i = self->open->len; i-- > 0;)
    {
      const Open *open = &g_array_index (self->open, Open, i);
      if (open->is_user != is_user || open->fragment != fragment)
        continue;
      g_array_set_size (self->open, i);
      return;
    }
  pd_messages_add (self->to->messages, PD_SEVERITY_WARNING, "interval-mismatch", NULL, &place,
                   "'%s' closes interval %" G_GINT64_FORMAT " that is not open: ignored",
                   self->call->name, fragment);
}

static void
move (Walker *self)
{
  PdDvmFunction function = self->call->function;
  PdIntervalType type = intervals[function].type;

  if (type == PD_INTERVAL_MAIN)
    return;
  if (intervals[function].opens)
    open_interval (self, type);
  else
    close_interval (self, type == PD_INTERVAL_USER);
}

/* ---- states of loops and statements */

static void
note_before (Walker *self)
{
  if (self->call->function == PD_DVM_eiof_)
    self->in_io = FALSE;
}

static void
note_after (Walker *self)
{
  switch (self->call->function)
    {
    case PD_DVM_biof_:
      self->in_io = TRUE;
      break;
    case PD_DVM_dopl_:
      self->in_portion = get (self, PD_DVM_KEY_DoPL, 0) != 0;
      break;
    case PD_DVM_crtpl_:
    case PD_DVM_endpl_:
      self->in_portion = self->waits_in_dopl = FALSE;
      break;
    case PD_DVM_across_:
    case PD_DVM_doacr_:
    case PD_DVM_exfrst_:
    case PD_DVM_imlast_:
      self->waits_in_dopl = TRUE;
      break;
    default:
      break;
    }
}

static void
take (Walker *self)
{
  charge_call (self);
  note_before (self);
  count_call (self);
  move (self);
  charge_ret (self);
  note_after (self);
}

gboolean
pd_dvm_walk (const PdDvmWalk *self, PdDvmReader *reader, guint32 p, PdTime *end, GError **error)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Open));
  Walker walker = { .to = self, .reader = reader, .p = p, .open = open, .is_first = TRUE };
  g_autoptr (GError) local = NULL;

  while (pd_dvm_reader_next (reader, &walker.call, &local))
    take (&walker);
  *end = walker.end;
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* A program on a number of ranks that was not recorded.
 * SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-near-private.h"
#include "scale/pd-scale-average-private.h"
#include "scale/pd-scale-samples-private.h"
#include "scale/pd-scale-target-private.h"
#include "scale/pd-scale-values-private.h"

#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <string.h>

typedef struct
{
  const PdScaleModel *model;
  PdProgramBuilder *builder;
  const PdScaleMends *mends; /* (nullable); likewise: */
  const volatile sig_atomic_t *stop;
  guint32 n_ranks;
  guint32 n_single; /* ranks whose class was recorded on one number of ranks only */
  PdScaleDoubts doubts;
  PdScaleSamples *samples;
  GHashTable *comms; /* "mask duplicate first" → index */
  guint32 *sites;    /* index in the builder of each word; likewise: */
  GArray *members;   /* guint32: scratch; likewise: */
  GArray *lists[PD_SCALE_AMOUNT];
  /* the rank that is made */
  guint32 rank;
  guint64 call; /* the next one that counts for @mends */
  const PdScaleClass *class;
  PdRulePlace world;
  PdRulePlace *places; /* in each of its communicators */
  guint32 *indices;    /* of these communicators in the builder */
  PdScaleState *states;
} Maker;

/* ---- lists */

static gboolean
refuse (const Maker *self, const char *what, GError **error)
{
  g_set_error (error, PD_SCALE_ERROR, PD_SCALE_ERROR_TARGET, "rank %u of %u: %s", self->rank,
               self->n_ranks, what);
  return FALSE;
}

static gboolean
may_go_on (const Maker *self, GError **error)
{
  if (self->stop == NULL || *self->stop == 0)
    return TRUE;
  g_set_error_literal (error, PD_SCALE_ERROR, PD_SCALE_ERROR_INTERRUPTED, "interrupted");
  return FALSE;
}

static gboolean
fill_list (Maker *self, const PdScaleNode *node, PdRulePlace place, gint column, PdColumnPlace *at,
           GError **error)
{
  const PdScaleNumber *number = &node->numbers[column];
  const PdScaleShape *shape = pd_scale_words_get_shape (self->model->words, node->shape);
  GArray *list = self->lists[column];
  gsize n = 0;

  g_array_set_size (list, 0);
  if (number->how == PD_SCALE_LITERALLY)
    {
      gint64 literal = pd_scale_number_take (number, at);
      if (literal == PD_SCALE_NO_LIST)
        return TRUE;
      if (literal == PD_SCALE_NO_VALUE)
        return refuse (self, "a list comes more often than it was recorded", error);
      const gint64 *values = pd_scale_words_get_list (self->model->words, literal, &n);
      g_array_append_vals (list, values, (guint) n);
      return TRUE;
    }
  place.k = 0;
  place.m = 1;
  gint64 length = pd_rule_get (&number->rule, &place);
  if (length < 0 || length > PD_PROGRAM_MAX_RANKS)
    return refuse (self, "the rule of a list gives no length", error);
  place.m = length;
  for (place.k = 0; place.k < length; place.k++)
    {
      if (!may_go_on (self, error))
        return FALSE;
      gint64 value = number->near == PD_SCALE_DRAWN
                         ? pd_scale_near_draw (number, shape, column, &place, place.k, at->within)
                         : pd_scale_number_get (&self->doubts, number, &place, -1, at);
      if (value == PD_SCALE_NO_VALUE)
        return refuse (self, "the rule of a list gives no value", error);
      g_array_append_val (list, value);
    }
  at->within++; /* of drawn ones: how often */
  return TRUE;
}

/* ---- actions */

static const guint32 *
take_slots (Maker *self, gint column, guint32 *n)
{
  GArray *list = self->lists[column], *slots = self->members;

  if (column == PD_SCALE_SLOTS)
    g_array_set_size (slots, 0);
  guint begin = slots->len;
  for (guint i = 0; i < list->len; i++)
    {
      guint32 slot = (guint32) g_array_index (list, gint64, i);
      g_array_append_val (slots, slot);
    }
  *n = list->len;
  return (const guint32 *) (void *) slots->data + begin;
}

static guint32
take_counts (Maker *self, const PdScaleNumber *number, gint column)
{
  const GArray *list = self->lists[column];

  if (!(number->how == PD_SCALE_BY_LIST && number->has_list) && list->len == 0)
    return PD_PROGRAM_NONE;
  return pd_program_builder_add_counts (self->builder, (const gint64 *) (void *) list->data,
                                        list->len);
}

static guint32
find_string (Maker *self, guint32 string)
{
  return string == PD_PROGRAM_NONE
             ? PD_PROGRAM_NONE
             : pd_program_builder_add_string (
                 self->builder, pd_scale_words_get_string (self->model->words, string));
}

static void
set_words (Maker *self, const PdScaleShape *shape, PdAction *action)
{
  action->op = shape->op;
  action->comm = self->indices[shape->comm];
  if (shape->name != PD_PROGRAM_NONE)
    action->name = find_string (self, shape->name);
  action->called = find_string (self, shape->called);
  if (shape->interval != PD_PROGRAM_NONE)
    action->interval = pd_program_builder_add_interval (
        self->builder, pd_scale_words_get_interval (self->model->words, shape->interval));
  action->site = shape->site == PD_PROGRAM_NONE ? PD_PROGRAM_NONE : self->sites[shape->site];
  action->has_done = shape->has_done != 0;
  action->line = shape->line;
}

static void
set_numbers (const gint64 *numbers, PdAction *action)
{
  action->peer = (gint32) numbers[PD_SCALE_PEER];
  action->recv_peer = (gint32) numbers[PD_SCALE_RECV_PEER];
  action->matched_peer = (gint32) numbers[PD_SCALE_MATCHED_PEER];
  action->tag = (gint32) numbers[PD_SCALE_TAG];
  action->recv_tag = (gint32) numbers[PD_SCALE_RECV_TAG];
  action->matched_tag = (gint32) numbers[PD_SCALE_MATCHED_TAG];
  action->bytes = numbers[PD_SCALE_BYTES];
  action->recv_bytes = numbers[PD_SCALE_RECV_BYTES];
  action->sent_bytes = numbers[PD_SCALE_SENT_BYTES];
  action->request = (guint32) numbers[PD_SCALE_REQUEST];
}

static void
set_lists (Maker *self, const PdScaleNode *node, PdAction *action)
{
  action->slots = take_slots (self, PD_SCALE_SLOTS, &action->n_slots);
  guint n = self->members->len;
  take_slots (self, PD_SCALE_DONE, &action->n_done);
  action->slots = (const guint32 *) (void *) self->members->data;
  action->done = action->slots + n;
  action->send_counts =
      take_counts (self, &node->numbers[PD_SCALE_SEND_COUNTS], PD_SCALE_SEND_COUNTS);
  action->recv_counts =
      take_counts (self, &node->numbers[PD_SCALE_RECV_COUNTS], PD_SCALE_RECV_COUNTS);
  action->sources = take_counts (self, &node->numbers[PD_SCALE_SOURCES], PD_SCALE_SOURCES);
  action->targets = take_counts (self, &node->numbers[PD_SCALE_TARGETS], PD_SCALE_TARGETS);
}

static void
set_turn (PdRulePlace *place, PdScaleTurn turn)
{
  place->k = turn.k;
  place->m = turn.m;
  place->l = turn.l;
}

static gint64
get_period (const Maker *self, const PdScaleNode *node)
{
  if (node->beat == NULL)
    return G_MAXINT64;
  const PdScaleShape *shape = pd_scale_words_get_shape (self->model->words, node->beat->shape);
  return pd_scale_node_get_period (node->beat, &self->places[shape->comm]);
}

static gboolean
set_amount (const Maker *self, const PdScaleNode *node, PdScaleTurn turn, PdAction *action,
            GError **error)
{
  if (!node->has_amount)
    return TRUE;
  return pd_scale_samples_get_amount (self->samples, node, &self->states[node->id],
                                      pd_scale_turn_of_beat (turn, get_period (self, node)),
                                      &action->amount)
         || refuse (self, PD_SCALE_TOO_MUCH, error);
}

static gboolean
add_action (Maker *self, PdAction *action, gboolean is_sampled, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (self->mends != NULL && pd_scale_mends_counts (action->kind)
      && !pd_scale_mends_apply (self->mends, self->rank, self->call++, action))
    return TRUE;
  if (is_sampled ? pd_program_builder_add_sampled (self->builder, self->rank, action, &local)
                 : pd_program_builder_add (self->builder, self->rank, action, &local))
    return TRUE;
  g_autofree char *text = g_strdup_printf ("%s: %s", pd_action_name (action), local->message);
  return refuse (self, text, error);
}

static gboolean
is_averaged (const PdScaleShape *shape, const PdScaleNumber *size)
{
  return pd_scale_is_averaged (shape->op)
         && (size->near != PD_SCALE_EXACT || size->how == PD_SCALE_BY_AVERAGE);
}

static gboolean
add_element (Maker *self, const PdScaleNode *node, PdScaleTurn turn, GError **error)
{
  const PdScaleShape *shape = pd_scale_words_get_shape (self->model->words, node->shape);
  PdRulePlace place = self->places[shape->comm];
  PdScaleState *state = &self->states[node->id];
  gint64 numbers[PD_SCALE_AMOUNT] = { 0 };
  gboolean is_sampled = pd_scale_is_sampled (self->model->words, node);
  PdAction action;

  set_turn (&place, turn);
  pd_action_init (&action, shape->kind);
  for (gint c = 0; c < PD_SCALE_AMOUNT; c++)
    {
      const PdScaleNumber *number = &node->numbers[c];
      gboolean is_list = c >= PD_SCALE_SLOTS;
      gint64 peer = numbers[c == PD_SCALE_RECV_BYTES ? PD_SCALE_RECV_PEER : PD_SCALE_PEER];
      if (is_list && number->how == PD_SCALE_BY_LIST && !number->has_list)
        g_array_set_size (self->lists[c], 0);
      else if (is_list && !fill_list (self, node, place, c, &state->numbers[c], error))
        return FALSE;
      if (!is_list && number->near == PD_SCALE_DRAWN)
        numbers[c] =
            pd_scale_near_draw (number, shape, c, &place, peer, state->numbers[c].within++);
      else if (!is_list)
        numbers[c] = pd_scale_near_bound (self->model, c, place.n,
                                          pd_scale_number_get (&self->doubts, number, &place,
                                                               c > PD_SCALE_PEER ? peer : -1,
                                                               &state->numbers[c]));
      if (numbers[c] == PD_SCALE_NO_VALUE)
        return refuse (self, "a rule gives no value", error);
    }
  set_words (self, shape, &action);
  set_numbers (numbers, &action);
  set_lists (self, node, &action);
  if (is_averaged (shape, &node->numbers[PD_SCALE_BYTES]))
    action.bytes = pd_scale_average_of (self->lists[PD_SCALE_SEND_COUNTS]);
  if (!is_sampled && !set_amount (self, node, turn, &action, error))
    return FALSE;
  if (shape->kind == PD_ACT_COMPUTE && !node->has_amount)
    return TRUE;
  return add_action (self, &action, is_sampled, error);
}

static gboolean add_nodes (Maker *self, const GPtrArray *nodes, PdScaleTurn around, GError **error);

/* Begins a loop of equal repetitions. */
static gboolean
begin_loop (Maker *self, const PdScaleRepeat *repeat)
{
  return repeat->n > 1 && (self->mends == NULL || !pd_scale_mends_has (self->mends, self->rank))
         && pd_scale_repeat_is_steady (repeat, &self->world)
         && pd_program_builder_begin_loop (self->builder, self->rank);
}

static gboolean
add_loop (Maker *self, const PdScaleRepeat *repeat, GError **error)
{
  const PdScaleNode *node = repeat->node;
  PdScaleTurn turn = pd_scale_turn_in (node, repeat->turn, 0, repeat->n);
  guint64 weight = self->doubts.weight;
  g_autoptr (GError) local = NULL;

  self->doubts.weight = weight * (guint64) repeat->n;
  if (!(node->children != NULL ? add_nodes (self, node->children, turn, error)
                               : add_element (self, node, turn, error)))
    return FALSE;
  self->doubts.weight = weight;
  pd_scale_repeat_skip (repeat, &self->world, self->states);
  return pd_program_builder_end_loop (self->builder, (guint32) repeat->n, &local)
         || refuse (self, local->message, error);
}

static gboolean
add_nodes (Maker *self, const GPtrArray *nodes, PdScaleTurn around, GError **error)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const PdScaleNode *node = g_ptr_array_index (nodes, i);
      PdRulePlace place = self->world;
      set_turn (&place, around);
      gint64 n = pd_scale_near_bound (self->model, PD_SCALE_REPETITIONS, 0,
                                      pd_scale_number_get (&self->doubts, &node->counts, &place, -1,
                                                           &self->states[node->id].counts));
      if (n < 0 || n > G_MAXINT32)
        return refuse (self, "the rule of a loop gives no number of repetitions", error);
      const PdScaleRepeat repeat = { self->model->words, self->states, node, around, n };
      gboolean is_loop = begin_loop (self, &repeat);
      pd_scale_samples_note (self->samples, get_period (self, node), n, is_loop);
      if (is_loop)
        {
          if (!add_loop (self, &repeat, error))
            return FALSE;
          continue;
        }
      for (gint64 j = 0; j < n; j++)
        {
          if (!may_go_on (self, error))
            return FALSE;
          PdScaleTurn turn = pd_scale_turn_in (node, around, j, n);
          if (!(node->children != NULL ? add_nodes (self, node->children, turn, error)
                                       : add_element (self, node, turn, error)))
            return FALSE;
        }
    }
  return TRUE;
}

/* ---- ranks */

/* The communicator of the rank that is made; 0 with @error set. */
static gboolean
find_comm (Maker *self, const PdScaleComm *comm, guint32 *index, GError **error)
{
  guint all = (1u << self->world.dims) - 1;
  gpointer known;

  if (comm->mask == all && comm->duplicate == 0)
    {
      *index = 0;
      return TRUE;
    }
  pd_scale_list_members (&self->world, comm->mask, self->members);
  char *key = g_strdup_printf ("%u %u %u", comm->mask, comm->duplicate,
                               g_array_index (self->members, guint32, 0));
  if (g_hash_table_lookup_extended (self->comms, key, NULL, &known))
    {
      *index = GPOINTER_TO_UINT (known);
      g_free (key);
      return TRUE;
    }
  *index = pd_program_builder_add_comm (
      self->builder, (const guint32 *) (void *) self->members->data, self->members->len, error);
  g_hash_table_insert (self->comms, key, GUINT_TO_POINTER (*index));
  return *index != 0;
}

static const PdScaleClass *
find_class (const Maker *self, GError **error)
{
  guint32 key = pd_scale_class_of (self->model->classes, &self->world);

  for (guint i = 0; i < self->model->members->len; i++)
    {
      const PdScaleClass *class = g_ptr_array_index (self->model->members, i);
      if (class->key == key)
        return class;
    }
  refuse (self,
          "no recorded rank is at such a place of the grid: record on more ranks, three or more in "
          "each dimension",
          error);
  return NULL;
}

static gboolean
make_rank (Maker *self, const PdScaleGrid *grid, GError **error)
{
  pd_rule_place_set_grid (&self->world, grid->dims, grid->size, self->rank);
  self->world.total = self->n_ranks;
  self->class = find_class (self, error);
  if (self->class == NULL)
    return FALSE;
  self->n_single += self->class->n_sizes < 2 ? 1 : 0;
  g_autoptr (GError) local = NULL;
  guint n = self->class->comms->len;
  g_autofree PdRulePlace *places = g_new0 (PdRulePlace, n);
  g_autofree guint32 *indices = g_new0 (guint32, n);
  g_autofree PdScaleState *states = g_new0 (PdScaleState, self->class->n_nodes);
  self->places = places;
  self->indices = indices;
  self->states = states;
  for (guint i = 0; i < n; i++)
    {
      const PdScaleComm *comm = &g_array_index (self->class->comms, PdScaleComm, i);
      pd_scale_place_in (&self->world, comm->mask, &places[i]);
      if (!find_comm (self, comm, &indices[i], error))
        return FALSE;
    }
  self->call = 0;
  self->doubts.rank = self->rank;
  self->doubts.weight = 1;
  pd_scale_samples_begin (self->samples, self->class);
  return add_nodes (self, self->class->nodes, PD_SCALE_NO_TURN, error)
         && (pd_scale_samples_end (self->samples, self->builder, self->rank, &local)
             || refuse (self, local->message, error));
}

static void
add_sites (Maker *self)
{
  guint32 n = pd_scale_words_get_n (self->model->words, PD_SCALE_SITES);

  self->sites = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    {
      PdProgramSite site = *pd_scale_words_get_site (self->model->words, i);
      if (site.parent != PD_PROGRAM_NONE)
        site.parent = self->sites[site.parent];
      self->sites[i] = pd_program_builder_add_site (self->builder, &site);
    }
}

static void
report (const Maker *self, PdMessages *messages)
{
  if (self->doubts.n > 0)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "scale-ambiguous", NULL, NULL,
                     "%" G_GUINT64_FORMAT " numbers on %u ranks are not certain, the first one %s: "
                     "more recordings, on grids that are no squares, would tell",
                     self->doubts.n, self->n_ranks, self->doubts.first);
  if (self->n_single > 0)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "scale-single", NULL, NULL,
                     "%u of %u ranks are at places of the grid that were recorded on one number of "
                     "ranks only: nothing shows that their rules hold on another one",
                     self->n_single, self->n_ranks);
}

PdProgram *
pd_scale_make (const PdScaleModel *self, guint32 n, const PdScaleGrid *grid,
               const PdScaleMends *mends, PdMessages *messages, const volatile sig_atomic_t *stop,
               GError **error)
{
  PdScaleGrid own;

  if (!pd_scale_target_find_grid (self, n, grid, &own, error))
    return NULL;
  Maker maker = { .model = self,
                  .mends = mends,
                  .stop = stop,
                  .n_ranks = n,
                  .builder = pd_program_builder_new (n, self->unit) };
  gboolean fine = TRUE;

  maker.comms = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  maker.members = g_array_sized_new (FALSE, FALSE, sizeof (guint32), 1); /* its data are not NULL */
  maker.samples = pd_scale_samples_new (self, n);
  for (guint c = 0; c < PD_SCALE_AMOUNT; c++)
    maker.lists[c] = g_array_new (FALSE, FALSE, sizeof (gint64));
  add_sites (&maker);
  for (maker.rank = 0; maker.rank < n && fine; maker.rank++)
    fine = make_rank (&maker, &own, error);
  g_hash_table_unref (maker.comms);
  pd_scale_samples_free (maker.samples);
  g_array_unref (maker.members);
  for (guint c = 0; c < PD_SCALE_AMOUNT; c++)
    g_array_unref (maker.lists[c]);
  g_free (maker.sites);
  if (fine)
    report (&maker, messages);
  if (fine && grid == NULL)
    pd_scale_target_report_grid (self, n, &own, messages);
  g_free (maker.doubts.first);
  if (fine)
    return pd_program_builder_finish (maker.builder);
  pd_program_builder_free (maker.builder);
  return NULL;
}

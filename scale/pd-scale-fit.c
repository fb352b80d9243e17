/* Finding what a program does on any number of ranks, for one kind of grid and one of classes.
 * SPDX-License-Identifier: MIT */
#include "scale/pd-scale-model-private.h"

#include "scale/pd-scale-amounts-private.h"
#include "scale/pd-scale-calls.h"
#include "scale/pd-scale-comms-private.h"
#include "scale/pd-scale-numbers-private.h"
#include "scale/pd-scale-shared-private.h"

typedef struct
{
  PdScaleModel *model;
  GPtrArray *runs;
  GArray **comms; /* of each run, of each communicator: PdScaleCommKind */
  guint *n_explained;
  GArray *members;    /* PdScaleMember: of the class that is fitted */
  PdScaleNear around; /* how well the repetitions of loops around are explained */
  PdScaleClass *class;
} Fit;

/* A place in the structure of all members. */
typedef struct
{
  const GPtrArray **lists; /* of each member: nodes */
  const PdColumn **visits; /* of each member: how often the loop around is repeated */
  const PdColumn **outer;  /* likewise, the loop around that */
} Level;

#define MEMBER(fit, i) (&g_array_index ((fit)->members, PdScaleMember, (i)))
#define NODE(list, i)  ((const PdFoldNode *) g_ptr_array_index ((list), (i)))

/* ---- communicators */

static gboolean
refuse_comm (const PdScaleMember *member, guint ordinal, GError **error)
{
  g_set_error (error, PD_SCALE_ERROR, PD_SCALE_ERROR_REFUSED,
               "rank %" G_GINT64_FORMAT " of %u: its communicator %u is neither the world nor a "
               "row, a column or a plane of a grid",
               member->world.rank, member->run->n_ranks, ordinal);
  return FALSE;
}

static const PdScaleCommKind *
get_comm_kind (const Fit *fit, guint i, guint ordinal)
{
  const PdScaleMember *member = MEMBER (fit, i);
  const GArray *comms = member->run->ranks[member->world.rank].comms;

  if (ordinal >= comms->len)
    return NULL;
  return &g_array_index (fit->comms[member->run_index], PdScaleCommKind,
                         g_array_index (comms, guint32, ordinal));
}

static gboolean
fit_comms (Fit *fit, GError **error)
{
  const PdScaleMember *first = MEMBER (fit, 0);
  guint n = first->run->ranks[first->world.rank].comms->len;

  for (guint ordinal = 0; ordinal < n; ordinal++)
    {
      guint masks = G_MAXUINT;
      PdScaleComm comm = { 0, 0 };
      for (guint i = 0; i < fit->members->len; i++)
        {
          const PdScaleCommKind *kind = get_comm_kind (fit, i, ordinal);
          masks &= kind != NULL && (i == 0 || kind->duplicate == comm.duplicate) ? kind->masks : 0;
          if (masks == 0)
            return refuse_comm (MEMBER (fit, i), ordinal, error);
          comm.duplicate = kind->duplicate;
        }
      while (masks >> (comm.mask + 1) != 0)
        comm.mask++;
      g_array_append_val (fit->class->comms, comm);
    }
  return TRUE;
}

/* ---- the structure */

static gboolean fit_nodes (Fit *fit, const Level *level, GPtrArray *nodes, GError **error);

/* The columns that @get finds in node @index of each member. */
static const PdColumn **
gather (const Fit *fit, const Level *level, guint index, gint column)
{
  const PdColumn **columns = g_new (const PdColumn *, fit->members->len);

  for (guint i = 0; i < fit->members->len; i++)
    {
      const PdFoldNode *node = NODE (level->lists[i], index);
      columns[i] = column < 0 ? &node->counts : &node->columns[column];
    }
  return columns;
}

static gboolean
is_once (const PdColumn *const *counts, guint n)
{
  for (guint i = 0; i < n; i++)
    for (gsize run = 0; run < counts[i]->runs.n; run++)
      if (pd_vector_at (&counts[i]->runs, PdColumnRun, run).value != 1)
        return FALSE;
  return TRUE;
}

/* Of the communicator of an element. */
static guint
get_mask (const Fit *fit, const PdScaleNode *node)
{
  const PdScaleShape *shape = pd_scale_words_get_shape (fit->model->words, node->shape);

  return g_array_index (fit->class->comms, PdScaleComm, shape->comm).mask;
}

/* Whether a number of the element, or of how often it comes, is approximated. */
static void
note_approximation (Fit *fit, const Level *level, guint index, const PdScaleNode *node)
{
  PdScaleNear near = MAX (fit->around, node->counts.near);
  gint column = PD_SCALE_REPETITIONS;

  for (gint c = 0; c < PD_SCALE_AMOUNT; c++)
    if (node->numbers[c].near > near)
      {
        near = node->numbers[c].near;
        column = c;
      }
  for (guint i = 0; i < fit->members->len && near != PD_SCALE_EXACT; i++)
    pd_scale_share_add (&fit->model->share, fit->model->words, NODE (level->lists[i], index),
                        column, near);
}

/* The numbers of an element, whose repetitions are those of the loop around where it is once in it.
 */
static gboolean
fit_element (Fit *fit, const Level *level, guint index, PdScaleNode *node, GError **error)
{
  g_autofree const PdColumn **counts = gather (fit, level, index, -1);
  g_autofree const PdColumn **blocks = gather (fit, level, index, PD_SCALE_SEND_COUNTS);

  node->numbers = g_new0 (PdScaleNumber, PD_SCALE_AMOUNT);
  for (gint c = 0; c < PD_SCALE_AMOUNT; c++)
    {
      g_autofree const PdColumn **columns = gather (fit, level, index, c);
      const PdScaleSource source = { .words = fit->model->words,
                                     .members = fit->members,
                                     .columns = columns,
                                     .visits = node->once ? level->visits : counts,
                                     .outer = node->once ? level->outer : level->visits,
                                     .blocks = blocks,
                                     .mask = get_mask (fit, node),
                                     .known = fit->model->known,
                                     .pools = fit->model->pools,
                                     .phase = fit->model->phase,
                                     .shape = node->shape,
                                     .numbers = node->numbers };
      if (!pd_scale_number_fit (&source, c, &node->numbers[c], error))
        return FALSE;
      ++*fit->n_explained;
    }
  note_approximation (fit, level, index, node);
  return TRUE;
}

static gboolean
fit_loop (Fit *fit, const Level *level, guint index, PdScaleNode *node, GError **error)
{
  guint n = fit->members->len;
  g_autofree const PdColumn **counts = gather (fit, level, index, -1);
  g_autofree const GPtrArray **lists = g_new (const GPtrArray *, n);
  const Level inner = { lists, node->once ? level->visits : counts,
                        node->once ? level->outer : level->visits };

  for (guint i = 0; i < n; i++)
    lists[i] = NODE (level->lists[i], index)->children;
  node->children = pd_scale_nodes_new ();
  return fit_nodes (fit, &inner, node->children, error);
}

static gboolean
fit_node (Fit *fit, const Level *level, guint index, PdScaleNode *node, GError **error)
{
  g_autofree const PdColumn **counts = gather (fit, level, index, -1);
  guint all = (1u << pd_scale_grid_get_dims (fit->model->grid)) - 1;
  const PdScaleSource source = { .words = fit->model->words,
                                 .members = fit->members,
                                 .columns = counts,
                                 .visits = level->visits,
                                 .outer = level->outer,
                                 .mask = all,
                                 .known = fit->model->known,
                                 .pools = fit->model->pools,
                                 .phase = fit->model->phase,
                                 .shape = node->shape };
  PdScaleNear around = fit->around;

  if (!pd_scale_number_fit (&source, PD_SCALE_REPETITIONS, &node->counts, error))
    return FALSE;
  ++*fit->n_explained;
  node->id = fit->class->n_nodes++;
  node->once = is_once (counts, fit->members->len);
  fit->around = MAX (around, node->counts.near);
  gboolean fine = node->shape == PD_FOLD_LOOP ? fit_loop (fit, level, index, node, error)
                                              : fit_element (fit, level, index, node, error);
  fit->around = around;
  return fine;
}

/* The shape of the element at @index, or the first one in the loop there. */
static guint32
get_next (const Level *level, guint index)
{
  const GPtrArray *list = level->lists[0];

  for (; index < list->len; list = NODE (list, index)->children, index = 0)
    if (NODE (list, index)->children == NULL)
      return NODE (list, index)->shape;
  return PD_FOLD_LOOP;
}

/* The amounts of an element whose numbers, and those of its neighbours in the loop, are known. */
static void
fit_amounts (Fit *fit, const Level *level, guint index, PdScaleNode *node)
{
  g_autofree const PdColumn **columns = gather (fit, level, index, PD_SCALE_AMOUNT);
  g_autofree const PdColumn **counts = gather (fit, level, index, -1);
  g_autofree gint64 *periods = g_new (gint64, fit->members->len);
  const PdScaleAmounts amounts = { fit->members, columns, node->once ? level->visits : counts,
                                   node->once ? level->outer : level->visits, periods };

  for (guint i = 0; i < fit->members->len; i++)
    {
      PdRulePlace place;
      periods[i] = G_MAXINT64;
      if (node->beat == NULL)
        continue;
      pd_scale_place_in (&MEMBER (fit, i)->world, get_mask (fit, node->beat), &place);
      periods[i] = pd_scale_node_get_period (node->beat, &place);
    }
  if (fit->model->phase == PD_SCALE_COLLECT)
    return;
  guint place = pd_scale_shared_find (fit->model->shared, node->shape, get_next (level, index + 1));
  pd_scale_shared_get_least (fit->model->shared, place, node);
  pd_scale_amounts_fit (fit->model, &amounts, node);
  if (node->has_amount)
    pd_scale_shared_add (fit->model->shared, place, node);
  node->group = fit->class->n_groups;
  fit->class->n_groups += node->times != NULL ? node->times->len : 0;
}

static gboolean
fit_nodes (Fit *fit, const Level *level, GPtrArray *nodes, GError **error)
{
  for (guint index = 0; index < level->lists[0]->len; index++)
    {
      PdScaleNode *node = g_new0 (PdScaleNode, 1);
      node->shape = NODE (level->lists[0], index)->shape;
      g_ptr_array_add (nodes, node);
      if (!fit_node (fit, level, index, node, error))
        return FALSE;
    }
  pd_scale_nodes_set_beat (nodes);
  for (guint index = 0; index < nodes->len; index++)
    if (((PdScaleNode *) g_ptr_array_index (nodes, index))->numbers != NULL)
      fit_amounts (fit, level, index, g_ptr_array_index (nodes, index));
  return TRUE;
}

/* ---- classes */

static gboolean
refuse_structure (const Fit *fit, const PdScaleMember *a, const PdScaleMember *b, GError **error)
{
  g_autofree char *calls =
      pd_scale_describe_difference (fit->model->words, a->run->ranks[a->world.rank].fold.nodes,
                                    b->run->ranks[b->world.rank].fold.nodes);

  g_set_error (error, PD_SCALE_ERROR, PD_SCALE_ERROR_REFUSED,
               "rank %" G_GINT64_FORMAT " of %u and rank %" G_GINT64_FORMAT
               " of %u differ in nothing that tells ranks apart, but their calls differ: %s",
               a->world.rank, a->run->n_ranks, b->world.rank, b->run->n_ranks, calls);
  return FALSE;
}

static const GPtrArray *
get_calls (const PdScaleMember *member)
{
  return member->run->ranks[member->world.rank].fold.nodes;
}

/* Members are in the order of their runs, which is that of their numbers of ranks. */
static guint
count_sizes (const GArray *members)
{
  guint n = 0;

  for (guint i = 0; i < members->len; i++)
    if (i == 0
        || g_array_index (members, PdScaleMember, i).run->n_ranks
               != g_array_index (members, PdScaleMember, i - 1).run->n_ranks)
      n++;
  return n;
}

/* On how many numbers of ranks, on which, and by how many members @calls are made. */
static guint64
rate_calls (const Fit *fit, const GPtrArray *calls)
{
  guint n = 0, n_sizes = 0;
  guint32 n_ranks = 0;

  for (guint i = 0; i < fit->members->len; i++)
    {
      const PdScaleMember *member = MEMBER (fit, i);
      if (!pd_fold_equal (calls, get_calls (member)))
        continue;
      n++;
      n_sizes += member->run->n_ranks != n_ranks ? 1 : 0;
      n_ranks = member->run->n_ranks;
    }
  return (guint64) n_sizes << 56 | (guint64) n_ranks << 24 | MIN (n, 0xffffff);
}

/* The calls that are explained best: on most numbers of ranks, then on the greatest one, then of
 * most ranks. */
static const GPtrArray *
choose_calls (const Fit *fit)
{
  const GPtrArray *best = NULL;
  guint64 most = 0;

  for (guint i = 0; i < fit->members->len; i++)
    {
      const GPtrArray *calls = get_calls (MEMBER (fit, i));
      guint64 rating = best == NULL || !pd_fold_equal (best, calls) ? rate_calls (fit, calls) : 0;
      best = rating > most ? calls : best;
      most = MAX (rating, most);
    }
  return best;
}

/* Instead of their own calls, ranks that differ from the others of their class get those of these.
 */
static void
leave_out_others (Fit *fit)
{
  const GPtrArray *calls = choose_calls (fit);
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (PdScaleMember));

  for (guint i = 0; i < fit->members->len; i++)
    if (pd_fold_equal (calls, get_calls (MEMBER (fit, i))))
      g_array_append_val (kept, *MEMBER (fit, i));
    else
      pd_scale_share_add_lost (&fit->model->share, fit->model->words, get_calls (MEMBER (fit, i)));
  for (guint i = 0; i < fit->members->len; i++)
    pd_scale_share_add_all (&fit->model->share, fit->model->words, get_calls (MEMBER (fit, i)),
                            count_sizes (kept) < 2);
  g_array_set_size (fit->members, 0);
  g_array_append_vals (fit->members, kept->data, kept->len);
  g_array_unref (kept);
  fit->class->n_sizes = count_sizes (fit->members);
}

static gboolean
fit_class (Fit *fit, GError **error)
{
  if (fit->model->pools != NULL)
    leave_out_others (fit);
  guint n = fit->members->len;
  g_autofree const GPtrArray **lists = g_new (const GPtrArray *, n);
  g_autofree const PdColumn **visits = g_new (const PdColumn *, n);
  PdColumn once = { .n = 0 };
  const Level level = { lists, visits, visits };

  for (guint i = 0; i < n; i++)
    {
      const PdScaleMember *member = MEMBER (fit, i);
      lists[i] = get_calls (member);
      visits[i] = &once;
      if (!pd_fold_equal (lists[0], lists[i]))
        return refuse_structure (fit, MEMBER (fit, 0), member, error);
    }
  if (!fit_comms (fit, error))
    return FALSE;
  pd_scale_shared_begin_class (fit->model->shared);
  pd_column_append (&once, 1, 1);
  gboolean fine = fit_nodes (fit, &level, fit->class->nodes, error);
  pd_column_clear (&once);
  return fine;
}

/* The class of @key, with its members as far as they are known. */
static GArray *
get_members (GHashTable *classes, GArray *keys, guint32 key)
{
  GArray *members = g_hash_table_lookup (classes, GUINT_TO_POINTER (key));

  if (members != NULL)
    return members;
  members = g_array_new (FALSE, FALSE, sizeof (PdScaleMember));
  g_hash_table_insert (classes, GUINT_TO_POINTER (key), members);
  g_array_append_val (keys, key);
  return members;
}

static void
sort_out (const Fit *fit, GHashTable *classes, GArray *keys)
{
  for (guint r = 0; r < fit->runs->len; r++)
    {
      const PdScaleRun *run = g_ptr_array_index (fit->runs, r);
      PdScaleGrid grid;
      pd_scale_grid_make (fit->model->grid, run->n_ranks, &grid);
      for (guint32 rank = 0; rank < run->n_ranks; rank++)
        {
          PdScaleMember member = { .run = run, .run_index = r };
          pd_rule_place_set_grid (&member.world, grid.dims, grid.size, rank);
          member.world.total = run->n_ranks;
          guint32 key = pd_scale_class_of (fit->model->classes, &member.world);
          g_array_append_val (get_members (classes, keys, key), member);
        }
    }
}

/* Classes that occur on one number of ranks each explain anything, and say nothing of other
 * numbers. */
static gboolean
check_shared (const Fit *fit, GHashTable *classes, GError **error)
{
  for (guint s = 0; s < fit->model->sizes->len; s++)
    {
      guint32 n = g_array_index (fit->model->sizes, guint32, s);
      gboolean is_shared = FALSE;
      GHashTableIter iter;
      gpointer members;
      g_hash_table_iter_init (&iter, classes);
      while (!is_shared && g_hash_table_iter_next (&iter, NULL, &members))
        {
          gboolean has = FALSE;
          for (guint i = 0; i < ((GArray *) members)->len && !has; i++)
            has = g_array_index ((GArray *) members, PdScaleMember, i).run->n_ranks == n;
          is_shared = has && count_sizes (members) > 1;
        }
      if (!is_shared)
        {
          g_set_error (
              error, PD_SCALE_ERROR, PD_SCALE_ERROR_REFUSED,
              "no rank of the recording on %u ranks is at such a place of a grid as one of "
              "another recording",
              n);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
fit_classes (Fit *fit, GHashTable *classes, const GArray *keys, GError **error)
{
  for (guint i = 0; i < keys->len; i++)
    {
      guint32 key = g_array_index (keys, guint32, i);
      fit->members = g_hash_table_lookup (classes, GUINT_TO_POINTER (key));
      fit->class = g_new0 (PdScaleClass, 1);
      fit->class->key = key;
      fit->class->n_ranks = fit->members->len;
      fit->class->n_sizes = count_sizes (fit->members);
      fit->class->comms = g_array_new (FALSE, FALSE, sizeof (PdScaleComm));
      fit->class->nodes = pd_scale_nodes_new ();
      g_ptr_array_add (fit->model->members, fit->class);
      if (!fit_class (fit, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
pd_scale_fit (PdScaleModel *self, GPtrArray *runs, guint *n_explained, GError **error)
{
  g_autoptr (GHashTable) classes =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (guint32));
  Fit fit = { .model = self, .runs = runs, .n_explained = n_explained };

  fit.comms = g_new (GArray *, runs->len);
  for (guint r = 0; r < runs->len; r++)
    fit.comms[r] = pd_scale_comms_find (g_ptr_array_index (runs, r), self->grid);
  sort_out (&fit, classes, keys);
  gboolean fine = check_shared (&fit, classes, error) && fit_classes (&fit, classes, keys, error);
  for (guint r = 0; r < runs->len; r++)
    g_array_unref (fit.comms[r]);
  g_free (fit.comms);
  return fine;
}

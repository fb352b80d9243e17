/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-grid.h"

#include <math.h>
#include <string.h>

/* Fewer recordings, or of fewer ranks, do not tell classes of lines, or sizes that are fixed, from
 * those of planes. */
#define MIN_SIZES 3
#define MIN_RANKS 4

static const struct
{
  guint dims;
  gboolean grows; /* the greatest size is the last one */
  const char *name;
  gint64 first; /* the first size, if it is the same on all numbers of ranks, else 0; likewise: */
  gint64 last;
} kinds[PD_SCALE_N_GRIDS] = {
  { 1, FALSE, "a line", 0, 0 },
  { 2, FALSE, "a plane, its greater size first", 0, 0 },
  { 2, TRUE, "a plane, its greater size last", 0, 0 },
  { 3, FALSE, "a cuboid, its greatest size first", 0, 0 },
  { 3, TRUE, "a cuboid, its greatest size last", 0, 0 },
  { 2, FALSE, "a plane of 2 columns", 0, 2 },
  { 2, FALSE, "a plane of 2 rows", 2, 0 },
  { 2, FALSE, "a plane of 3 columns", 0, 3 },
  { 2, FALSE, "a plane of 4 columns", 0, 4 },
  { 2, FALSE, "a plane of 4 rows", 4, 0 },
  { 2, FALSE, "a plane of 6 columns", 0, 6 },
  { 2, FALSE, "a plane of 8 columns", 0, 8 },
  { 2, FALSE, "a plane of 12 columns", 0, 12 },
  { 2, FALSE, "a plane of 16 columns", 0, 16 },
  { 3, FALSE, "a cuboid of 2 layers", 2, 0 },
  { 3, FALSE, "a cuboid of layers that are 2 ranks wide", 0, 2 },
  { 3, FALSE, "a cuboid of 4 layers", 4, 0 },
  { 3, FALSE, "a cuboid of layers that are 4 ranks wide", 0, 4 },
};

/* The first kinds, of which no size is fixed. */
#define N_BALANCED 5

/* ---- grids */

/* The greatest divisor of @n up to @most. */
static gint64
find_divisor (gint64 n, gint64 most)
{
  gint64 d = MAX (most, 1);

  while (n % d != 0)
    d--;
  return d;
}

static gint64
root (gint64 n, guint degree)
{
  return (gint64) (pow ((gdouble) n, 1.0 / degree) + 1e-9);
}

/* @sizes as close to each other as can be, falling. */
static void
balance (gint64 n, guint dims, gint64 *sizes)
{
  gint64 best = G_MAXINT64;

  if (dims == 1)
    {
      sizes[0] = n;
      return;
    }
  for (gint64 last = find_divisor (n, root (n, dims)); last > 0;
       last = last > 1 ? find_divisor (n, last - 1) : 0)
    {
      gint64 rest[PD_RULE_DIMS] = { 0 };
      balance (n / last, dims - 1, rest);
      if (rest[dims - 2] < last || rest[0] - last >= best)
        continue;
      best = rest[0] - last;
      for (guint d = 0; d < dims - 1; d++)
        sizes[d] = rest[d];
      sizes[dims - 1] = last;
    }
}

static gint64
get_fixed (guint kind)
{
  return kinds[kind].first + kinds[kind].last;
}

gboolean
pd_scale_grid_make (guint kind, guint32 n, PdScaleGrid *grid)
{
  gint64 sizes[PD_RULE_DIMS] = { 0 }, fixed = get_fixed (kind);
  guint free = kinds[kind].dims - (fixed > 0 ? 1 : 0), at = kinds[kind].first > 0 ? 1 : 0;

  if (fixed > 0 && n % fixed != 0)
    return FALSE;
  *grid = (PdScaleGrid){ .dims = kinds[kind].dims };
  grid->size[0] = kinds[kind].first;
  grid->size[grid->dims - 1] += kinds[kind].last;
  balance (n / MAX (fixed, 1), free, sizes);
  for (guint d = 0; d < free; d++)
    grid->size[at + d] = sizes[kinds[kind].grows ? free - 1 - d : d];
  return TRUE;
}

gboolean
pd_scale_grid_is_of (guint kind, const PdScaleGrid *grid)
{
  return grid->dims == kinds[kind].dims
         && (kinds[kind].first == 0 || grid->size[0] == kinds[kind].first)
         && (kinds[kind].last == 0 || grid->size[grid->dims - 1] == kinds[kind].last);
}

/* Whether both kinds have the same grid of @n ranks. */
static gboolean
are_equal (guint kind, guint other, guint32 n)
{
  PdScaleGrid one, two;

  return kinds[kind].dims == kinds[other].dims && pd_scale_grid_make (kind, n, &one)
         && pd_scale_grid_make (other, n, &two)
         && memcmp (one.size, two.size, sizeof one.size) == 0;
}

static gboolean
are_equal_in_all (guint kind, guint other, const GArray *sizes)
{
  for (guint i = 0; i < sizes->len; i++)
    if (!are_equal (kind, other, g_array_index (sizes, guint32, i)))
      return FALSE;
  return TRUE;
}

/* Too few recordings fit sizes that are fixed. */
static gboolean
may_be_fixed (guint kind, const GArray *sizes)
{
  gint64 fixed = get_fixed (kind);

  for (guint i = 0; i < sizes->len; i++)
    if (g_array_index (sizes, guint32, i) % fixed != 0)
      return FALSE;
  return sizes->len >= MIN_SIZES && g_array_index (sizes, guint32, 0) >= MAX (2 * fixed, MIN_RANKS);
}

gboolean
pd_scale_grid_may_be (guint kind, const GArray *sizes)
{
  for (guint other = 0; other < kind; other++)
    if (are_equal_in_all (kind, other, sizes))
      return FALSE;
  return kind < N_BALANCED || may_be_fixed (kind, sizes);
}

guint
pd_scale_grid_find_other (guint kind, const GArray *sizes, guint32 n)
{
  for (guint other = 0; other < PD_SCALE_N_GRIDS; other++)
    if ((other < N_BALANCED || may_be_fixed (other, sizes)) && are_equal_in_all (kind, other, sizes)
        && !are_equal (kind, other, n))
      return other;
  return kind;
}

guint
pd_scale_grid_get_dims (guint kind)
{
  return kinds[kind].dims;
}

const char *
pd_scale_grid_name (guint kind)
{
  return kinds[kind].name;
}

/* ---- classes */

static guint32
border_of (const PdRulePlace *place, guint d)
{
  return (place->at[d] == 0 ? 1u : 0u) + (place->at[d] == place->size[d] - 1 ? 2u : 0u);
}

static guint32
class_of_all (const PdRulePlace *place)
{
  (void) place;
  return 0;
}

static guint32
class_of_first (const PdRulePlace *place)
{
  return place->rank == 0;
}

static guint32
class_of_ends (const PdRulePlace *place)
{
  return (place->rank == 0 ? 1u : 0u) + (place->rank == place->n - 1 ? 2u : 0u);
}

static guint32
class_of_parity (const PdRulePlace *place)
{
  return class_of_ends (place) * 2 + (place->rank & 1);
}

static guint32
class_of_borders (const PdRulePlace *place)
{
  guint32 sum = 0;

  for (guint d = 0; d < place->dims; d++)
    sum = sum * 4 + border_of (place, d);
  return sum;
}

static guint32
class_of_checkers (const PdRulePlace *place)
{
  guint32 sum = 0;

  for (guint d = 0; d < place->dims; d++)
    sum = sum * 8 + border_of (place, d) * 2 + (place->at[d] & 1);
  return sum;
}

static guint32
class_of_half (const PdRulePlace *place)
{
  return class_of_ends (place) * 2 + (2 * place->rank < place->n ? 1u : 0u);
}

static guint32
class_of_two_ends (const PdRulePlace *place)
{
  return (guint32) (MIN (place->rank, 2) * 3 + MIN (place->n - 1 - place->rank, 2));
}

/* Ranks of a group that is not full are at places of no other rank. */
static guint32
class_of_group (const PdRulePlace *place, gint64 size)
{
  gint64 group = place->rank / size, n_groups = place->n / size;

  if (group >= n_groups)
    return G_MAXUINT32;
  return (guint32) (place->rank % size * 4 + (group == 0 ? 1 : 0)
                    + (group == n_groups - 1 ? 2 : 0));
}

/* Classes of groups have no function. */
static const struct
{
  guint32 (*get) (const PdRulePlace *place);
  const char *name;
  gint64 group; /* ranks */
} classes[PD_SCALE_N_CLASSES] = {
  { class_of_all, "nothing: all ranks do alike", 0 },
  { class_of_first, "whether they are the first", 0 },
  { class_of_ends, "whether they are the first or the last", 0 },
  { class_of_parity, "whether they are even, the first or the last", 0 },
  { class_of_borders, "the borders of the grid that they are at", 0 },
  { class_of_checkers, "the borders of the grid that they are at, and even coordinates", 0 },
  { class_of_half, "whether they are in the first half, the first or the last", 0 },
  { class_of_two_ends, "whether they are of the first two or of the last two", 0 },
  { NULL, "their places in groups of 3, and whether the group is the first or the last", 3 },
  { NULL, "their places in groups of 4, and whether the group is the first or the last", 4 },
  { NULL, "their places in groups of 6, and whether the group is the first or the last", 6 },
  { NULL, "their places in groups of 8, and whether the group is the first or the last", 8 },
  { NULL, "their places in groups of 12, and whether the group is the first or the last", 12 },
  { NULL, "their places in groups of 16, and whether the group is the first or the last", 16 },
};

guint32
pd_scale_class_of (guint kind, const PdRulePlace *place)
{
  return classes[kind].get != NULL ? classes[kind].get (place)
                                   : class_of_group (place, classes[kind].group);
}

/* The ranks of the rows (@first 1), or of those of the dimensions from @first on. */
static gint64
count_part (guint kind, guint first, guint32 n)
{
  PdScaleGrid grid = { .dims = 0 };
  gint64 ranks = 1;

  pd_scale_grid_make (kind, n, &grid);
  for (guint d = first; d < grid.dims; d++)
    ranks *= grid.size[d];
  return ranks;
}

/* Whether groups of @size ranks may be rows or planes of a grid of @kind, or several of the
 * greatest parts, because these have as many ranks in all recordings. */
static gboolean
are_parts (guint kind, gint64 size, const GArray *sizes)
{
  for (guint first = 1; first < kinds[kind].dims; first++)
    {
      gint64 ranks = count_part (kind, first, g_array_index (sizes, guint32, 0));
      gboolean equal = ranks == size || (first == 1 && ranks > 1 && size % ranks == 0);
      for (guint i = 1; i < sizes->len && equal; i++)
        equal = count_part (kind, first, g_array_index (sizes, guint32, i)) == ranks;
      if (equal)
        return TRUE;
    }
  return FALSE;
}

gboolean
pd_scale_class_may_be (guint kind, guint grid, const GArray *sizes)
{
  gint64 group = classes[kind].group;
  guint32 n = g_array_index (sizes, guint32, 0);

  if (kind < PD_SCALE_N_CLASSES_OF_GRIDS)
    return TRUE;
  if (kinds[grid].dims > 1 || sizes->len < MIN_SIZES || n < MIN_RANKS)
    return FALSE;
  for (guint i = 0; i < sizes->len && group > 0; i++)
    if (g_array_index (sizes, guint32, i) % group != 0)
      return FALSE;
  for (guint other = 0; other < N_BALANCED && group > 0; other++)
    if (are_parts (other, group, sizes))
      return FALSE;
  return n >= 2 * group;
}

const char *
pd_scale_class_name (guint kind)
{
  return classes[kind].name;
}

/* ---- communicators */

/* Of a communicator of @mask that has @world: the rank of its first member, and how far apart
 * the members are in each of its dimensions. */
static guint32
first_of (const PdRulePlace *world, guint mask)
{
  gint64 rank = 0;

  for (guint d = 0; d < world->dims; d++)
    rank = rank * world->size[d] + (mask >> d & 1 ? 0 : world->at[d]);
  return (guint32) rank;
}

void
pd_scale_place_in (const PdRulePlace *world, guint mask, PdRulePlace *place)
{
  gint64 size[PD_RULE_DIMS] = { 1 }, rank = 0;
  guint dims = 0;

  for (guint d = 0; d < world->dims; d++)
    if (mask >> d & 1)
      {
        size[dims++] = world->size[d];
        rank = rank * world->size[d] + world->at[d];
      }
  *place = *world;
  pd_rule_place_set_grid (place, MAX (dims, 1), size, rank);
}

void
pd_scale_list_members (const PdRulePlace *world, guint mask, GArray *members)
{
  PdRulePlace part;
  gint64 first = first_of (world, mask);

  pd_scale_place_in (world, mask, &part);
  g_array_set_size (members, 0);
  for (gint64 i = 0; i < part.n; i++)
    {
      gint64 rest = i, step = 1, rank = first;
      for (guint d = world->dims; d-- > 0; step *= world->size[d])
        if (mask >> d & 1)
          {
            rank += rest % world->size[d] * step;
            rest /= world->size[d];
          }
      guint32 member = (guint32) rank;
      g_array_append_val (members, member);
    }
}

guint
pd_scale_find_masks (const PdScaleGrid *grid, const guint32 *members, guint32 n)
{
  g_autoptr (GArray) expected = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint all = (1u << grid->dims) - 1, found = 0;
  PdRulePlace place = { 0 };

  if (members == NULL)
    return 1u << all;
  pd_rule_place_set_grid (&place, grid->dims, grid->size, members[0]);
  for (guint mask = 0; mask <= all; mask++)
    {
      gboolean equal = TRUE;
      pd_scale_list_members (&place, mask, expected);
      for (guint32 i = 0; i < n && equal && expected->len == n; i++)
        equal = g_array_index (expected, guint32, i) == members[i];
      found |= expected->len == n && equal ? 1u << mask : 0;
    }
  return found;
}

/* Multi-partitioned grids: on q x q ranks a cube of cells is dealt out such that each rank has one
 * cell in each plane, along a diagonal. Sweeps go through a rank's cells one after the other;
 * exchanges are of faces of all of them. (Naik: "A scalable implementation of the NAS parallel
 * benchmark BT on distributed memory systems", IBM Systems Journal 34-2, 1995.)
 * SPDX-License-Identifier: MIT */
#include "scale/rule/pd-rule-private.h"

#include <string.h>

#define MOST_POINTS 1100 /* along an edge of the cube that are tried */

/* A cell t, from 0 to q - 1, of a rank is at (second coordinate + t, first one - t, t), around q,
 * or with other signs. */
static const gint signs[][2] = { { 1, -1 }, { 1, 1 }, { -1, 1 }, { -1, -1 } };

/* Which of the cells: that at a place along a dimension, or several ones. */
static const struct
{
  const char *name;
  gint64 step; /* of k; 0 = all cells */
  gint64 from; /* place; < 0: from the last one on */
  gboolean not_first;
  gboolean not_last;
} choices[] = {
  { "the cell at k", 1, 0, FALSE, FALSE },
  { "the cell at k + 1", 1, 1, FALSE, FALSE },
  { "the cell at q - 1 - k", -1, -1, FALSE, FALSE },
  { "the cell at q - 2 - k", -1, -2, FALSE, FALSE },
  { "all cells but the first", 0, 0, TRUE, FALSE },
  { "all cells but the last", 0, 0, FALSE, TRUE },
  { "all cells", 0, 0, FALSE, FALSE },
};

/* Which points of a face. */
typedef enum
{
  WHOLE,
  INNER,  /* without those at the borders of the cube */
  PADDED, /* as if all cells were larger than the smallest one by one: no cell is meant then */
  N_EXTENTS,
} Extent;

static const char *const extents[N_EXTENTS] = { "faces", "inner faces", "padded face" };

#define DIMS 3

static const char *const names[DIMS] = { "x", "y", "z" };

G_STATIC_ASSERT (G_N_ELEMENTS (signs) * G_N_ELEMENTS (choices) * DIMS * N_EXTENTS
                 == PD_RULE_N_CELLS);

/* c[0], taken apart */
typedef struct
{
  Extent extent;
  guint choice;
  guint dim; /* that the faces are across */
  guint sign;
} Form;

static Form
get_form (const gint64 *c)
{
  Form form;
  gint64 rest = c[0];

  form.extent = (Extent) (rest % N_EXTENTS);
  rest /= N_EXTENTS;
  form.choice = (guint) (rest % (gint64) G_N_ELEMENTS (choices));
  rest /= (gint64) G_N_ELEMENTS (choices);
  form.dim = (guint) (rest % DIMS);
  form.sign = (guint) (rest / DIMS);
  return form;
}

static gint64
around (gint64 value, gint64 q)
{
  return (value % q + q) % q;
}

/* Where cell @t is, in each dimension. */
static void
locate (const PdRulePlace *at, guint sign, gint64 t, gint64 *cell)
{
  gint64 q = at->size[0];

  cell[0] = around (at->at[1] + signs[sign][0] * t, q);
  cell[1] = around (at->at[0] + signs[sign][1] * t, q);
  cell[2] = t;
}

/* Which cell is at @place in dimension @dim. */
static gint64
find_cell (const PdRulePlace *at, guint sign, guint dim, gint64 place)
{
  gint64 own[] = { at->at[1], at->at[0], 0 };

  return around (dim == 2 ? place : signs[sign][dim] * (place - own[dim]), at->size[0]);
}

/* How many of @n points a cell has in a dimension, where it is at @place of @q. */
static gint64
get_extent (Extent extent, gint64 n, gint64 q, gint64 place)
{
  if (extent == PADDED)
    return n / q + 1;
  gint64 whole = (n + q - 1 - place) / q;
  return extent == WHOLE ? whole : whole - (place == 0 ? 1 : 0) - (place == q - 1 ? 1 : 0);
}

static gint64
get_area (const PdRulePlace *at, const Form *form, gint64 n, const gint64 *cell)
{
  gint64 area = 1;

  for (guint d = 0; d < DIMS; d++)
    if (d != form->dim)
      area *= get_extent (form->extent, n, at->size[0], cell[d]);
  return area;
}

/* The cell of a sweep across @dim that is at the place of the repetition; @choice: of a sweep. */
static void
locate_in_sweep (const PdRulePlace *at, guint sign, guint dim, guint choice, gint64 *cell)
{
  gint64 q = at->size[0], from = choices[choice].from;
  gint64 place = around ((from < 0 ? q + from : from) + choices[choice].step * (at->k % q), q);

  locate (at, sign, find_cell (at, sign, dim, place), cell);
}

/* The points of the faces; @n: along an edge of the cube */
static gint64
get_points (const PdRulePlace *at, const Form *form, gint64 n)
{
  gint64 q = at->size[0], cell[DIMS] = { 0 }, sum = 0;

  if (form->extent == PADDED)
    return get_area (at, form, n, cell);
  if (choices[form->choice].step != 0)
    {
      locate_in_sweep (at, form->sign, form->dim, form->choice, cell);
      return get_area (at, form, n, cell);
    }
  for (gint64 t = 0; t < q; t++)
    {
      locate (at, form->sign, t, cell);
      if (!(choices[form->choice].not_first && cell[form->dim] == 0)
          && !(choices[form->choice].not_last && cell[form->dim] == q - 1))
        sum += get_area (at, form, n, cell);
    }
  return sum;
}

/* Whether ranks are on a square, and the form is the only one of its meaning. */
static gboolean
is_square (const PdRulePlace *at)
{
  return at->dims == 2 && at->size[0] == at->size[1];
}

static gboolean
is_form (const Form *form)
{
  return form->extent != PADDED || (form->choice == 0 && form->dim == 0 && form->sign == 0);
}

gint64
pd_rule_get_cells (const PdRulePlace *at, const gint64 *c)
{
  Form form = get_form (c);
  gint64 value;

  if (!is_square (at) || c[2] < 1 || c[2] > MOST_POINTS || at->k < 0)
    return PD_RULE_NO_VALUE;
  return __builtin_mul_overflow (c[1], get_points (at, &form, c[2]), &value) ? PD_RULE_NO_VALUE
                                                                             : value;
}

/* A sample of another size than the first one, if there is one and rules may hold at all. */
static gsize
find_other_size (const PdRuleSample *samples, gsize n)
{
  gsize other = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (!is_square (&samples[i].place) || samples[i].value <= 0)
        return 0;
      if (other == 0 && samples[i].place.n != samples[0].place.n)
        other = i;
    }
  return other;
}

/* The unit with which two samples are right; 0 = none. */
static gint64
find_unit (const PdRuleSample *one, const PdRuleSample *other, const Form *form, gint64 points)
{
  gint64 first = get_points (&one->place, form, points);

  if (first <= 0 || one->value % first != 0)
    return 0;
  gint64 unit = one->value / first;
  return other->value % unit == 0 && get_points (&other->place, form, points) == other->value / unit
             ? unit
             : 0;
}

/* Where all sizes divide the edge, cubes with more or fewer points explain as much. The most points
 * count whose unit is of elements of 8 or 4 bytes, which are usual; with the same unit, the number
 * that the greater power of two divides. */
static gboolean
is_rounder (const gint64 *c, const gint64 *found)
{
  return c[1] == found[1]
         && __builtin_ctzll ((guint64) c[2]) > __builtin_ctzll ((guint64) found[2]);
}

static gboolean
find_points (const PdRuleSample *samples, gsize n, gsize other, gint64 *c)
{
  static const gint64 elements[] = { 8, 4, 1 };
  const Form form = get_form (c);
  gsize best = G_N_ELEMENTS (elements);
  gint64 found[PD_RULE_DIMS] = { c[0] };

  for (c[2] = MOST_POINTS; c[2] > 0 && is_form (&form); c[2]--)
    {
      c[1] = find_unit (&samples[0], &samples[other], &form, c[2]);
      gsize kind = 0;
      while (c[1] > 0 && c[1] % elements[kind] != 0)
        kind++;
      if (c[1] == 0 || kind > best || (kind == best && !is_rounder (c, found))
          || !pd_rule_row_fits (pd_rule_get_cells, samples, n, c))
        continue;
      best = kind;
      memcpy (found, c, sizeof found);
    }
  memcpy (c, found, sizeof found);
  return best < G_N_ELEMENTS (elements);
}

gboolean
pd_rule_solve_cells (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gsize other = find_other_size (samples, n);

  for (; other > 0 && c[0] < PD_RULE_N_CELLS; c[0]++)
    if (find_points (samples, n, other, c))
      return TRUE;
  return FALSE;
}

void
pd_rule_add_other_cells (const PdRule *rule, const PdRuleSample *samples, gsize n, GArray *others)
{
  gsize other = find_other_size (samples, n);
  const Form form = get_form (rule->c);
  PdRule next = *rule;

  for (next.c[2] = 1; other > 0 && next.c[2] <= MOST_POINTS; next.c[2]++)
    {
      next.c[1] = find_unit (&samples[0], &samples[other], &form, next.c[2]);
      if (next.c[1] > 0 && next.c[2] != rule->c[2]
          && pd_rule_row_fits (pd_rule_get_cells, samples, n, next.c))
        g_array_append_val (others, next);
    }
}

gboolean
pd_rule_cells_are_steady (const gint64 *c)
{
  Form form = get_form (c);

  return form.extent == PADDED || choices[form.choice].step == 0;
}

char *
pd_rule_describe_cells (const gint64 *c)
{
  Form form = get_form (c);

  if (form.extent == PADDED)
    return g_strdup_printf ("%" G_GINT64_FORMAT " x (%" G_GINT64_FORMAT " div size 1 + 1)^2", c[1],
                            c[2]);
  return g_strdup_printf (
      "%" G_GINT64_FORMAT " x %s across %s of %s, of a cube of %" G_GINT64_FORMAT
      "^3 in cells along (%sz, %sz, z)",
      c[1], extents[form.extent], names[form.dim], choices[form.choice].name, c[2],
      signs[form.sign][0] < 0 ? "-" : "", signs[form.sign][1] < 0 ? "-" : "");
}

/* ---- places */

#define N_SWEEPS 4 /* choices of one cell, the first ones */

G_STATIC_ASSERT (G_N_ELEMENTS (signs) * N_SWEEPS * DIMS == PD_RULE_N_PLACES);

/* c[0] is the sweep, c[1] the first number */
gint64
pd_rule_get_place (const PdRulePlace *at, const gint64 *c)
{
  guint choice = (guint) (c[0] % N_SWEEPS), dim = (guint) (c[0] / N_SWEEPS % DIMS);
  gint64 cell[DIMS], number = 0, value;

  if (!is_square (at) || at->k < 0)
    return PD_RULE_NO_VALUE;
  locate_in_sweep (at, (guint) (c[0] / N_SWEEPS / DIMS), dim, choice, cell);
  for (guint d = DIMS; d-- > 0;)
    if (d != dim)
      number = number * at->size[0] + cell[d];
  return __builtin_add_overflow (c[1], number, &value) ? PD_RULE_NO_VALUE : value;
}

gboolean
pd_rule_solve_place (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gsize other = find_other_size (samples, n);

  for (; other > 0 && c[0] < PD_RULE_N_PLACES; c[0]++)
    {
      c[1] = 0;
      if (!__builtin_sub_overflow (samples[0].value, pd_rule_get_place (&samples[0].place, c),
                                   &c[1])
          && pd_rule_row_fits (pd_rule_get_place, samples, n, c))
        return TRUE;
    }
  return FALSE;
}

char *
pd_rule_describe_place (const gint64 *c)
{
  static const char *const numbers[] = { "y + q z", "x + q z", "x + q y" };
  gint64 sign = c[0] / N_SWEEPS / DIMS;

  return g_strdup_printf ("%" G_GINT64_FORMAT " + %s of %s across %s, in cells along (%sz, %sz, z)",
                          c[1], numbers[c[0] / N_SWEEPS % DIMS], choices[c[0] % N_SWEEPS].name,
                          names[c[0] / N_SWEEPS % DIMS], signs[sign][0] < 0 ? "-" : "",
                          signs[sign][1] < 0 ? "-" : "");
}

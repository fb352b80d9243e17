/* Alignment: composition of the rules, and local parts of arrays.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"

/* Mathematical quotients, for any signs; d is neither 0 nor G_MININT64. */
gint64
pd_ceil_div (gint64 x, gint64 d)
{
  gint64 quotient = x / d;

  return x % d != 0 && (x < 0) == (d < 0) ? quotient + 1 : quotient;
}

gint64
pd_floor_div (gint64 x, gint64 d)
{
  gint64 quotient = x / d;

  return x % d != 0 && (x < 0) != (d < 0) ? quotient - 1 : quotient;
}

/* ---- alignment: rules */

/* Whether a * i + b lies in 0..n-1 for i = 0 and i = last. */
static gboolean
is_inside (gint64 a, gint64 b, gint64 last, gint64 n)
{
  gint64 end;

  return b >= 0 && b < n && !__builtin_mul_overflow (a, last, &end)
         && !__builtin_add_overflow (end, b, &end) && end >= 0 && end < n;
}

/* The rule towards axis @k of the pattern, itself a template rule in form. */
static gboolean
read_rule (const PdLayout *self, const PdLayout *pattern, const PdAlignment *alignment, guint k,
           PdRule *rule)
{
  gint64 axis = alignment->axes[k];
  gboolean placed = TRUE; /* is there anything to place? */

  *rule = (PdRule){ .a = alignment->coeffs[k], .b = alignment->consts[k] };
  for (guint i = 0; i < self->rank; i++)
    placed = placed && self->sizes[i] > 0;
  if (axis == -1)
    {
      rule->kind = PD_RULE_REPL;
      return TRUE;
    }
  if (rule->a == 0)
    {
      rule->kind = PD_RULE_CONST;
      return !placed || is_inside (0, rule->b, 0, pattern->sizes[k]);
    }
  rule->kind = PD_RULE_LINEAR;
  rule->axis = (guint) axis - 1;
  return rule->a != G_MININT64
         && (!placed
             || is_inside (rule->a, rule->b, self->sizes[rule->axis] - 1, pattern->sizes[k]));
}

static gboolean
read_rules (const PdLayout *self, const PdLayout *pattern, const PdAlignment *alignment,
            PdRule *rules, GError **error)
{
  gboolean used[PD_MAX_RANK] = { FALSE };

  if (alignment->n != pattern->rank)
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_RANK,
                   "%u rules of alignment on a pattern of rank %u", alignment->n, pattern->rank);
      return FALSE;
    }
  for (guint k = 0; k < alignment->n; k++)
    {
      if (alignment->axes[k] != -1 && alignment->coeffs[k] != 0
          && !pd_layout_take_axis (alignment->axes[k], self->rank, used, error))
        return FALSE;
      if (read_rule (self, pattern, alignment, k, &rules[k]))
        continue;
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "alignment %" G_GINT64_FORMAT " * i + %" G_GINT64_FORMAT
                   " leaves axis %u of its pattern, of size %" G_GINT64_FORMAT,
                   alignment->coeffs[k], alignment->consts[k], k + 1, pattern->sizes[k]);
      return FALSE;
    }
  return TRUE;
}

/* x's rule towards an axis of y, and that axis' rule @y towards the template. */
static gboolean
compose (const PdRule *x, const PdRule *y, gint64 n_y, PdRule *out)
{
  *out = *x;
  if (x->kind != PD_RULE_REPL)
    return !__builtin_mul_overflow (y->a, x->a, &out->a)
           && !__builtin_mul_overflow (y->a, x->b, &out->b)
           && !__builtin_add_overflow (out->b, y->b, &out->b) && out->a != G_MININT64;
  /* Imitated: with 1 * i + 0 everywhere, even if y is shorter than the template. */
  if (y->a != 1 || y->b != 0)
    *out = (PdRule){ .kind = PD_RULE_BREPL, .a = y->a, .b = y->b, .n = n_y };
  return TRUE;
}

static gboolean
compose_rules (PdLayout *self, const PdLayout *pattern, const PdAlignment *alignment,
               GError **error)
{
  PdRule towards[PD_MAX_RANK];

  if (!read_rules (self, pattern, alignment, towards, error))
    return FALSE;
  self->n_rules = pattern->n_rules;
  for (guint m = 0; m < self->n_rules; m++)
    {
      const PdRule *y = &pattern->rules[m];

      if (y->kind != PD_RULE_LINEAR)
        self->rules[m] = *y;
      else if (!compose (&towards[y->axis], y, pattern->sizes[y->axis], &self->rules[m]))
        {
          g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                       "alignment %" G_GINT64_FORMAT " * i + %" G_GINT64_FORMAT
                       " on %" G_GINT64_FORMAT " * j + %" G_GINT64_FORMAT " is out of range",
                       towards[y->axis].a, towards[y->axis].b, y->a, y->b);
          return FALSE;
        }
    }
  return TRUE;
}

/* ---- alignment: local parts */

/* The i of 0..n-1 with a * i + b in @block; kept monotone where empty. */
static PdIndexRange
meet_block (PdIndexRange block, gint64 a, gint64 b, gint64 n)
{
  gint64 lo = pd_ceil_div ((a > 0 ? block.lo : block.hi) - b, a);
  gint64 hi = pd_floor_div ((a > 0 ? block.hi : block.lo) - b, a);

  return (PdIndexRange){ CLAMP (lo, 0, n), CLAMP (hi, -1, n - 1) };
}

static void
place_linear (PdConstraint *self, const PdConstraint *base, const PdRule *rule, gint64 n,
              guint32 n_coords)
{
  self->kind = PD_HOLDS_RANGE;
  self->axis = rule->axis;
  if (rule->a == 1 && rule->b == 0 && n == base->bounds[n_coords - 1].hi + 1)
    {
      self->bounds = g_rc_box_acquire (base->bounds); /* the usual case: as the template */
      return;
    }
  self->bounds = g_rc_box_alloc0 (n_coords * sizeof *self->bounds);
  for (guint32 c = 0; c < n_coords; c++)
    self->bounds[c] =
        n == 0 ? (PdIndexRange){ 0, -1 } : meet_block (base->bounds[c], rule->a, rule->b, n);
}

static void
place_const (PdConstraint *self, const PdConstraint *base, gint64 b, guint32 n_coords)
{
  self->kind = PD_HOLDS_FIXED;
  self->fixed = G_MAXUINT32;
  for (guint32 c = 0; c < n_coords; c++)
    if (base->bounds[c].lo <= b && b <= base->bounds[c].hi)
      self->fixed = c;
}

static void
place_brepl (PdConstraint *self, const PdConstraint *base, const PdRule *rule, guint32 n_coords)
{
  self->kind = PD_HOLDS_SET;
  self->member = g_rc_box_alloc0 (n_coords);
  for (guint32 c = 0; c < n_coords; c++)
    {
      PdIndexRange range = base->bounds[c];

      if (rule->kind == PD_RULE_BREPL)
        range = meet_block (range, rule->a, rule->b, rule->n);
      self->member[c] = range.lo <= range.hi;
      self->n_set += self->member[c];
    }
}

/* A coordinate without a part of the template holds nothing, replicated or not. */
static void
place_repl (PdConstraint *self, const PdConstraint *base, const PdRule *rule, guint32 n_coords)
{
  self->kind = PD_HOLDS_ALL;
  for (guint32 c = 0; c < n_coords; c++)
    if (base->bounds[c].lo > base->bounds[c].hi)
      {
        place_brepl (self, base, rule, n_coords);
        return;
      }
}

/* Places @self, with its rules, on a layout of its template. */
static void
place (PdLayout *self, PdLayout *base)
{
  self->base = pd_layout_ref (base);
  for (guint d = 0; d < self->grid->rank; d++)
    {
      const PdConstraint *from = &base->dims[d];
      const PdRule *rule = &self->rules[from->axis];
      guint32 n_coords = self->grid->sizes[d];

      if (from->kind == PD_HOLDS_FIXED)
        self->dims[d] = *from;
      else if (from->kind == PD_HOLDS_ALL)
        self->dims[d].kind = PD_HOLDS_ALL;
      else if (rule->kind == PD_RULE_REPL)
        place_repl (&self->dims[d], from, rule, n_coords);
      else if (rule->kind == PD_RULE_LINEAR)
        place_linear (&self->dims[d], from, rule, self->sizes[rule->axis], n_coords);
      else if (rule->kind == PD_RULE_CONST)
        place_const (&self->dims[d], from, rule->b, n_coords);
      else
        place_brepl (&self->dims[d], from, rule, n_coords);
    }
}

static PdLayout *
get_base (PdLayout *self)
{
  return self->base != NULL ? self->base : self;
}

PdLayout *
pd_layout_new_placed (PdLayout *pattern, guint rank, const gint64 *sizes,
                      const PdAlignment *alignment, GError **error)
{
  g_autoptr (PdLayout) self = NULL;

  if (!pd_layout_check_rank (rank, error) || !pd_layout_check_sizes (rank, sizes, 0, error))
    return NULL;
  self = pd_layout_new_empty (pattern->grid, rank, sizes);
  if (!compose_rules (self, pattern, alignment, error))
    return NULL;
  place (self, get_base (pattern));
  return g_steal_pointer (&self);
}

PdLayout *
pd_layout_new_aligned (PdLayout *pattern, guint rank, const gint64 *sizes,
                       const PdAlignment *alignment, GError **error)
{
  g_return_val_if_fail (pattern != NULL && alignment != NULL, NULL);
  if (!pd_layout_check_rank (rank, error) || !pd_layout_check_sizes (rank, sizes, 1, error))
    return NULL;
  return pd_layout_new_placed (pattern, rank, sizes, alignment, error);
}

PdLayout *
pd_layout_new_redistributed (const PdLayout *self, PdLayout *template_layout)
{
  g_return_val_if_fail (self != NULL && template_layout != NULL, NULL);
  g_return_val_if_fail (template_layout->base == NULL, NULL);
  g_return_val_if_fail (template_layout->rank == self->n_rules, NULL);

  PdLayout *moved = pd_layout_new_empty (template_layout->grid, self->rank, self->sizes);
  moved->n_rules = self->n_rules;
  for (guint m = 0; m < self->n_rules; m++)
    moved->rules[m] = self->rules[m];
  place (moved, template_layout);
  return moved;
}

PdLayout *
pd_layout_new_on (const PdLayout *self, PdGrid *grid, GError **error)
{
  const PdLayout *base = self->base != NULL ? self->base : self;
  gint64 axes[PD_MAX_GRID_RANK] = { 0 }, params[PD_MAX_GRID_RANK] = { 0 };
  PdDvmDistribution distribution = { MIN (base->grid->rank, grid->rank), axes, params };

  for (guint d = 0; d < distribution.n; d++)
    {
      const PdConstraint *dim = &base->dims[d];
      if (dim->kind == PD_HOLDS_RANGE)
        axes[d] = (gint64) dim->axis + 1;
      if (dim->kind != PD_HOLDS_FIXED)
        continue;
      axes[d] = -1;
      params[d] = dim->fixed;
    }
  g_autoptr (PdLayout) template =
      pd_layout_new_distributed (grid, base->rank, base->sizes, &distribution, NULL, error);
  if (template == NULL || self->base == NULL)
    return g_steal_pointer (&template);
  return pd_layout_new_redistributed (self, template);
}

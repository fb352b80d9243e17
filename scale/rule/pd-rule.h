/* Rules for whole numbers: partners, sizes, tags, loop counts as functions of where in a program,
 * and on how many ranks, they occur. A rule counts only if it gives every recorded number.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RULE_H
#define PD_RULE_H

#include <glib.h>

#define PD_RULE_DIMS 3

/* Where a number occurs. */
typedef struct
{
  gint64 n;                  /* ranks of the communicator */
  gint64 rank;               /* the caller's, in the communicator */
  guint dims;                /* of the communicator's grid, 1 to %PD_RULE_DIMS */
  gint64 size[PD_RULE_DIMS]; /* their product is n; the last one varies fastest, as in MPI */
  gint64 at[PD_RULE_DIMS];   /* the caller's coordinates */
  gint64 total;              /* ranks of the program */
  gint64 k;                  /* the repetition of the innermost loop, or the place in a list */
  gint64 m;                  /* how many there are */
  gint64 l;                  /* the repetition of the loop around the innermost one */
} PdRulePlace;

typedef struct
{
  PdRulePlace place;
  gint64 value;
} PdRuleSample;

typedef enum
{
  PD_RULE_PEERS,   /* ranks of a communicator, or negative: any rank, no rank */
  PD_RULE_NUMBERS, /* bytes, tags, counts, requests */
  PD_RULE_TIMES,   /* numbers of repetitions */
} PdRulePurpose;

typedef struct
{
  guint8 purpose;
  guint8 kind; /* row of the table of that purpose */
  gint64 c[PD_RULE_DIMS];
} PdRule;

/**
 * pd_rule_find:
 * @purpose: the kind of the numbers
 * @samples: (array length=n): the recorded numbers, n > 0
 * @rule: (out caller-allocated): the first rule of the table that gives every number
 *
 * Returns: whether there is one.
 */
gboolean pd_rule_find (PdRulePurpose purpose, const PdRuleSample *samples, gsize n, PdRule *rule);

/**
 * pd_rule_find_others:
 * @rule: what pd_rule_find() gave for these arguments
 * @others: (element-type PdRule): gets other rules that give every number, too: of numbers those of
 *   the same form with another quantity, of partners all. Where they give another number than
 *   @rule, the recordings do not say which is right.
 */
void pd_rule_find_others (const PdRule *rule, const PdRuleSample *samples, gsize n, GArray *others);

/**
 * pd_rule_common_divisor:
 * @a: >= 0
 * @b: >= 0
 *
 * Returns: the greatest common divisor; 0 if both are 0.
 */
gint64 pd_rule_common_divisor (gint64 a, gint64 b);

/**
 * pd_rule_set_constant:
 * @self: (out caller-allocated): @value everywhere
 */
void pd_rule_set_constant (PdRule *self, PdRulePurpose purpose, gint64 value);

/**
 * pd_rule_equal:
 * Returns: whether both are of one purpose and kind, with the same constants.
 */
gboolean pd_rule_equal (const PdRule *a, const PdRule *b);

/**
 * pd_rule_compare:
 * @a: (type PdRule): of numbers
 * @b: (type PdRule): likewise
 *
 * Returns: below 0 if @a is to be preferred where both explain as much, above 0 if @b is: blocks
 *   first, of elements of 8 and of 4 bytes, then of single bytes, then of larger units. An order
 *   that does not depend on samples: both ends of a message then choose alike.
 */
gint pd_rule_compare (gconstpointer a, gconstpointer b);

/**
 * pd_rule_get_dimension:
 * Returns: the dimension of the grid by whose size the number goes, and by nothing else, from 0;
 *   -1: there is none.
 */
gint pd_rule_get_dimension (const PdRule *self);

/**
 * pd_rule_is_exhausted:
 * @place: where
 *
 * Returns: whether @self is a block of fewer things than there are members, each larger than an
 *   element of 8 bytes: some members would get nothing, although elements suffice.
 */
gboolean pd_rule_is_exhausted (const PdRule *self, const PdRulePlace *place);

/**
 * pd_rule_fits:
 * Returns: whether @self gives every number of @samples, and depends on k only if that is not the
 *   same in all of them.
 */
gboolean pd_rule_fits (const PdRule *self, const PdRuleSample *samples, gsize n);

/**
 * pd_rule_is_steady:
 * Returns: whether @self gives the same number for all k. %FALSE also where that is not known.
 */
gboolean pd_rule_is_steady (const PdRule *self);

/**
 * pd_rule_uses_level:
 * Returns: whether the number depends on l.
 */
gboolean pd_rule_uses_level (const PdRule *self);

/**
 * pd_rule_get:
 * @place: where
 *
 * Returns: the number there.
 */
gint64 pd_rule_get (const PdRule *self, const PdRulePlace *place);

/**
 * pd_rule_is_valid:
 * Returns: whether @self, which may be of a file, is one of the rules that there are.
 */
gboolean pd_rule_is_valid (const PdRule *self);

/**
 * pd_rule_describe:
 * Returns: (transfer full): the rule in words of algebra: "rank + 1", "1024 / n".
 */
char *pd_rule_describe (const PdRule *self);

/**
 * pd_rule_place_set_grid:
 * @self: gets @n, @dims and @size, and the coordinates of @rank
 * @rank: less than the product of @size
 */
void pd_rule_place_set_grid (PdRulePlace *self, guint dims, const gint64 *size, gint64 rank);

#endif

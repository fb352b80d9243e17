/* Rules as rows of tables: pd-rule-peers.c has those of partners, pd-rule-numbers.c those of
 * numbers. SPDX-License-Identifier: MIT */
#ifndef PD_RULE_PRIVATE_H
#define PD_RULE_PRIVATE_H

#include "scale/pd-rule.h"

#define PD_RULE_NO_VALUE G_MININT64 /* a rule that has no sense there */

typedef struct
{
  const char *words; /* %lld: the constants, in their order; "": pd_rule_describe_number() */
  gint64 (*get) (const PdRulePlace *at, const gint64 *c);
  /* (nullable): finds the constants; NULL: there are none. Where the first one is a row of a table
   * of quantities, it tries them from the given one on */
  gboolean (*solve) (const PdRuleSample *samples, gsize n, gint64 *c);
} PdRuleRow;

/* The rows of a purpose, the first ones first. */
typedef struct
{
  const PdRuleRow *rows;
  guint n;
} PdRuleTable;

extern const PdRuleTable pd_rule_peers;
extern const PdRuleTable pd_rule_numbers;
extern const PdRuleTable pd_rule_times;

/* 2 to the power of @exponent; what is out of range is as far out of all ranks. */
static inline gint64
pd_rule_power (gint64 exponent)
{
  return (gint64) 1 << CLAMP (exponent, 0, 61);
}

/* The exponent of the greatest power of two up to @n > 0. */
static inline gint64
pd_rule_log2 (gint64 n)
{
  return 63 - __builtin_clzll ((guint64) n);
}

/**
 * pd_rule_get_constant: @c[0].
 */
gint64 pd_rule_get_constant (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_constant: @c[0] is the first number.
 */
gboolean pd_rule_solve_constant (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_row_fits:
 * Returns: whether @get with the constants @c gives every number.
 */
gboolean pd_rule_row_fits (gint64 (*get) (const PdRulePlace *at, const gint64 *c),
                           const PdRuleSample *samples, gsize n, const gint64 *c);

/**
 * pd_rule_row_has_quantity:
 * Returns: whether the first constant of @row is one of several quantities.
 */
gboolean pd_rule_row_has_quantity (const PdRuleRow *row);

/**
 * pd_rule_row_is_steady:
 * @row: of numbers, or of times
 *
 * Returns: whether it is known not to depend on k.
 */
gboolean pd_rule_row_is_steady (const PdRuleRow *row, const gint64 *c);

/**
 * pd_rule_peers_row_is_steady:
 * Returns: likewise, of partners.
 */
gboolean pd_rule_peers_row_is_steady (const PdRuleRow *row);

/**
 * pd_rule_row_is_block:
 * Returns: whether numbers of @row are blocks, pd_rule_is_block().
 */
gboolean pd_rule_row_is_block (const PdRuleRow *row);

/**
 * pd_rule_add_other_blocks:
 * @rule: of numbers
 * @row: its row
 * @others: (element-type PdRule): gets other blocks that explain as much, if @rule is of blocks or
 *   of parts
 */
void pd_rule_add_other_blocks (const PdRule *rule, const PdRuleRow *row,
                               const PdRuleSample *samples, gsize n, GArray *others);

/**
 * pd_rule_describe_number:
 * Returns: (transfer full): a rule whose row has no words.
 */
char *pd_rule_describe_number (const PdRuleRow *row, const gint64 *c);

#endif

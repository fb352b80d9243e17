/* Rules that explain numbers somewhere in a program. Where several explain the numbers of a place,
 * the one that explains most places is right: other classes of ranks, and other repetitions, tell
 * what one of them leaves open.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_KNOWN_H
#define PD_SCALE_KNOWN_H

#include "scale/rule/pd-rule.h"

/* A program is executed once for each. */
typedef enum
{
  PD_SCALE_COLLECT, /* rules that explain places */
  PD_SCALE_COUNT,   /* places that each of these explains */
  PD_SCALE_CHOOSE,  /* for each place the rule that explains most */
  PD_SCALE_N_PHASES,
} PdScalePhase;

/* The numbers that a rule is about: those of one column of calls of one shape; where calls that
 * follow each other have partners by different rules, those with one of these partners. */
typedef struct
{
  guint32 shape;
  gint column;
  gboolean has_partner;
  PdRule partner;
} PdScaleTopic;

/* A rule, and how many places of its topic it explains. */
typedef struct
{
  PdScaleTopic topic;
  PdRule rule;
  guint n;
} PdScaleKnown;

/**
 * pd_scale_known_add:
 * @known: (element-type PdScaleKnown): gets @rule, which explains a place of @topic
 */
void pd_scale_known_add (GArray *known, PdScaleTopic topic, const PdRule *rule);

/**
 * pd_scale_known_count:
 * @known: (element-type PdScaleKnown): those of @topic count this place if they explain it
 * @samples: (array length=n): its numbers
 */
void pd_scale_known_count (GArray *known, PdScaleTopic topic, const PdRuleSample *samples, gsize n);

/**
 * pd_scale_known_choose:
 * @known: (element-type PdScaleKnown): of all places
 * @samples: (array length=n): the numbers of a place
 * @rule: (inout): a rule that explains them; gets the one that explains most places of @topic, and
 *   of these the one that explains most places of any topic
 * @others: (element-type PdRule): others that explain them; gets those that explain as many places
 */
void pd_scale_known_choose (const GArray *known, PdScaleTopic topic, const PdRuleSample *samples,
                            gsize n, PdRule *rule, GArray *others);

#endif

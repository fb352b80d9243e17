/* Which of several machines and shapes of them suits a program, and why.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CHOICE_H
#define PD_CHOICE_H

#include "reports/advice/pd-advice.h"

/* One machine, used in one way. */
typedef struct
{
  char *machine;    /* as it was given */
  char *shape;      /* "4x2": nodes x ranks of each; "": as the machine places them */
  PdReport *report; /* its runs; owned */
  PdAdvice *advice; /* the best of them; owned */
} PdChoiceOption;

typedef struct
{
  PdAdviceCriteria criteria;
  GPtrArray *options;   /* PdChoiceOption*, in the order they were asked for */
  GPtrArray *left_out;  /* char*: what could not be predicted, each with its reason */
  gboolean interrupted; /* there would have been more */
  char *command_line;   /* (nullable); owned */
} PdChoice;

/**
 * pd_choice_new:
 * @criteria: copied
 *
 * Returns: (transfer full): a choice between nothing yet.
 */
PdChoice *pd_choice_new (const PdAdviceCriteria *criteria);

/**
 * pd_choice_free:
 * @self: (nullable): the choice
 */
void pd_choice_free (PdChoice *self);

/**
 * pd_choice_add:
 * @machine: copied
 * @shape: copied
 * @report: (transfer full): has at least one run
 * @advice: (transfer full): of it
 *
 * Adds an option.
 */
void pd_choice_add (PdChoice *self, const char *machine, const char *shape, PdReport *report,
                    PdAdvice *advice);

/**
 * pd_choice_rank:
 * @criterion: by what
 *
 * Returns: (transfer container) (element-type PdChoiceOption): the options of which a run
 *   fulfils the criterion, the best first; of equal ones that which was asked for first.
 */
GPtrArray *pd_choice_rank (const PdChoice *self, PdAdviceCriterion criterion);

/**
 * pd_choice_explain:
 * @criterion: one for which there is an option
 *
 * Returns: (transfer full): what the others lose against the best. Sentences.
 */
char *pd_choice_explain (const PdChoice *self, PdAdviceCriterion criterion);

/**
 * pd_choice_write_text:
 * @verbose: 1: all messages
 * @width: columns of the terminal
 * @out: tables, choices and reasons are appended
 */
void pd_choice_write_text (const PdChoice *self, int verbose, guint width, GString *out);

/**
 * pd_choice_write_json:
 * @out: one JSON document is appended
 */
void pd_choice_write_json (const PdChoice *self, GString *out);

/**
 * pd_choice_write_csv:
 * @out: one line per option and run, with a heading, is appended
 */
void pd_choice_write_csv (const PdChoice *self, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdChoice, pd_choice_free)

#endif

/* The shapes of actions, strings and lists of a program's recordings on several numbers of ranks,
 * numbered the same in all of them.
 *
 * The shape of an action leaves out its numbers: it has the kind, the function, the call site, the
 * interval, and the communicator, counted in the order in which the rank first uses communicators.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_WORDS_H
#define PD_SCALE_WORDS_H

#include "traces/program/pd-program.h"

/* The numbers of an action. */
typedef enum
{
  PD_SCALE_PEER,
  PD_SCALE_RECV_PEER,
  PD_SCALE_MATCHED_PEER,
  PD_SCALE_TAG,
  PD_SCALE_RECV_TAG,
  PD_SCALE_MATCHED_TAG,
  PD_SCALE_BYTES,
  PD_SCALE_RECV_BYTES,
  PD_SCALE_SENT_BYTES,
  PD_SCALE_REQUEST,
  PD_SCALE_SLOTS, /* a list; likewise: */
  PD_SCALE_DONE,
  PD_SCALE_SEND_COUNTS,
  PD_SCALE_RECV_COUNTS,
  PD_SCALE_SOURCES,
  PD_SCALE_TARGETS,
  PD_SCALE_AMOUNT, /* ps, or the bits of a double: operations */
  PD_SCALE_N_COLUMNS,
} PdScaleColumn;

#define PD_SCALE_NO_LIST (-1)

/* Strings are indices of pd_scale_words_get_string(), %PD_PROGRAM_NONE: none. */
typedef struct
{
  PdActionKind kind;
  PdCollKind op;
  guint32 comm; /* of the rank's communicators; 0 = the world */
  guint32 name;
  guint32 called;
  guint32 interval; /* index of pd_scale_words_get_interval() */
  guint32 site;     /* likewise */
  guint32 has_done;
  gint64 line;
} PdScaleShape;

typedef enum
{
  PD_SCALE_SHAPES,
  PD_SCALE_STRINGS,
  PD_SCALE_INTERVALS,
  PD_SCALE_SITES,
  PD_SCALE_LISTS,
  PD_SCALE_N_WORDS,
} PdScaleWordKind;

typedef struct _PdScaleWords PdScaleWords;

/**
 * pd_scale_words_new:
 * Returns: (transfer full): no words yet.
 */
PdScaleWords *pd_scale_words_new (void);

/**
 * pd_scale_words_free:
 * @self: (nullable): frees them
 */
void pd_scale_words_free (PdScaleWords *self);

/**
 * pd_scale_words_add_shape:
 * @shape: copied; of zeroed memory, since padding is compared
 *
 * Returns: its number; equal ones are kept once.
 */
guint32 pd_scale_words_add_shape (PdScaleWords *self, const PdScaleShape *shape);

/**
 * pd_scale_words_get_shape:
 * Returns: (transfer none): the shape of that number, valid until the next one is added.
 */
const PdScaleShape *pd_scale_words_get_shape (const PdScaleWords *self, guint32 shape);

/**
 * pd_scale_words_add_string:
 * Returns: the number of @text; equal ones are kept once.
 */
guint32 pd_scale_words_add_string (PdScaleWords *self, const char *text);

/**
 * pd_scale_words_get_string:
 * Returns: (transfer none): the string of that number.
 */
const char *pd_scale_words_get_string (const PdScaleWords *self, guint32 string);

/**
 * pd_scale_words_add_interval:
 * @interval: copied
 *
 * Returns: its number; equal ones are kept once.
 */
guint32 pd_scale_words_add_interval (PdScaleWords *self, const PdProgramInterval *interval);

/**
 * pd_scale_words_get_interval:
 * Returns: (transfer none): the interval of that number.
 */
const PdProgramInterval *pd_scale_words_get_interval (const PdScaleWords *self, guint32 interval);

/**
 * pd_scale_words_add_site:
 * @site: copied; its parent is a number that this function returned, or %PD_PROGRAM_NONE
 *
 * Returns: its number; equal ones are kept once.
 */
guint32 pd_scale_words_add_site (PdScaleWords *self, const PdProgramSite *site);

/**
 * pd_scale_words_get_n:
 * Returns: how many words of @kind there are: their numbers are less.
 */
guint32 pd_scale_words_get_n (const PdScaleWords *self, PdScaleWordKind kind);

/**
 * pd_scale_words_get_site:
 * Returns: (transfer none): the site of that number.
 */
const PdProgramSite *pd_scale_words_get_site (const PdScaleWords *self, guint32 site);

/**
 * pd_scale_words_add_list:
 * @values: (array length=n): copied
 *
 * Returns: the number of that list; equal ones are kept once.
 */
gint64 pd_scale_words_add_list (PdScaleWords *self, const gint64 *values, gsize n);

/**
 * pd_scale_words_get_list:
 * @n: (out): its length
 *
 * Returns: (transfer none): the list of that number.
 */
const gint64 *pd_scale_words_get_list (const PdScaleWords *self, gint64 list, gsize *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdScaleWords, pd_scale_words_free)

#endif

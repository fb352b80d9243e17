/* From bytes to header lines and parameters. Knows
 * nothing of files, pairing or the meaning of anything. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LEXER_H
#define PD_DVM_LEXER_H

#include "traces/dvm/pd-dvm-functions.h"

/* Bytes of the window, from @begin to before @end; not terminated. */
typedef struct
{
  const char *begin;
  const char *end;
} PdDvmText;

/**
 * pd_dvm_text_length:
 * Returns: the number of bytes of @text.
 */
static inline gsize
pd_dvm_text_length (PdDvmText text)
{
  return (gsize) (text.end - text.begin);
}

/* ---- header lines */

typedef enum
{
  PD_DVM_LINE_CALL,
  PD_DVM_LINE_RET,
  PD_DVM_LINE_SINGLE, /* Event_…, DVM_Trace_…, a number */
} PdDvmLineKind;

typedef struct
{
  PdDvmLineKind kind;
  PdDvmText name;    /* without call_ or ret_ */
  gint64 time_ps;    /* 0 if bad */
  gboolean time_bad; /* negative, no number, or beyond 106 days */
  gint64 line;       /* 0 = unknown */
  PdDvmText file;    /* empty = unknown */
} PdDvmLine;

/* ---- parameters */

/* One "Key[index]=value". */
typedef struct
{
  guint16 key;     /* PdDvmKey */
  guint8 kind;     /* PdDvmKind */
  guint8 is_array; /* has an index */
  gint32 row;      /* first of two indexes; else 0 */
  gint32 index;    /* the last index */
  PdDvmText value;
} PdDvmItem;

/* The parameters of one call. A scalar of the call_ and of the ret_ record is
 * found in one step. */
typedef struct
{
  GArray *items;                    /* PdDvmItem */
  guint32 scalar[2][PD_DVM_N_KEYS]; /* place in @items + 1 of the first; 0 = none;
                                     * [0] call_, [1] ret_ */
  guint32 array[PD_DVM_N_KEYS];     /* the same of the first indexed one */
  int pattern;                      /* suffix of PatternRef: 1 (DisArray), 0 (AMView), -1 none */
  gboolean has_text;                /* ended in an open string */
  const char *text_begin;           /* where that begins */
} PdDvmItems;

/* The text to lex, and the state of the lexer. */
typedef struct
{
  PdDvmText text;         /* the lines after the header line */
  PdDvmFunction function; /* whose parameters they are */
  gboolean is_ret;
  gboolean is_cut; /* the file ends in the middle of the last line: a value
                    * that touches the end is not trusted */
} PdDvmBody;

/**
 * pd_dvm_items_init:
 * @self: (out caller-allocated): becomes empty; free with pd_dvm_items_clear()
 */
void pd_dvm_items_init (PdDvmItems *self);

/**
 * pd_dvm_items_clear:
 * @self: its memory is released
 */
void pd_dvm_items_clear (PdDvmItems *self);

/**
 * pd_dvm_items_reset:
 * Forgets all items and keeps the memory.
 */
void pd_dvm_items_reset (PdDvmItems *self);

/**
 * pd_dvm_items_lex:
 * @body: what to lex; must outlive the items, whose values point into its text
 *
 * Adds the items of @body.
 */
void pd_dvm_items_lex (PdDvmItems *self, const PdDvmBody *body);

#endif

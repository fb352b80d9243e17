/* The layout of statistics, and the numbers in them.
 *
 * A processor's block: five 2-byte numbers, 1 in the byte order of the machine and the sizes of
 * short, long, a pointer and double; shorts: rank of the processor system, deepest level, whether
 * times are missing, length of the version; longs: processors, kind of messages, I/O processor,
 * intervals, size of the block, of the intervals, of the times of operations; a pointer: where the
 * block was; a double: a measured time of the processor; longs: the processor system; the
 * version; longs: size of the header for accelerators, which begins here, size of their part of
 * an interval, threads; the intervals; and at the end of the block times of operations.
 *
 * An interval: shorts: level, type; longs: line, last line, index, processors, number, sends,
 * receives; pointers: the interval around it, the next one, the first inside, times; doubles:
 * entries, six times of messages, 28 x 28 x 3 times; the part of accelerators, 16 bytes of each
 * thread; the file name, ended by 0.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PPPA_PRIVATE_H
#define PD_PPPA_PRIVATE_H

#include "traces/pppa/pd-pppa.h"

#define PD_PPPA_CONST     10 /* bytes: byte order and sizes */
#define PD_PPPA_HEAD_ENDS 18 /* of the shorts */
#define PD_PPPA_DOUBLES   (7 + 3 * PD_PPPA_N_GROUPS * PD_PPPA_N_GROUPS)

/* The form of numbers of a block, from its first bytes. */
typedef struct
{
  gboolean big; /* the most significant byte comes first */
  guint size_l; /* bytes of a long, 4 or 8 */
  guint size_v; /* of a pointer, likewise */
} PdPppaForm;

/* Of one processor. */
typedef struct
{
  GBytes *bytes; /* owned; the block and the bytes behind it */
  const guint8 *data;
  gsize size; /* of the block */
  PdPppaForm form;
  guint64 rank;
  guint64 n_processors;
  guint64 base;    /* where the first interval was in memory */
  gsize first;     /* offset of the first interval */
  gsize end;       /* and of the bytes behind the last one */
  gsize interval;  /* bytes of an interval without its name */
  GArray *offsets; /* gsize: of the intervals */
  GArray *parents; /* gint64: their numbers */
} PdPppaBlock;

/* Returns: whether @data, of at least PD_PPPA_CONST bytes, begins a block. */
gboolean pd_pppa_get_form (const guint8 *data, PdPppaForm *form);

guint64 pd_pppa_get_number (const PdPppaForm *form, const guint8 *at, guint size);
gdouble pd_pppa_get_double (const PdPppaForm *form, const guint8 *at);

/* Parses the block at the beginning of @bytes (transfer full) from @offset. */
gboolean pd_pppa_block_read (PdPppaBlock *self, GBytes *bytes, gsize offset, const char *name,
                             GError **error);
void pd_pppa_block_clear (PdPppaBlock *self);

#endif

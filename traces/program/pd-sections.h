/* Files, and shared memory, which hold data in their form in memory:
 * a header, then sections of elements of one size, each at a multiple of 16 bytes.
 * Numbers are in the order of bytes of the machine that wrote them. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SECTIONS_H
#define PD_SECTIONS_H

#include "traces/io/pd-output.h"

#define PD_SECTIONS_MAX      18
#define PD_SECTIONS_ALIGN    16
#define PD_SECTIONS_KEY_SIZE 32

/* The identity of the form: sections are compatible if it is equal. */
typedef struct
{
  char magic[8];
  guint32 version;
  guint32 tables[4];    /* how many entries tables have that the sections refer to */
  guint n;              /* sections, at most PD_SECTIONS_MAX */
  const guint16 *sizes; /* (array length=n): bytes of an element of each */
} PdSectionsKind;

typedef struct
{
  gconstpointer data[PD_SECTIONS_MAX];
  guint64 n[PD_SECTIONS_MAX]; /* elements */
} PdSections;

/**
 * pd_sections_write:
 * @self: what to write
 * @kind: of which kind it is
 * @key: (array length=32): what it was made from, as the caller knows it
 * @out: gets it, and is closed
 * @error: return location for what pd_output_close() says
 *
 * Returns: whether all was written.
 */
gboolean pd_sections_write (const PdSections *self, const PdSectionsKind *kind, const guint8 *key,
                            PdOutput *out, GError **error);

/**
 * pd_sections_find:
 * @data: (array length=size): outside data, at a multiple of 16 bytes
 * @kind: the expected kind
 * @key: (array length=32) (nullable): the expected key of its source
 * @self: (out): where the sections are in @data; changed in any case
 * @error: return location for %PD_TRACE_ERROR_FORMAT
 *
 * Returns: whether @data holds exactly such sections. Their contents are not checked.
 */
gboolean pd_sections_find (const guint8 *data, gsize size, const PdSectionsKind *kind,
                           const guint8 *key, PdSections *self, GError **error);

/**
 * pd_sections_are_whole:
 * @data: what pd_sections_find() has found @self in
 * @error: return location for %PD_TRACE_ERROR_FORMAT
 *
 * Returns: whether the sum of the sections is that in the header.
 */
gboolean pd_sections_are_whole (const PdSections *self, const PdSectionsKind *kind,
                                const guint8 *data, GError **error);

/**
 * pd_sections_seal:
 * @data: (array length=size): sections that were changed
 *
 * Makes their sum right, so that tests get beyond it.
 */
void pd_sections_seal (guint8 *data, gsize size, const PdSectionsKind *kind);

/**
 * pd_sections_align:
 * @bytes: whatever bytes
 *
 * Returns: (transfer full): the same at a multiple of 16 bytes, as those of a file are.
 */
GBytes *pd_sections_align (GBytes *bytes);

#endif

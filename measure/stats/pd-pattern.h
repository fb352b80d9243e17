/* The contents of messages whose data is checked. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PATTERN_H
#define PD_PATTERN_H

#include <glib.h>

/**
 * pd_pattern_fill:
 * @data: (array length=n) (out caller-allocated)
 * @seed: patterns of different seeds differ in each byte (of seeds below 256)
 */
void pd_pattern_fill (char *data, gsize n, guint seed);

/**
 * pd_pattern_find_wrong:
 * Returns: the place of the first byte that is not of the pattern, or @n.
 */
gsize pd_pattern_find_wrong (const char *data, gsize n, guint seed);

#endif

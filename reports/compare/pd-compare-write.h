/* The functions of pd-compare-write.c for other sources.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPARE_WRITE_H
#define PD_COMPARE_WRITE_H

#include "reports/compare/pd-compare.h"

/**
 * pd_compare_write_text:
 * @width: columns of the terminal; 0 = unknown
 * @out: the text is appended
 */
void pd_compare_write_text (const PdCompare *self, guint width, GString *out);

/**
 * pd_compare_write_json:
 * @out: one JSON document is appended
 */
void pd_compare_write_json (const PdCompare *self, GString *out);

/**
 * pd_compare_write_csv:
 * @out: one line per interval and characteristic, with a heading, is appended
 */
void pd_compare_write_csv (const PdCompare *self, GString *out);

#endif

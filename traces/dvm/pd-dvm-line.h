/* Header lines: NAME TIME=… LINE=… FILE=….
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LINE_H
#define PD_DVM_LINE_H

#include "traces/dvm/pd-dvm-lexer.h"

/**
 * pd_dvm_line_parse:
 * @text: a line without its end and without leading blanks
 * @line: (out): changed in any case, valid only on success
 *
 * The strict test: NAME TIME= LINE= FILE= in that order, and a
 * name that begins as names do. A bad number after TIME= is still a header.
 *
 * Returns: whether @text is a header line.
 */
gboolean pd_dvm_line_parse (PdDvmText text, PdDvmLine *line);

/**
 * pd_dvm_time_parse:
 * @text: decimal text, "0.00001234"
 * @ps: (out): picoseconds, exact; a 13th digit rounds half up. Written only
 *   on success
 *
 * Returns: %FALSE if @text is no number, negative, or beyond 106 days.
 */
gboolean pd_dvm_time_parse (PdDvmText text, gint64 *ps);

#endif

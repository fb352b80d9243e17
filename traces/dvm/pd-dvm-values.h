/* The text of a value, by its kind.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_VALUES_H
#define PD_DVM_VALUES_H

#include "traces/dvm/pd-dvm-lexer.h"

/**
 * pd_dvm_parse_hex:
 * Reads a reference: hexadecimal digits without 0x.
 */
gboolean pd_dvm_parse_hex (PdDvmText text, gint64 *value);

/**
 * pd_dvm_parse_dec:
 * Reads a signed decimal integer; saturates at 64 bits.
 */
gboolean pd_dvm_parse_dec (PdDvmText text, gint64 *value);

/**
 * pd_dvm_parse_float:
 * Reads a decimal number, independent of the locale.
 */
gboolean pd_dvm_parse_float (PdDvmText text, gdouble *value);

#endif

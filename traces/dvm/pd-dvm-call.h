/* The parameters of the current call, lexed when the first is asked for.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CALL_H
#define PD_DVM_CALL_H

#include "traces/dvm/pd-dvm-reader.h"

/**
 * pd_dvm_call_get:
 * @self: the reader whose current call is asked
 * @key: a parameter
 * @value: (out): written only if it is present; hexadecimal keys give their
 *   64 bits (AMRef=ffffffffffffffff is -1)
 *
 * A scalar of the current call; ret_ values are found like call_ values, and
 * where both have the key call_'s is given (see pd_dvm_call_get_ret()).
 *
 * Returns: whether it is present.
 */
gboolean pd_dvm_call_get (const PdDvmReader *self, PdDvmKey key, gint64 *value);

/**
 * pd_dvm_call_get_ret:
 * As pd_dvm_call_get(), looking only in the ret_ record (crtps_ prints PSRef
 * in both).
 */
gboolean pd_dvm_call_get_ret (const PdDvmReader *self, PdDvmKey key, gint64 *value);

/**
 * pd_dvm_call_get_double:
 * As pd_dvm_call_get() for a floating key.
 */
gboolean pd_dvm_call_get_double (const PdDvmReader *self, PdDvmKey key, gdouble *value);

/**
 * pd_dvm_call_get_array:
 * @self: the reader
 * @key: an indexed key, "AxisArray"
 * @n: (out): number of elements, 0 if absent
 *
 * Returns: (transfer none) (array length=n) (nullable): the elements; valid
 *   until the next call.
 */
const gint64 *pd_dvm_call_get_array (const PdDvmReader *self, PdDvmKey key, guint *n);

/**
 * pd_dvm_call_get_doubles:
 * As pd_dvm_call_get_array() for floating keys (weights).
 */
const gdouble *pd_dvm_call_get_doubles (const PdDvmReader *self, PdDvmKey key, guint *n);

/**
 * pd_dvm_call_get_row_length:
 * @self: the reader
 * @key: a key of weights: AxisWeightAddr[row][], CoordWeight[row], or
 *   LoadWeight[] after WeightNumber[row]
 * @row: from 0
 *
 * pd_dvm_call_get_array() and pd_dvm_call_get_doubles() give the rows of such
 * keys one after another; a row that the call does not give is empty.
 *
 * Returns: the number of elements of row @row.
 */
guint pd_dvm_call_get_row_length (const PdDvmReader *self, PdDvmKey key, guint row);

/**
 * pd_dvm_call_get_length:
 * @key: a string key (%PD_DVM_KEY_String, %PD_DVM_KEY_Format, …), or any other
 *   scalar (IsLocal=0000000 of an empty loop has 7)
 *
 * Returns: the length of the value's text in bytes, -1 if absent.
 */
gint64 pd_dvm_call_get_length (const PdDvmReader *self, PdDvmKey key);

/**
 * pd_dvm_call_pattern_is_array:
 * Returns: 1 if PatternRef has the suffix (DisArray), 0 for (AMView), -1 if
 *   it has none.
 */
int pd_dvm_call_pattern_is_array (const PdDvmReader *self);

#endif

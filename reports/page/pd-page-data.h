/* The data of the charts of a page.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_DATA_H
#define PD_PAGE_DATA_H

#include "reports/page/pd-page.h"

/**
 * pd_page_data_open:
 * @key: (nullable): of the value in the object around it; %NULL in arrays
 * @bracket: '{' or '['
 */
void pd_page_data_open (PdPage *self, const char *key, char bracket);

/**
 * pd_page_data_close:
 * @bracket: '}' or ']'
 */
void pd_page_data_close (PdPage *self, char bracket);

/**
 * pd_page_data_string:
 * @text: (nullable): %NULL becomes null; very long texts are cut
 */
void pd_page_data_string (PdPage *self, const char *key, const char *text);

/**
 * pd_page_data_size:
 * @text: a string
 *
 * Returns: how many bytes it takes in the data, at most.
 */
gsize pd_page_data_size (const char *text);

/**
 * pd_page_data_number:
 * @value: a value that is not finite becomes null
 */
void pd_page_data_number (PdPage *self, const char *key, gdouble value);

/**
 * pd_page_data_numbers:
 * @values: (array length=n): as for pd_page_data_number()
 *
 * A column.
 */
void pd_page_data_numbers (PdPage *self, const char *key, const gdouble *values, gsize n);

#endif

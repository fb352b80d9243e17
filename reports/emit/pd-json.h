/* Writing JSON, element by element.
 * SPDX-License-Identifier: MIT */
#ifndef PD_JSON_H
#define PD_JSON_H

#include "base/pd-time.h"

/* A document under way: { .out = out, .first = TRUE }. */
typedef struct
{
  GString *out;
  guint depth;
  gboolean first; /* nothing has been written on this level yet */
  gboolean flat;  /* the level is one line */
} PdJson;

/* In all of these @key is NULL inside arrays. */

/**
 * pd_json_begin:
 * Starts an element, whose value the caller appends.
 */
void pd_json_begin (PdJson *json, const char *key);

/**
 * pd_json_open:
 * @bracket: '{' or '['
 *
 * Starts an object or an array.
 */
void pd_json_open (PdJson *json, const char *key, char bracket);

/**
 * pd_json_close:
 * @bracket: '}' or ']'
 *
 * Ends what pd_json_open() or pd_json_open_flat() started.
 */
void pd_json_close (PdJson *json, char bracket);

/**
 * pd_json_open_flat:
 * An object in one line, without others inside.
 */
void pd_json_open_flat (PdJson *json, const char *key);

/**
 * pd_json_add_string:
 * %NULL becomes null.
 */
void pd_json_add_string (PdJson *json, const char *key, const char *text);

/**
 * pd_json_add_seconds:
 * Adds @sum in seconds, exactly.
 */
void pd_json_add_seconds (PdJson *json, const char *key, PdTimeSum sum);

/**
 * pd_json_add_integer:
 * Adds an integer.
 */
void pd_json_add_integer (PdJson *json, const char *key, PdWide value);

/**
 * pd_json_add_double:
 * Adds a number as @format says; one that is not finite becomes null.
 */
void pd_json_add_double (PdJson *json, const char *key, const char *format, gdouble value);

/**
 * pd_json_add_boolean:
 * Adds true or false.
 */
void pd_json_add_boolean (PdJson *json, const char *key, gboolean value);

#endif

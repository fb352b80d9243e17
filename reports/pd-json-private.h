/* Writing JSON, element by element.
 * SPDX-License-Identifier: MIT */
#ifndef PD_JSON_PRIVATE_H
#define PD_JSON_PRIVATE_H

#include "reports/pd-report-private.h"

G_BEGIN_DECLS

/* A document under way: { out, 0, TRUE }. */
typedef struct
{
  GString *out;
  guint depth;
  gboolean first; /* nothing has been written on this level yet */
} PdJson;

/* In all of these @key is NULL inside arrays. */

/* Starts an element, whose value the caller appends. */
void pd_json_begin (PdJson *json, const char *key);
void pd_json_open (PdJson *json, const char *key, char bracket);
void pd_json_close (PdJson *json, char bracket);
/* %NULL becomes null. */
void pd_json_add_string (PdJson *json, const char *key, const char *text);
void pd_json_add_seconds (PdJson *json, const char *key, PdTimeSum sum);
void pd_json_add_integer (PdJson *json, const char *key, PdWide value);
void pd_json_add_double (PdJson *json, const char *key, const char *format, gdouble value);
void pd_json_add_boolean (PdJson *json, const char *key, gboolean value);

/* ---- parts of the documents, in pd-report-json.c */

/* What stands in front of the results: format, version, inputs, machine. */
void pd_json_add_head (PdJson *json, const PdReport *self);
/* The keys of a run as a whole, without its intervals. */
void pd_json_add_run (PdJson *json, const PdReportRun *run);
void pd_json_add_messages (PdJson *json, const PdMessages *messages);

/* ---- in pd-analysis-json.c */

/* What an analysis says of the run as a whole, */
void pd_json_add_analysed_run (PdJson *json, const PdReportRun *run);
/* and of an interval; @ranks: what each has of a call site, too. */
void pd_json_add_analysed_interval (PdJson *json, const PdReportRun *run, const PdIntervalResult *r,
                                    gboolean ranks);

G_END_DECLS

#endif

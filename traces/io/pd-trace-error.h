/* Errors of readers of message-passing traces.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_ERROR_H
#define PD_TRACE_ERROR_H

#include <glib.h>

#define PD_TRACE_ERROR (pd_trace_error_quark ())
typedef enum
{
  PD_TRACE_ERROR_OPEN,      /* the file cannot be read */
  PD_TRACE_ERROR_FORMAT,    /* not a trace of this, or of any, form */
  PD_TRACE_ERROR_SYNTAX,    /* a record that cannot be read */
  PD_TRACE_ERROR_VALUE,     /* a value out of range: an unknown rank, a negative size */
  PD_TRACE_ERROR_LIMIT,     /* more than this program can hold */
  PD_TRACE_ERROR_TRUNCATED, /* the trace ends too early to make any sense */
} PdTraceError;

/**
 * pd_trace_error_quark:
 * Returns: the domain of #PdTraceError.
 */
GQuark pd_trace_error_quark (void);

#endif

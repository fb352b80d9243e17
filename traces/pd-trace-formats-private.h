/* The functions that the table of formats is made of; each format has a file
 * of its own.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_FORMATS_PRIVATE_H
#define PD_TRACE_FORMATS_PRIVATE_H

#include "traces/pd-mp-trace.h"

G_BEGIN_DECLS

gboolean pd_trace_dvm_matches (const PdTraceProbe *probe);

gboolean pd_trace_allprof_matches (const PdTraceProbe *probe);
gboolean pd_trace_allprof_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                                PdMpTrace *trace, PdMessages *messages, GError **error);

gboolean pd_trace_goal_matches (const PdTraceProbe *probe);
gboolean pd_trace_goal_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                             PdMpTrace *trace, PdMessages *messages, GError **error);
gboolean pd_trace_goal_write (const PdMpTrace *trace, const char *path,
                              const PdTraceWriteOptions *options, PdMessages *messages,
                              GError **error);

gboolean pd_trace_goal_binary_matches (const PdTraceProbe *probe);
gboolean pd_trace_goal_binary_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                                    PdMpTrace *trace, PdMessages *messages, GError **error);
gboolean pd_trace_goal_binary_write (const PdMpTrace *trace, const char *path,
                                     const PdTraceWriteOptions *options, PdMessages *messages,
                                     GError **error);

gboolean pd_trace_ti_matches (const PdTraceProbe *probe);
gboolean pd_trace_ti_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                           PdMpTrace *trace, PdMessages *messages, GError **error);
gboolean pd_trace_ti_write (const PdMpTrace *trace, const char *path,
                            const PdTraceWriteOptions *options, PdMessages *messages,
                            GError **error);

gboolean pd_trace_otf2_matches (const PdTraceProbe *probe);
gboolean pd_trace_otf2_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                             PdMpTrace *trace, PdMessages *messages, GError **error);
gboolean pd_trace_otf2_write (const PdMpTrace *trace, const char *path,
                              const PdTraceWriteOptions *options, PdMessages *messages,
                              GError **error);
gboolean pd_trace_text_matches (const PdTraceProbe *probe);
gboolean pd_trace_text_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                             PdMpTrace *trace, PdMessages *messages, GError **error);
gboolean pd_trace_text_write (const PdMpTrace *trace, const char *path,
                              const PdTraceWriteOptions *options, PdMessages *messages,
                              GError **error);

gboolean pd_trace_dim_matches (const PdTraceProbe *probe);
gboolean pd_trace_dim_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                            PdMpTrace *trace, PdMessages *messages, GError **error);

G_END_DECLS

#endif

/* The lines of liballprof: MPI_Func:start:arguments…:end. The arguments are separated by
 * colons, the parts of one by commas: * a datatype number,bytes,extent a communicator
 * handle,rank of the caller,size a list of counts address:count,count,… * Times are
 * microseconds with or without a fraction; "-" where none can be had.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_LINES_PRIVATE_H
#define PD_ALLPROF_LINES_PRIVATE_H

#include "base/pd-error.h"
#include "traces/allprof/pd-allprof-private.h"

/* Begins; the input must outlive it. */
void pd_allprof_lines_init (PdAllprofLines *self, PdInput *input, const char *name, guint32 rank);
void pd_allprof_lines_clear (PdAllprofLines *self);

/* The next call, in @self->call; FALSE at the end and on an error. */
gboolean pd_allprof_lines_next (PdAllprofLines *self, GError **error);

/* Sets @error about the current line; FALSE. */
#define pd_allprof_lines_fail(self, error, code, ...)                                              \
  pd_fail_at (error, PD_TRACE_ERROR, (gint) (code), (self)->name, (self)->lines.number, __VA_ARGS__)

#endif

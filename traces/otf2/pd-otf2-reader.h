/* Reader of OTF2 archives, by Score-P or by this program's recorder.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_READER_H
#define PD_OTF2_READER_H

#include "base/pd-messages.h"
#include "traces/program/pd-program.h"

/**
 * pd_otf2_read:
 * @path: the archive's anchor file (.otf2)
 * @recorded: whether to keep how long calls took
 * @incomplete: (out) (optional): whether a rank's events end before MPI_Finalize, in
 *   an archive in which MPI_Init is recorded; those of a rank that ends in a pause do not
 * @messages: (nullable): where to report what the model leaves out
 * @error: return location for a #PdTraceError; the archive as a whole is read
 *   or refused
 *
 * Time between MPI calls becomes computation, calls become actions; regions of
 * the source become intervals. Events in MPI_Init and MPI_Finalize take no
 * time. Without the times of calls, repeated actions are loops whose computation is samples, see
 * pd-loops.h. Vectors of counts, of which the format has only sums, are assembled
 * from the records of all ranks; blocks of MPI_Alltoallv are assumed to be equal.
 * If no event needs the OTF2 library, ranks are read by as many threads as there are
 * processors; the program does not depend on that.
 *
 * Returns: (transfer full) (nullable): the program.
 */
PdProgram *pd_otf2_read (const char *path, gboolean recorded, gboolean *incomplete,
                         PdMessages *messages, GError **error);

/**
 * pd_otf2_read_by_threads:
 * @n_threads: so many at most, >= 1
 *
 * As pd_otf2_read(), with the same result: to compare with.
 */
PdProgram *pd_otf2_read_by_threads (const char *path, gboolean recorded, guint n_threads,
                                    PdMessages *messages, GError **error);

/**
 * pd_otf2_read_outline:
 * As pd_otf2_read(), but for the actions, which are checked and counted, and not kept: for
 * archives of any length.
 */
PdProgram *pd_otf2_read_outline (const char *path, PdMessages *messages, GError **error);

/**
 * pd_otf2_read_by_library:
 * As pd_otf2_read(), with the same result, but all events are decoded by the OTF2 library, which
 * takes longer: to compare with.
 */
PdProgram *pd_otf2_read_by_library (const char *path, gboolean recorded, gboolean *incomplete,
                                    PdMessages *messages, GError **error);

#endif

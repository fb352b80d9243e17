/* The second pass over a file of liballprof. Not for other folders.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_MAKE_PRIVATE_H
#define PD_ALLPROF_MAKE_PRIVATE_H

#include "traces/allprof/pd-allprof-requests.h"

/* A request whose address is known. */
typedef struct
{
  guint32 slot;
  gboolean persistent;
} PdAllprofRequest;

typedef struct
{
  PdAllprofLines *lines;
  const PdAllprofCall *call; /* of @lines */
  const PdAllprofFacts *facts;
  PdProgramBuilder *builder;
  PdMessages *messages;
  gboolean recorded;
  guint32 rank;
  gint64 clock;  /* ps: the end of the call before */
  gint64 finish; /* the beginning of MPI_Finalize */
  PdAllprofHandles *handles;
  guint next_event;
  GHashTable *requests; /* address -> PdAllprofRequest */
  GArray *free_slots;   /* guint32 */
  guint32 n_slots;
  guint64 n_tests;
  guint next_outcome;
  GArray *addresses; /* scratch */
  GArray *slots;     /* scratch, guint32 */
  GArray *done;      /* scratch, guint32 */
  GArray *bytes;     /* scratch, gint64 */
} PdAllprofMaker;

/* Adds @action, that the call is; computation before it, too. */
gboolean pd_allprof_add (PdAllprofMaker *self, PdAction *action, GError **error);

/* The communicator of the call. */
guint32 pd_allprof_get_comm (PdAllprofMaker *self);

/* Elements times their size; FALSE with @error set if that cannot be. */
gboolean pd_allprof_get_bytes (const PdAllprofMaker *self, gint64 count, gint64 size, gint64 *bytes,
                               GError **error);

#endif

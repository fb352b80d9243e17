/* What "predictor advise" does beside its search for grids.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CMD_ADVISE_PRIVATE_H
#define PD_CMD_ADVISE_PRIVATE_H

#include "predictor/cmd-tools.h"

G_BEGIN_DECLS

#define PD_N_ALLTOALL_OPTIONS 8

/* --alltoall and what belongs to it; all zero at first. */
typedef struct
{
  gboolean wanted;
  gboolean sensitivity;
  char *bytes;
  char *self;
  char *timing;
  char *sockets;
  gint64 n_ranks; /* 0: not given */
  gint64 block;   /* 0: not given */
} PdAlltoallCommand;

/* What the command has in common with the search for grids; borrowed. */
typedef struct
{
  const char *machine;
  const char *const *settings;
  const char *output; /* the following are files, or %NULL */
  const char *csv;
  gboolean json;
  gboolean quiet;
  gboolean verbose;
  const char *command_line;
} PdAlltoallOutput;

/* Fills a table of %PD_N_ALLTOALL_OPTIONS and an end. */
void pd_alltoall_command_fill (PdAlltoallCommand *self, GOptionEntry *entries);
/* Whether nothing of it was given that asks for --alltoall. */
gboolean pd_alltoall_command_check_unused (const PdAlltoallCommand *self, GError **error);
/* Returns the exit status. */
int pd_alltoall_command_run (const PdAlltoallCommand *self, const PdAlltoallOutput *output,
                             GError **error);
void pd_alltoall_command_clear (PdAlltoallCommand *self);

G_END_DECLS

#endif

/* The command that records an MPI program.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RECORD_COMMAND_H
#define PD_RECORD_COMMAND_H

#include <glib.h>

typedef enum
{
  PD_MPI_NONE,
  PD_MPI_MPICH,
  PD_MPI_OPENMPI,
} PdMpiKind;

/* Programs of a command. */
typedef struct
{
  PdMpiKind kind;
  gboolean is_linked; /* the program has the recorder already */
  GArray *programs;   /* guint: which words of the command are MPI programs */
} PdMpiCommand;

/**
 * pd_mpi_kind_name:
 * Returns: "mpich", "openmpi", or "any".
 */
const char *pd_mpi_kind_name (PdMpiKind kind);

/**
 * pd_mpi_kind_parse:
 * Returns: the kind of that name, %PD_MPI_NONE for others.
 */
PdMpiKind pd_mpi_kind_parse (const char *name);

/**
 * pd_mpi_command_examine:
 * @self: (out caller-allocated): pd_mpi_command_clear() it
 * @words: (array zero-terminated=1): a command line
 *
 * Looks for programs that need the library of an MPI, one per part of the command
 * between colons; if there is none, as with scripts, the starter decides. Programs
 * started by a shell or a debugger are not examined: their words are not changed.
 * Errors: %G_FILE_ERROR_FAILED: elfutils cannot be loaded; @self has no programs then.
 */
gboolean pd_mpi_command_examine (PdMpiCommand *self, char **words, GError **error);

/**
 * pd_mpi_command_clear:
 * Releases what @self holds.
 */
void pd_mpi_command_clear (PdMpiCommand *self);

/**
 * pd_mpi_command_insert:
 * @self: the examined @words
 * @settings: (array zero-terminated=1): NAME=VALUE
 *
 * The settings are given to the programs alone, by env(1), and reach them on other
 * hosts, too; where the programs are not known, to the whole command.
 *
 * Returns: (transfer full): the command to run.
 */
char **pd_mpi_command_insert (const PdMpiCommand *self, char **words, char **settings);

/**
 * pd_mpi_find_library:
 * @kind: of which MPI; %PD_MPI_NONE: what finds that out in each process
 * @error: return location for a %G_FILE_ERROR
 *
 * Looks in $PREDICTOR_LIBDIR, beside this program, and where it is installed.
 *
 * Returns: (transfer full) (nullable): the path of the recorder.
 */
char *pd_mpi_find_library (PdMpiKind kind, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdMpiCommand, pd_mpi_command_clear)

#endif

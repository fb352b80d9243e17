/* Preloaded into all processes that a script starts: one that has the library of an MPI is
 * started anew with the recorder of this MPI in the place of this library. That is before
 * main(), so nothing is done twice. Interpreters load MPI later: the starter names them.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/choose/pd-mpi-libraries.h"
#include "record/stream/pd-rec-report.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN_END "libpredictor-record.any.so"

typedef struct
{
  const char *kind; /* NULL: no MPI */
  int is_recorded;
} Process;

static const struct
{
  const char *beginning; /* of the name of its file */
  const char *kind;
} libraries[] = {
#define MPICH                       "mpich"
#define OPENMPI                     "openmpi"
#define PD_LIBRARY(beginning, kind) { beginning, kind },
  PD_MPI_LIBRARIES
#undef PD_LIBRARY
#undef MPICH
#undef OPENMPI
};

static const char *
name_of (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

static int
begins_with (const char *text, const char *beginning)
{
  return strncmp (text, beginning, strlen (beginning)) == 0;
}

static int
on_object (struct dl_phdr_info *info, size_t size, void *data)
{
  Process *process = data;
  const char *name = name_of (info->dlpi_name);

  (void) size;
  process->is_recorded |= begins_with (name, "libpredictor-record") && strcmp (name, OWN_END) != 0;
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries && process->kind == NULL; i++)
    if (begins_with (name, libraries[i].beginning))
      process->kind = libraries[i].kind;
  return 0;
}

/* The variables that the starters of both set for their ranks. */
static const char *
kind_of_interpreter (const char *program)
{
  static const char *const interpreters[] = { "python", "julia", "Rscript", "ruby", "perl" };
  const char *name = name_of (program);

  for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++)
    if (begins_with (name, interpreters[i]))
      return getenv ("OMPI_COMM_WORLD_RANK") != NULL                             ? "openmpi"
             : getenv ("PMI_RANK") != NULL && getenv ("MPI_LOCALRANKID") != NULL ? "mpich"
                                                                                 : NULL;
  return NULL;
}

/* The list of libraries with the recorder in the place of this one; 0: there is none. */
static int
replace_own (const char *kind, char *list, size_t room)
{
  const char *before = getenv ("LD_PRELOAD");
  const char *own = before != NULL ? strstr (before, OWN_END) : NULL;
  size_t begin;
  int n;

  if (own == NULL)
    return 0;
  for (begin = (size_t) (own - before); begin > 0 && strchr (": ", before[begin - 1]) == NULL;)
    begin--;
  n = snprintf (list, room, "%.*slibpredictor-record.%s.so", (int) (own - before), before, kind);
  if (n < 0 || (size_t) n >= room)
    return 0;
  if (access (list + begin, R_OK) != 0)
    {
      pd_rec_say ("%s is not there: %s is not recorded", list + begin, program_invocation_name);
      return 0;
    }
  return snprintf (list + n, room - (size_t) n, "%s", own + strlen (OWN_END)) < (int) room - n;
}

/* The C library gives constructors the arguments of main(). */
__attribute__ ((constructor)) static void
choose (int argc, char **argv, char **environment)
{
  char program[PATH_MAX] = "", list[4 * PATH_MAX];
  Process process = { NULL, 0 };

  (void) argc;
  (void) environment;
  if (readlink ("/proc/self/exe", program, sizeof program - 1) <= 0)
    return;
  dl_iterate_phdr (on_object, &process);
  if (process.kind == NULL)
    process.kind = kind_of_interpreter (program);
  if (process.is_recorded || process.kind == NULL || !replace_own (process.kind, list, sizeof list))
    return;
  if (setenv ("LD_PRELOAD", list, 1) == 0)
    execv (program, argv);
  pd_rec_say ("%s cannot be started with %s", program, list);
}

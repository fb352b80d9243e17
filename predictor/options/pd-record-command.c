/* Which words of a command are MPI programs, of which MPI, and how the recorder
 * gets into them.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "predictor/options/pd-record-command.h"

#include "base/pd-library.h"
#include "record/choose/pd-mpi-libraries.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
#define FUNCTIONS(F) \
  F (elf_begin) F (elf_end) F (elf_getdata) F (elf_kind) F (elf_nextscn) F (elf_strptr) \
  F (elf_version) F (gelf_getdyn) F (gelf_getshdr)
/* clang-format on */

PD_LIBRARY_DEFINE (libelf, PD_SONAME_ELF, FUNCTIONS);

static const struct
{
  const char *name; /* beginning of the name of a needed library */
  PdMpiKind kind;
} needed[] = {
#define PD_LIBRARY(library, kind) { library, PD_MPI_##kind },
  PD_MPI_LIBRARIES
#undef PD_LIBRARY
};

/* In the names of programs that start others. */
static const struct
{
  const char *part;
  PdMpiKind kind;
} starters[] = {
  { "openmpi", PD_MPI_OPENMPI }, { "orterun", PD_MPI_OPENMPI }, { "prterun", PD_MPI_OPENMPI },
  { "mpich", PD_MPI_MPICH },     { "hydra", PD_MPI_MPICH },
};

/* Programs that start others in their own way: the words behind them are not touched. */
static const char *const wrappers[] = { "sh",   "bash", "dash", "ksh",      "zsh",  "csh",
                                        "tcsh", "fish", "gdb",  "valgrind", "lldb", NULL };

const char *
pd_mpi_kind_name (PdMpiKind kind)
{
  static const char *const names[] = {
    [PD_MPI_NONE] = "any",
    [PD_MPI_MPICH] = "mpich",
    [PD_MPI_OPENMPI] = "openmpi",
  };

  return names[kind];
}

PdMpiKind
pd_mpi_kind_parse (const char *name)
{
  return g_str_equal (name, "mpich")     ? PD_MPI_MPICH
         : g_str_equal (name, "openmpi") ? PD_MPI_OPENMPI
                                         : PD_MPI_NONE;
}

/* ---- what a program needs */

static void
note_needed (const char *library, PdMpiKind *kind, gboolean *is_linked)
{
  if (g_str_has_prefix (library, "libpredictor-record"))
    *is_linked = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (needed) && *kind == PD_MPI_NONE; i++)
    if (g_str_has_prefix (library, needed[i].name))
      *kind = needed[i].kind;
}

static void
read_dynamic (Elf *elf, Elf_Scn *section, PdMpiKind *kind, gboolean *is_linked)
{
  GElf_Shdr header;
  Elf_Data *data = libelf.elf_getdata (section, NULL);
  GElf_Dyn entry;

  if (data == NULL || libelf.gelf_getshdr (section, &header) == NULL || header.sh_entsize == 0)
    return;
  for (int i = 0; libelf.gelf_getdyn (data, i, &entry) != NULL; i++)
    {
      const char *name = entry.d_tag == DT_NEEDED
                             ? libelf.elf_strptr (elf, header.sh_link, entry.d_un.d_val)
                             : NULL;
      if (name != NULL)
        note_needed (name, kind, is_linked);
    }
}

/* The MPI whose library the file needs; none for a file that is no program. */
static PdMpiKind
find_kind (const char *path, gboolean *is_linked)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  PdMpiKind kind = PD_MPI_NONE;
  Elf *elf = NULL;

  if (fd >= 0 && g_file_test (path, G_FILE_TEST_IS_REGULAR)
      && libelf.elf_version (EV_CURRENT) != EV_NONE)
    elf = libelf.elf_begin (fd, ELF_C_READ, NULL);
  for (Elf_Scn *section = NULL; elf != NULL && libelf.elf_kind (elf) == ELF_K_ELF
                                && (section = libelf.elf_nextscn (elf, section)) != NULL;)
    {
      GElf_Shdr header;
      if (libelf.gelf_getshdr (section, &header) != NULL && header.sh_type == SHT_DYNAMIC)
        read_dynamic (elf, section, &kind, is_linked);
    }
  if (elf != NULL)
    libelf.elf_end (elf);
  if (fd >= 0)
    close (fd);
  return kind;
}

static PdMpiKind
kind_of_starter (const char *word)
{
  g_autofree char *path = g_find_program_in_path (word);
  g_autofree char *real = path != NULL ? realpath (path, NULL) : NULL;
  g_autofree char *name = g_path_get_basename (real != NULL ? real : word);

  for (gsize i = 0; i < G_N_ELEMENTS (starters); i++)
    if (strstr (name, starters[i].part) != NULL)
      return starters[i].kind;
  return PD_MPI_NONE;
}

/* ---- the command */

gboolean
pd_mpi_command_examine (PdMpiCommand *self, char **words, GError **error)
{
  gboolean is_found = FALSE;   /* in this part */
  gboolean is_wrapped = FALSE; /* in any */

  *self = (PdMpiCommand){ .programs = g_array_new (FALSE, FALSE, sizeof (guint)) };
  if (!pd_library_load (&libelf_library, error))
    return FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    {
      if (g_str_equal (words[i], ":"))
        is_found = FALSE;
      if (is_found)
        continue;
      g_autofree char *path = g_find_program_in_path (words[i]);
      g_autofree char *name = g_path_get_basename (words[i]);
      is_wrapped = is_wrapped || (path != NULL && g_strv_contains (wrappers, name));
      PdMpiKind kind = path != NULL ? find_kind (path, &self->is_linked) : PD_MPI_NONE;
      if (kind == PD_MPI_NONE)
        continue;
      is_found = TRUE;
      self->kind = kind;
      g_array_append_val (self->programs, i);
    }
  if (is_wrapped)
    g_array_set_size (self->programs, 0);
  if (self->kind == PD_MPI_NONE && words[0] != NULL)
    self->kind = kind_of_starter (words[0]);
  return TRUE;
}

void
pd_mpi_command_clear (PdMpiCommand *self)
{
  g_clear_pointer (&self->programs, g_array_unref);
}

/* env(1) takes what has a "=" for a variable: such programs are started by a shell. */
static void
add_env (GPtrArray *words, char **settings, const char *program)
{
  static const char *const shell[] = { "sh", "-c", "exec \"$0\" \"$@\"" };

  g_ptr_array_add (words, g_strdup ("env"));
  for (guint i = 0; settings[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (settings[i]));
  for (gsize i = 0; strchr (program, '=') != NULL && i < G_N_ELEMENTS (shell); i++)
    g_ptr_array_add (words, g_strdup (shell[i]));
}

char **
pd_mpi_command_insert (const PdMpiCommand *self, char **words, char **settings)
{
  GPtrArray *result = g_ptr_array_new ();
  guint next = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean is_here =
          self->programs->len == 0
              ? i == 0
              : next < self->programs->len && g_array_index (self->programs, guint, next) == i;
      if (is_here)
        {
          next++;
          add_env (result, settings, words[i]);
        }
      g_ptr_array_add (result, g_strdup (words[i]));
    }
  g_ptr_array_add (result, NULL);
  return (char **) g_ptr_array_free (result, FALSE);
}

/* ---- the recorder */

char *
pd_mpi_find_library (PdMpiKind kind, GError **error)
{
  g_autofree char *name = g_strdup_printf ("libpredictor-record.%s.so", pd_mpi_kind_name (kind));
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (program != NULL ? program : ".");
  const char *chosen = g_getenv ("PREDICTOR_LIBDIR");
  /* beside the program where it was built, and where it is installed */
  char *places[] = {
    g_build_filename (chosen != NULL ? chosen : "", name, NULL),
    g_build_filename (folder, "..", "record", name, NULL),
    g_build_filename (folder, "..", "lib", "predictor", name, NULL),
    g_build_filename (PD_LIBDIR, name, NULL),
  };
  char *found = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      if (found == NULL && g_file_test (places[i], G_FILE_TEST_IS_REGULAR))
        found = realpath (places[i], NULL);
      g_free (places[i]);
    }
  if (found == NULL)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                 "%s is not there: built where %s is found, or named by PREDICTOR_LIBDIR", name,
                 kind == PD_MPI_MPICH     ? "mpicc.mpich"
                 : kind == PD_MPI_OPENMPI ? "mpicc.openmpi"
                                          : "an MPI");
  return found;
}

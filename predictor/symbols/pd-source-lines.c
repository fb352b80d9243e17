/* Lines of source, by elfutils.
 * SPDX-License-Identifier: MIT */
#include "predictor/symbols/pd-source-lines.h"

#include "predictor/symbols/pd-demangle.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <string.h>

struct _PdSourceLines
{
  Dwfl *dwfl;
  GHashTable *modules; /* path -> Dwfl_Module*, or NULL: cannot be read */
};

/* Each module is found beside its debugging information, in its file or where the
 * system keeps it; nothing is fetched from elsewhere. */
static int
find_debuginfo (Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                const char *file, const char *link, GElf_Word checksum, char **found)
{
  return link == NULL
             ? -1
             : dwfl_standard_find_debuginfo (module, data, name, base, file, link, checksum, found);
}

PdSourceLines *
pd_source_lines_new (void)
{
  static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_debuginfo,
    .section_address = dwfl_offline_section_address,
  };
  PdSourceLines *self = g_new0 (PdSourceLines, 1);

  self->dwfl = dwfl_begin (&callbacks);
  self->modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
pd_source_lines_free (PdSourceLines *self)
{
  if (self == NULL)
    return;
  if (self->dwfl != NULL)
    dwfl_end (self->dwfl);
  g_hash_table_unref (self->modules);
  g_free (self);
}

static Dwfl_Module *
find_module (PdSourceLines *self, const char *path)
{
  gpointer found;
  Dwfl_Module *module = NULL;

  if (g_hash_table_lookup_extended (self->modules, path, NULL, &found))
    return found;
  if (self->dwfl != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      dwfl_report_begin_add (self->dwfl);
      module = dwfl_report_offline (self->dwfl, path, path, -1);
      dwfl_report_end (self->dwfl, NULL, NULL);
    }
  g_hash_table_insert (self->modules, g_strdup (path), module);
  return module;
}

/* With its class or module, where the linker's name has that. */
static const char *
find_name (Dwarf_Die *function)
{
  Dwarf_Attribute memory;
  Dwarf_Attribute *linkage = dwarf_attr_integrate (function, DW_AT_linkage_name, &memory);
  const char *name = linkage != NULL ? dwarf_formstring (linkage) : NULL;

  return name != NULL ? name : dwarf_diename (function);
}

/* The language of a module without lines follows from the symbols that it needs. */
static gboolean
is_fortran (Dwfl_Module *module)
{
  int n = dwfl_module_getsymtab (module);
  GElf_Sym symbol;

  for (int i = 0; i < n; i++)
    {
      const char *name = dwfl_module_getsym (module, i, &symbol, NULL);
      if (name != NULL && g_str_has_prefix (name, "_gfortran_"))
        return TRUE;
    }
  return FALSE;
}

/* The innermost function that the address is in. */
static char *
find_function (Dwfl_Module *module, Dwarf_Addr address)
{
  Dwarf_Addr bias;
  Dwarf_Die *unit = dwfl_module_addrdie (module, address, &bias), *scopes = NULL;
  const char *name = NULL;
  int n = unit != NULL ? dwarf_getscopes (unit, address - bias, &scopes) : 0;

  for (int i = 0; i < n && name == NULL; i++)
    {
      int tag = dwarf_tag (&scopes[i]);
      if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_entry_point)
        name = find_name (&scopes[i]);
    }
  gboolean is_known = name != NULL;
  if (!is_known)
    name = dwfl_module_addrname (module, address);
  char *shown = name != NULL ? pd_demangle (name, !is_known && is_fortran (module)) : NULL;
  free (scopes);
  return shown;
}

static char *
relative_to (const char *file, const char *folder)
{
  size_t n = folder != NULL ? strlen (folder) : 0;

  if (n > 0 && strncmp (file, folder, n) == 0 && file[n] == '/')
    return g_strdup (file + n + 1);
  return g_strdup (file);
}

gboolean
pd_source_lines_find (PdSourceLines *self, const char *path, guint64 address, char **function,
                      char **file, guint32 *line)
{
  Dwfl_Module *module = find_module (self, path);
  GElf_Addr bias;
  int number = 0;

  if (module == NULL || dwfl_module_getelf (module, &bias) == NULL || address == 0)
    return FALSE;
  Dwarf_Addr at = address - 1 + bias;
  if (dwfl_addrmodule (self->dwfl, at) != module)
    return FALSE;
  char *name = find_function (module, at);
  Dwfl_Line *found = dwfl_module_getsrc (module, at);
  const char *source =
      found != NULL ? dwfl_lineinfo (found, NULL, &number, NULL, NULL, NULL) : NULL;
  if (name == NULL && source == NULL)
    return FALSE;
  *function = name != NULL ? name : g_strdup ("");
  *file = source != NULL ? relative_to (source, dwfl_line_comp_dir (found)) : g_strdup (path);
  *line = source != NULL && number > 0 ? (guint32) number : 0;
  return TRUE;
}

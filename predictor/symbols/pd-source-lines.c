/* Lines of source, by elfutils.
 * SPDX-License-Identifier: MIT */
#include "predictor/symbols/pd-source-lines.h"

#include "base/pd-library.h"
#include "predictor/symbols/pd-demangle.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <string.h>

/* clang-format off */
#define FUNCTIONS(F) \
  F (dwarf_attr_integrate) F (dwarf_diename) F (dwarf_formstring) \
  F (dwarf_getscopes) F (dwarf_tag) F (dwfl_addrmodule) \
  F (dwfl_begin) F (dwfl_build_id_find_elf) F (dwfl_end) \
  F (dwfl_line_comp_dir) F (dwfl_lineinfo) F (dwfl_module_addrdie) \
  F (dwfl_module_addrname) F (dwfl_module_getelf) F (dwfl_module_getsrc) \
  F (dwfl_module_getsym) F (dwfl_module_getsymtab) F (dwfl_offline_section_address) \
  F (dwfl_report_begin_add) F (dwfl_report_end) F (dwfl_report_offline) \
  F (dwfl_standard_find_debuginfo)
/* clang-format on */

PD_LIBRARY_DEFINE (dw, PD_SONAME_DW, FUNCTIONS);

struct _PdSourceLines
{
  Dwfl_Callbacks callbacks;
  Dwfl *dwfl;          /* (nullable): cannot be begun */
  GHashTable *modules; /* path -> Dwfl_Module*, or NULL: cannot be read */
};

/* Each module is found beside its debugging information, in its file or where the
 * system keeps it; nothing is fetched from elsewhere. */
static int
find_debuginfo (Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                const char *file, const char *link, GElf_Word checksum, char **found)
{
  return link == NULL ? -1
                      : dw.dwfl_standard_find_debuginfo (module, data, name, base, file, link,
                                                         checksum, found);
}

PdSourceLines *
pd_source_lines_new (GError **error)
{
  if (!pd_library_load (&dw_library, error))
    return NULL;
  PdSourceLines *self = g_new0 (PdSourceLines, 1);
  self->callbacks = (Dwfl_Callbacks){ .find_elf = dw.dwfl_build_id_find_elf,
                                      .find_debuginfo = find_debuginfo,
                                      .section_address = dw.dwfl_offline_section_address };
  self->dwfl = dw.dwfl_begin (&self->callbacks);
  self->modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
pd_source_lines_free (PdSourceLines *self)
{
  if (self == NULL)
    return;
  if (self->dwfl != NULL)
    dw.dwfl_end (self->dwfl);
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
      dw.dwfl_report_begin_add (self->dwfl);
      module = dw.dwfl_report_offline (self->dwfl, path, path, -1);
      dw.dwfl_report_end (self->dwfl, NULL, NULL);
    }
  g_hash_table_insert (self->modules, g_strdup (path), module);
  return module;
}

/* With its class or module, where the linker's name has that. */
static const char *
find_name (Dwarf_Die *function)
{
  Dwarf_Attribute memory;
  Dwarf_Attribute *linkage = dw.dwarf_attr_integrate (function, DW_AT_linkage_name, &memory);
  const char *name = linkage != NULL ? dw.dwarf_formstring (linkage) : NULL;

  return name != NULL ? name : dw.dwarf_diename (function);
}

/* The language of a module without lines follows from the symbols that it needs. */
static gboolean
is_fortran (Dwfl_Module *module)
{
  int n = dw.dwfl_module_getsymtab (module);
  GElf_Sym symbol;

  for (int i = 0; i < n; i++)
    {
      const char *name = dw.dwfl_module_getsym (module, i, &symbol, NULL);
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
  Dwarf_Die *unit = dw.dwfl_module_addrdie (module, address, &bias), *scopes = NULL;
  const char *name = NULL;
  int n = unit != NULL ? dw.dwarf_getscopes (unit, address - bias, &scopes) : 0;

  for (int i = 0; i < n && name == NULL; i++)
    {
      int tag = dw.dwarf_tag (&scopes[i]);
      if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_entry_point)
        name = find_name (&scopes[i]);
    }
  gboolean is_known = name != NULL;
  if (!is_known)
    name = dw.dwfl_module_addrname (module, address);
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

  if (module == NULL || dw.dwfl_module_getelf (module, &bias) == NULL || address == 0)
    return FALSE;
  Dwarf_Addr at = address - 1 + bias;
  if (dw.dwfl_addrmodule (self->dwfl, at) != module)
    return FALSE;
  char *name = find_function (module, at);
  Dwfl_Line *found = dw.dwfl_module_getsrc (module, at);
  const char *source =
      found != NULL ? dw.dwfl_lineinfo (found, NULL, &number, NULL, NULL, NULL) : NULL;
  if (name == NULL && source == NULL)
    return FALSE;
  *function = name != NULL ? name : g_strdup ("");
  *file = source != NULL ? relative_to (source, dw.dwfl_line_comp_dir (found)) : g_strdup (path);
  *line = source != NULL && number > 0 ? (guint32) number : 0;
  return TRUE;
}

/* Names of functions as they stand in the source.
 * SPDX-License-Identifier: MIT */
#include "predictor/symbols/pd-demangle.h"

#include <dlfcn.h>

static const struct
{
  const char *name;
  const char *symbol;
  gboolean is_fortran;
  const char *expected;
} rows[] = {
  { "c", "solve", FALSE, "solve" },
  { "c-underscore", "solve_", FALSE, "solve_" },
  { "empty", "", TRUE, "" },
  { "underscore", "_", TRUE, "_" },
  { "fortran", "solve_", TRUE, "solve" },
  { "fortran-main", "MAIN__", TRUE, "MAIN__" },
  { "module", "__grid_MOD_step", FALSE, "grid::step" },
  { "module-nothing", "__grid_MOD_", FALSE, "__grid_MOD_" },
  { "module-nameless", "___MOD_step", FALSE, "___MOD_step" },
  { "cxx-wrong", "_Zwhat", FALSE, "_Zwhat" },
  { "cxx", "_ZN4grid6Solver4stepEi", FALSE, "grid::Solver::step" },
  { "cxx-const", "_ZNK4grid6Solver4stepEv", FALSE, "grid::Solver::step" },
  { "cxx-function-pointer", "_Z3runPFviE", FALSE, "run" },
  { "cxx-anonymous", "_ZN12_GLOBAL__N_14stepEv", FALSE, "(anonymous namespace)::step" },
  { "cxx-operator", "_ZN4gridclEi", FALSE, "grid::operator()" },
  { "cxx-data", "_ZN4grid4dataE", FALSE, "grid::data" },
};

static void
test_row (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *name = pd_demangle (rows[i].symbol, rows[i].is_fortran);
  void *library = dlopen ("libstdc++.so.6", RTLD_LAZY);

  if (library == NULL && g_str_has_prefix (rows[i].symbol, "_ZN"))
    {
      g_test_skip ("the C++ library is not installed");
      return;
    }
  g_assert_cmpstr (name, ==, rows[i].expected);
  if (library != NULL)
    dlclose (library);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/symbols/demangle/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
    }
  return g_test_run ();
}

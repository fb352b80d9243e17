/* Names of functions as they stand in the source.
 * SPDX-License-Identifier: MIT */
#include "predictor/symbols/pd-demangle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Of the ABI that all compilers of C++ on Linux share. */
typedef char *(*CxaDemangle) (const char *symbol, char *buffer, size_t *size, int *status);

/* Programs in C++ have it, this one need not. */
static gpointer
find_cxa_demangle (gpointer data G_GNUC_UNUSED)
{
  void *library = dlopen ("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

  return library != NULL ? dlsym (library, "__cxa_demangle") : NULL;
}

/* "f(int) const" becomes "f", "operator()(int)" "operator()". */
static void
cut_parameters (char *name)
{
  char *end = strrchr (name, ')');
  int depth = 0;

  if (end == NULL || (end[1] != '\0' && end[1] != ' ' && end[1] != '&'))
    return; /* "(anonymous namespace)::f" */
  for (char *p = end; p >= name; p--)
    {
      depth += (*p == ')') - (*p == '(');
      if (depth > 0)
        continue;
      if (p > name && !g_str_has_suffix (name, "operator()"))
        *p = '\0';
      return;
    }
}

static char *
demangle_cxx (const char *symbol)
{
  static GOnce once = G_ONCE_INIT;
  gpointer address = g_once (&once, find_cxa_demangle, NULL);
  CxaDemangle demangle;
  int status = -1;

  memcpy (&demangle, &address, sizeof demangle);
  char *found = demangle != NULL ? demangle (symbol, NULL, NULL, &status) : NULL;

  if (status != 0 || found == NULL)
    {
      free (found);
      return NULL;
    }
  cut_parameters (found);
  char *name = g_strdup (found);
  free (found);
  return name;
}

/* "__grid_MOD_step" */
static char *
demangle_module (const char *symbol)
{
  const char *middle = strstr (symbol, "_MOD_");

  if (!g_str_has_prefix (symbol, "__") || middle == NULL || middle <= symbol + 2
      || middle[strlen ("_MOD_")] == '\0')
    return NULL;
  return g_strdup_printf ("%.*s::%s", (int) (middle - symbol - 2), symbol + 2,
                          middle + strlen ("_MOD_"));
}

char *
pd_demangle (const char *symbol, gboolean is_fortran)
{
  size_t n = strlen (symbol);
  char *name = NULL;

  if (g_str_has_prefix (symbol, "_Z"))
    name = demangle_cxx (symbol);
  else
    name = demangle_module (symbol);
  if (name != NULL)
    return name;
  if (is_fortran && n > 1 && symbol[n - 1] == '_' && symbol[n - 2] != '_')
    n--;
  return g_strndup (symbol, n);
}

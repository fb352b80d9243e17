/* Shared libraries that are loaded when something first needs them. Loading
 * libraries that few commands need would take longer than all other work of a short command.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LIBRARY_H
#define PD_LIBRARY_H

#include <glib.h>

typedef struct
{
  const char *file; /* its name for the loader */
  const char *const *names;
  gpointer functions;     /* (array length=names): where their addresses go */
  void (*prepare) (void); /* (nullable): the first that calls any of them */
  /*< private >*/
  gint loaded;
} PdLibrary;

/* Defines @name, a structure with a pointer to each function of the list @FUNCTIONS (F), for
 * example F (sin) F (cos), and name_library, which fills it. */
#define PD_LIBRARY_DEFINE(name, soname, FUNCTIONS)                                                 \
  static struct                                                                                    \
  {                                                                                                \
    FUNCTIONS (PD_LIBRARY_POINTER)                                                                 \
  } name;                                                                                          \
  PD_LIBRARY_DEFINE_SHARED (name, soname, FUNCTIONS)

/* The same for several sources: their header has the list, and declares a structure of it called
 * struct @name_functions; one source defines @name, and this. The header then includes
 * "HEADER-names.h", which the Makefile makes of the list: sources call the functions as if they
 * were linked. */
#define PD_LIBRARY_DEFINE_SHARED(name, soname, FUNCTIONS)                                          \
  static const char *const name##_names[] = { FUNCTIONS (PD_LIBRARY_NAME) NULL };                  \
  static PdLibrary name##_library = { soname, name##_names, &name, NULL, FALSE }

#define PD_LIBRARY_POINTER(name) __typeof__ (&name) name;
#define PD_LIBRARY_NAME(name)    #name,

/**
 * pd_library_load:
 * @self: static data, so that the library stays
 *
 * Loads the library, unless it is loaded; any thread may do so. Errors: of the loader, then @self
 * is as before.
 *
 * Returns: whether its functions can be called.
 */
gboolean pd_library_load (PdLibrary *self, GError **error);

#endif

/* Shared libraries that are loaded when something first needs them.
 * SPDX-License-Identifier: MIT */
#include "base/pd-library.h"

#include <dlfcn.h>

static gboolean
fail (GError **error)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "a library cannot be loaded: %s",
               dlerror ());
  return FALSE;
}

static gboolean
find_functions (const PdLibrary *self, void *library, GError **error)
{
  gpointer *functions = self->functions;

  for (guint i = 0; self->names[i] != NULL; i++)
    {
      functions[i] = dlsym (library, self->names[i]);
      if (functions[i] == NULL)
        return fail (error);
    }
  return TRUE;
}

gboolean
pd_library_load (PdLibrary *self, GError **error)
{
  static GMutex lock;
  g_autoptr (GMutexLocker) locker = NULL;

  if (g_atomic_int_get (&self->loaded))
    return TRUE;
  locker = g_mutex_locker_new (&lock);
  if (self->loaded)
    return TRUE;
  void *library = dlopen (self->file, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL)
    return fail (error);
  if (!find_functions (self, library, error))
    {
      dlclose (library);
      return FALSE;
    }
  if (self->prepare != NULL)
    self->prepare ();
  g_atomic_int_set (&self->loaded, TRUE);
  return TRUE;
}

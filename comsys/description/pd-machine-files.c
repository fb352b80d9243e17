/* Files of machines: where they are looked for.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-files.h"
#include "comsys/description/pd-machine-folders.h"
#include "comsys/machine/pd-machine.h"
#include "base/pd-file.h"

#include <stdio.h>
#include <string.h>

char **
pd_machine_data_folders (const char *name)
{
  const char *data = g_getenv ("PREDICTOR_DATADIR");
  GPtrArray *folders = g_ptr_array_new ();

  if (data != NULL)
    g_ptr_array_add (folders, g_build_filename (data, name, NULL));
  g_ptr_array_add (folders, g_build_filename (".", name, NULL));
  g_ptr_array_add (folders, g_build_filename (PD_DATADIR, name, NULL));
  g_ptr_array_add (folders, NULL);
  return (char **) g_ptr_array_free (folders, FALSE);
}

char **
pd_machine_get_folders (void)
{
  const char *own = g_getenv ("PREDICTOR_MACHINES");
  g_auto (GStrv) first = g_strsplit (own != NULL ? own : "", ":", -1);
  g_auto (GStrv) second = pd_machine_data_folders ("machines");
  GPtrArray *folders = g_ptr_array_new ();

  for (guint i = 0; first[i] != NULL; i++)
    if (*first[i] != '\0')
      g_ptr_array_add (folders, g_strdup (first[i]));
  for (guint i = 0; second[i] != NULL; i++)
    g_ptr_array_add (folders, g_strdup (second[i]));
  g_ptr_array_add (folders, NULL);
  return (char **) g_ptr_array_free (folders, FALSE);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
list_folder (const char *folder, GPtrArray *names)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (file, ".xml") && *file != '.')
      g_ptr_array_add (names, g_strndup (file, strlen (file) - strlen (".xml")));
}

char **
pd_machine_list (void)
{
  g_auto (GStrv) folders = pd_machine_get_folders ();
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; folders[i] != NULL; i++)
    list_folder (folders[i], names);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 1; i < names->len;)
    if (strcmp (names->pdata[i - 1], names->pdata[i]) == 0)
      g_ptr_array_remove_index (names, i);
    else
      i++;
  g_ptr_array_set_free_func (names, NULL);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

GBytes *
pd_machine_read_file (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text;
  gsize size;

  if (pd_file_read (path, &text, &size, &local))
    return g_bytes_new_take (text, size);
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_NOT_FOUND, "%s", local->message);
  return NULL;
}

/* Machines: finding a description, whatever its form, and what it says.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-machine-private.h"
#include "comsys/pd-machine-tools.h"

#include "base/pd-nearest.h"

#include <stdio.h>
#include <string.h>

G_DEFINE_QUARK (pd_machine_error_quark, pd_machine_error)

/* ---- the machine */

void
pd_machine_network_free (PdMachineNetwork *network)
{
  if (network == NULL)
    return;
  if (network->config != NULL)
    pd_machine_free_tables (network);
  g_free (network->name);
  g_free (network->config);
  g_clear_pointer (&network->children, g_ptr_array_unref);
  g_free (network);
}

void
pd_machine_free (PdMachine *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->description);
  g_free (self->origin);
  g_free (self->collectives);
  g_free (self->noise.file);
  g_free (self->map);
  g_clear_pointer (&self->regions, g_array_unref);
  g_clear_pointer (&self->spreads, g_array_unref);
  g_clear_pointer (&self->functions, g_array_unref);
  g_clear_pointer (&self->uses, g_array_unref);
  g_clear_pointer (&self->costs, g_array_unref);
  pd_points_free (self->measured);
  pd_machine_network_free (self->network);
  g_free (self);
}

static gint64
multiply (gint64 a, gint64 b)
{
  gint64 product;
  return __builtin_mul_overflow (a, b, &product) ? G_MAXINT64 : product;
}

gint64
pd_machine_node_size (const PdMachineNode *node)
{
  if (node->network != NULL)
    return multiply (node->count, pd_machine_network_size (node->network));
  return multiply (node->count, node->processors);
}

gint64
pd_machine_network_size (const PdMachineNetwork *network)
{
  gint64 sum = 0;

  for (guint i = 0; i < network->children->len; i++)
    if (__builtin_add_overflow (sum, pd_machine_node_size (network->children->pdata[i]), &sum))
      return G_MAXINT64;
  return sum;
}

static gdouble
find_speed (const PdMachineNetwork *network, gint64 processor)
{
  for (guint i = 0; i < network->children->len; i++)
    {
      const PdMachineNode *node = g_ptr_array_index (network->children, i);
      gint64 size = pd_machine_node_size (node);
      if (processor >= size)
        processor -= size;
      else if (node->network != NULL)
        return find_speed (node->network, processor % (size / node->count));
      else
        return node->speeds == NULL ? node->speed
                                    : g_array_index (node->speeds, gdouble, processor);
    }
  return 1;
}

gdouble
pd_machine_get_speed (const PdMachine *self, guint32 processor)
{
  g_return_val_if_fail (processor < self->n_processors, 1);

  return find_speed (self->network, processor);
}

/* ---- forms */

static gboolean
is_xml (const char *text)
{
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    text += 3;
  text += strspn (text, " \t\r\n");
  return *text == '<';
}

/* The tree of a description of any form; @elastic: it has no number of nodes. */
static xmlDoc *
parse_any (GBytes *bytes, const char *origin, gboolean *elastic, GError **error)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autofree char *text = g_strndup (size > 0 ? data : "", size);

  if (size == 0 || is_xml (text))
    return pd_machine_parse_xml (data, size, origin, error);
  if (pd_machine_is_dimemas (text))
    return pd_machine_parse_dimemas (text, origin, error);
  if (pd_machine_is_loggopsim (text))
    {
      *elastic = TRUE;
      return pd_machine_parse_loggopsim (text, origin, error);
    }
  if (pd_machine_is_dvm_par (text))
    return pd_machine_parse_dvm_par (text, origin, error);
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT,
               "%s: not a machine description: expected XML with the root element 'machine', a "
               "configuration of Dimemas, parameters of LogGOPSim, or a Predictor.par",
               origin);
  return NULL;
}

static gboolean
apply_settings (xmlDoc *doc, const char *origin, const char *const *settings, GError **error)
{
  for (guint i = 0; settings != NULL && settings[i] != NULL; i++)
    if (!pd_machine_apply_setting (doc, settings[i], error))
      {
        g_prefix_error (error, "%s: ", origin);
        return FALSE;
      }
  return TRUE;
}

/* A description that has been read, before anything is set in it. */
struct _PdMachineSource
{
  xmlDoc *doc;
  char *origin; /* what messages call it */
  char *spec;   /* (nullable): of an inline machine */
  char *folder; /* (nullable): where files are that it names */
  gboolean elastic;
  gboolean validated; /* it fits the schema, and so it does with other values */
};

void
pd_machine_source_free (PdMachineSource *self)
{
  if (self == NULL)
    return;
  xmlFreeDoc (self->doc);
  g_free (self->origin);
  g_free (self->spec);
  g_free (self->folder);
  g_free (self);
}

static PdMachineSource *
source_new_from_bytes (GBytes *bytes, const char *name, GError **error)
{
  gboolean elastic = FALSE;
  xmlDoc *doc = parse_any (bytes, name, &elastic, error);
  PdMachineSource *self;

  if (doc == NULL)
    return NULL;
  self = g_new0 (PdMachineSource, 1);
  self->doc = doc;
  self->origin = g_strdup (name);
  self->elastic = elastic;
  return self;
}

static PdMachineSource *
source_new_inline (const char *spec, GError **error)
{
  xmlDoc *doc = pd_machine_parse_inline (spec, error);
  PdMachineSource *self;

  if (doc == NULL)
    return NULL;
  self = g_new0 (PdMachineSource, 1);
  self->doc = doc;
  self->origin = g_strdup_printf ("inline machine '%s'", spec);
  self->spec = g_strdup (spec);
  self->elastic = TRUE;
  return self;
}

/* Files that a description names are beside it. */
static void
find_noise (const PdMachineSource *self, PdMachine *machine)
{
  if (machine->noise.file == NULL || self->folder == NULL
      || g_path_is_absolute (machine->noise.file))
    return;
  g_autofree char *file = g_steal_pointer (&machine->noise.file);
  machine->noise.file = g_build_filename (self->folder, file, NULL);
}

/* @doc: with the settings. */
static PdMachine *
read_tree (PdMachineSource *self, xmlDoc *doc, guint32 n_needed, GError **error)
{
  g_autoptr (PdMachine) machine = NULL;

  machine = pd_machine_read (doc, self->origin, self->elastic, n_needed, error);
  if (machine == NULL
      || (!self->validated && self->spec == NULL
          && !pd_machine_validate (doc, self->origin, error)))
    return NULL;
  /* what settings change are values, which the reader has looked at more closely; and libxml2
   * makes all patterns of the schema anew each time, which costs more than many a prediction */
  self->validated = TRUE;
  if (self->spec != NULL)
    {
      g_free (machine->origin);
      machine->origin = g_strdup (self->spec);
    }
  find_noise (self, machine);
  return g_steal_pointer (&machine);
}

PdMachine *
pd_machine_source_load (PdMachineSource *self, const char *const *settings, guint32 n_needed,
                        GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (settings == NULL || settings[0] == NULL)
    return read_tree (self, self->doc, n_needed, error);
  g_autoptr (xmlDoc) doc = xmlCopyDoc (self->doc, 1);
  if (!apply_settings (doc, self->origin, settings, error))
    return NULL;
  return read_tree (self, doc, n_needed, error);
}

PdMachine *
pd_machine_load_bytes (GBytes *bytes, const char *name, const char *const *settings,
                       guint32 n_needed, GError **error)
{
  g_autoptr (PdMachineSource) source = source_new_from_bytes (bytes, name, error);

  return source == NULL ? NULL : pd_machine_source_load (source, settings, n_needed, error);
}

/* ---- finding */

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

/* Where machines are looked for by name, in order. */
static char **
get_machine_folders (void)
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

static char *
find_by_name (const char *name, GError **error)
{
  g_auto (GStrv) folders = get_machine_folders ();
  g_autofree char *file = g_strconcat (name, ".xml", NULL);

  for (guint i = 0; strchr (name, '/') == NULL && folders[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folders[i], file, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  g_autofree char *all = g_strjoinv (", ", folders);
  g_autofree char *types = pd_machine_known_types ();
  g_auto (GStrv) names = pd_machine_list ();
  g_autofree char *hint = pd_nearest_format (name, (const char *const *) names);
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_NOT_FOUND,
               "'%s': no such file, no machine of that name in %s, and not an inline machine "
               "(TYPE:key=value,… with a type of: %s)%s",
               name, all, types, hint);
  return NULL;
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
  g_auto (GStrv) folders = get_machine_folders ();
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

static GBytes *
read_stdin (GError **error)
{
  GByteArray *all = g_byte_array_new ();
  guint8 block[4096];
  gsize n;

  while ((n = fread (block, 1, sizeof block, stdin)) > 0)
    g_byte_array_append (all, block, (guint) n);
  if (!ferror (stdin))
    return g_byte_array_free_to_bytes (all);
  g_byte_array_unref (all);
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_NOT_FOUND, "cannot read standard input");
  return NULL;
}

GBytes *
pd_machine_read_file (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text;
  gsize size;

  if (strcmp (path, "-") == 0)
    return read_stdin (error);
  if (g_file_get_contents (path, &text, &size, &local))
    return g_bytes_new_take (text, size);
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_NOT_FOUND, "%s", local->message);
  return NULL;
}

static PdMachineSource *
source_new_from_file (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = pd_machine_read_file (path, error);
  const char *name = strcmp (path, "-") == 0 ? "standard input" : path;
  PdMachineSource *self = bytes == NULL ? NULL : source_new_from_bytes (bytes, name, error);

  if (self != NULL && strchr (path, '/') != NULL)
    self->folder = g_path_get_dirname (path);
  return self;
}

PdMachineSource *
pd_machine_source_new (const char *spec, GError **error)
{
  g_return_val_if_fail (spec != NULL, NULL);

  if (strcmp (spec, "-") == 0)
    return source_new_from_file (spec, error);
  if (pd_machine_is_inline (spec) && !g_file_test (spec, G_FILE_TEST_EXISTS))
    return source_new_inline (spec, error);
  if (strchr (spec, '/') != NULL || g_file_test (spec, G_FILE_TEST_IS_REGULAR))
    return source_new_from_file (spec, error);
  g_autofree char *path = find_by_name (spec, error);
  return path == NULL ? NULL : source_new_from_file (path, error);
}

PdMachine *
pd_machine_load (const char *spec, const char *const *settings, guint32 n_needed, GError **error)
{
  g_autoptr (PdMachineSource) source = pd_machine_source_new (spec, error);

  return source == NULL ? NULL : pd_machine_source_load (source, settings, n_needed, error);
}

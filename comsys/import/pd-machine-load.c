/* Machines are loaded: a description is found, whatever its form, and read.
 * SPDX-License-Identifier: MIT */
#include "comsys/import/pd-machine-load.h"

#include "comsys/description/pd-machine-parts.h"
#include "base/pd-error.h"
#include "base/pd-nearest.h"
#include "base/pd-number.h"
#include "comsys/description/pd-machine-faster.h"
#include "comsys/import/pd-dimemas-import-private.h"
#include "comsys/import/pd-loggopsim-import-private.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/import/pd-machine-import-private.h"
#include "comsys/description/pd-machine-inline.h"
#include "comsys/description/pd-machine-read.h"
#include "comsys/description/pd-machine-settings.h"
#include "comsys/description/pd-machine-xml.h"
#include "comsys/import/pd-par-file-private.h"
#include "comsys/description/pd-machine-files.h"
#include "comsys/description/pd-machine-folders.h"
#include "base/pd-file.h"

#include <string.h>

/* ---- forms */

static gboolean
is_xml (const char *text)
{
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    text += 3;
  text += strspn (text, " \t\r\n");
  return *text == '<';
}

/* The tree of a description of any form; @elastic: it has no number of nodes; @xml: its document if
 * it has that form, else it was made here, of values that were read one by one. */
static PdElement *
parse_any (GBytes *bytes, const char *origin, gboolean *elastic, PdMachineXml **xml, GError **error)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autofree char *text = g_strndup (size > 0 ? data : "", size);

  if (size == 0 || is_xml (text))
    return pd_machine_parse_xml (data, size, origin, xml, error);
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

/* As --cpu-ratio has it, and its reciprocal: beyond it times would be none, or too long. */
#define LEAST_RATIO 1e-6

/* The factor of @setting, if it is one of @ratio; else %NULL. */
static const char *
find_factor (const char *setting, const PdMachineRatio *ratio)
{
  gsize length = strlen (ratio->name);

  return strncmp (setting, ratio->name, length) == 0 && setting[length] == '='
             ? setting + length + 1
             : NULL;
}

/* @to: (array): the factor of each. @is_ratio: (out): whether @setting is one of these. */
static gboolean
take_ratio (const char *setting, gdouble *to, gboolean *is_ratio, GError **error)
{
  *is_ratio = FALSE;
  for (guint i = 0; i < PD_MACHINE_N_RATIOS; i++)
    {
      const char *text = find_factor (setting, &pd_machine_ratios[i]);
      gdouble factor = 0;
      if (text == NULL)
        continue;
      *is_ratio = TRUE;
      if (!pd_number_parse_real (text, &factor)
          || !(factor * to[i] >= LEAST_RATIO && factor * to[i] <= 1 / LEAST_RATIO))
        {
          g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                       "setting '%s': expected a number from 1e-6 to 1e6, all of them together",
                       setting);
          return FALSE;
        }
      to[i] *= factor;
    }
  return TRUE;
}

/* Noise of the kind "recorded" takes its size from the trace: refuses settings of its size, which
 * would have no effect. Attributes that the file has for another kind are allowed. */
static gboolean
check_noise (PdElement *root, const char *const *settings, GError **error)
{
  const char *kind = NULL;

  for (PdElement *n = root->children; n != NULL && kind == NULL; n = n->next)
    if (g_str_equal (n->name, "noise"))
      kind = pd_element_get (n, "kind");
  for (guint i = 0; g_strcmp0 (kind, "recorded") == 0 && settings[i] != NULL; i++)
    if (g_str_has_prefix (settings[i], "noise/") && !g_str_has_prefix (settings[i], "noise/kind="))
      return pd_fail (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                      "setting '%s': noise of the kind 'recorded' takes its size from the trace",
                      settings[i]);
  return TRUE;
}

static gboolean
apply_settings (PdElement *root, const char *origin, const char *const *settings, gdouble *to,
                GError **error)
{
  for (guint i = 0; settings != NULL && settings[i] != NULL; i++)
    {
      gboolean is_ratio = FALSE;
      if (take_ratio (settings[i], to, &is_ratio, error)
          && (is_ratio || pd_machine_apply_setting (root, settings[i], error)))
        continue;
      g_prefix_error (error, "%s: ", origin);
      return FALSE;
    }
  if (settings == NULL || check_noise (root, settings, error))
    return TRUE;
  g_prefix_error (error, "%s: ", origin);
  return FALSE;
}

/* A description that has been read, before anything is set in it. */
struct _PdMachineSource
{
  PdElement *root;
  PdMachineXml *xml; /* (nullable): to be compared with the schema */
  char *origin;      /* what messages call it */
  char *spec;        /* (nullable): of an inline machine */
  char *folder;      /* (nullable): where files are that it names */
  gboolean elastic;
};

void
pd_machine_source_free (PdMachineSource *self)
{
  if (self == NULL)
    return;
  pd_element_free (self->root);
  pd_machine_xml_free (self->xml);
  g_free (self->origin);
  g_free (self->spec);
  g_free (self->folder);
  g_free (self);
}

static PdMachineSource *
source_new_from_bytes (GBytes *bytes, const char *name, GError **error)
{
  gboolean elastic = FALSE;
  PdMachineXml *xml = NULL;
  PdElement *root = parse_any (bytes, name, &elastic, &xml, error);
  PdMachineSource *self;

  if (root == NULL)
    return NULL;
  self = g_new0 (PdMachineSource, 1);
  self->root = root;
  self->xml = xml;
  self->origin = g_strdup (name);
  self->elastic = elastic;
  return self;
}

static PdMachineSource *
source_new_inline (const char *spec, GError **error)
{
  PdElement *root = pd_machine_parse_inline (spec, error);
  PdMachineSource *self;

  if (root == NULL)
    return NULL;
  self = g_new0 (PdMachineSource, 1);
  self->root = root;
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

/* Whether the schema allows the description, of which @root with the settings was read. The schema
 * itself is only needed where that is not certain. */
static gboolean
check_schema (PdMachineSource *self, const PdElement *root, guint32 n_needed, GError **error)
{
  gboolean is_read = root == self->root;

  if (!is_read)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (PdMachine) machine =
          pd_machine_read (self->root, self->origin, self->elastic, n_needed, &local);
      is_read = machine != NULL;
    }
  return (is_read && pd_machine_fits_schema (self->root))
         || pd_machine_validate (self->xml, self->origin, error);
}

/* @root: with the settings. */
static PdMachine *
read_tree (PdMachineSource *self, PdElement *root, guint32 n_needed, GError **error)
{
  g_autoptr (PdMachine) machine = NULL;

  machine = pd_machine_read (root, self->origin, self->elastic, n_needed, error);
  if (machine == NULL
      || (self->xml != NULL
          && (!check_schema (self, root, n_needed, error)
              || !pd_machine_check_sources (root, self->origin, error))))
    return NULL;
  /* once: what settings change are values, which the reader has looked at more closely */
  g_clear_pointer (&self->xml, pd_machine_xml_free);
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
    return read_tree (self, self->root, n_needed, error);
  g_autoptr (PdElement) root = pd_element_copy (self->root);
  gdouble factors[PD_MACHINE_N_RATIOS];

  for (guint i = 0; i < PD_MACHINE_N_RATIOS; i++)
    factors[i] = 1;
  if (!apply_settings (root, self->origin, settings, factors, error))
    return NULL;
  PdMachine *machine = read_tree (self, root, n_needed, error);
  if (machine == NULL)
    return NULL;
  for (guint i = 0; i < PD_MACHINE_N_RATIOS; i++)
    if (factors[i] < 1 || factors[i] > 1)
      pd_machine_ratios[i].apply (machine, factors[i]);
  return machine;
}

PdMachine *
pd_machine_load_bytes (GBytes *bytes, const char *name, const char *const *settings,
                       guint32 n_needed, GError **error)
{
  g_autoptr (PdMachineSource) source = source_new_from_bytes (bytes, name, error);

  return source == NULL ? NULL : pd_machine_source_load (source, settings, n_needed, error);
}

/* ---- finding */

static char *
find_by_name (const char *name, GError **error)
{
  g_auto (GStrv) folders = pd_machine_get_folders ();
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
  if (strchr (spec, '/') != NULL || pd_file_exists (spec))
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

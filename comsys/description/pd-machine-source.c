/* The elements "source" of a machine description: where its values come from.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-source-private.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-settings.h"
#include "comsys/description/pd-machine-values-private.h"

static const char *const kinds[] = { [PD_VALUE_MEASURED] = "measured",
                                     [PD_VALUE_FITTED] = "fitted",
                                     [PD_VALUE_SPECIFICATION] = "specification",
                                     [PD_VALUE_ESTIMATE] = "estimate",
                                     NULL };

const char *
pd_value_source_name (PdValueSourceKind kind)
{
  g_return_val_if_fail ((guint) kind < PD_VALUE_N_SOURCES, NULL);

  return kinds[kind];
}

static void
clear_source (gpointer data)
{
  PdValueSource *source = data;

  g_free (source->paths);
  g_free (source->text);
}

/* The attribute "path": one path or more, between blanks. Ends with %NULL. */
static char **
split_paths (PdElement *node)
{
  const char *text = pd_element_get (node, "path");
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", " ", -1);
  GPtrArray *paths = g_ptr_array_new ();

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_ptr_array_add (paths, g_strdup (words[i]));
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}

static gboolean
read_source (PdMachineReader *self, PdElement *node, GArray *sources)
{
  const char *kind = pd_element_get (node, "kind");
  g_autofree char *text = pd_machine_read_text (node);
  guint chosen;

  if (!pd_machine_check_element (self, node))
    return FALSE;
  if (kind == NULL)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA, "attribute 'kind' is missing");
  if (!pd_machine_read_choice (self, node, "kind", kind, kinds, &chosen))
    return FALSE;
  if (*text == '\0')
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                            "expected text: which document, or how the value was derived");
  g_auto (GStrv) paths = split_paths (node);
  if (paths[0] == NULL)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA, "attribute 'path' is missing");
  PdValueSource source = { g_strjoinv (", ", paths), (PdValueSourceKind) chosen,
                           g_steal_pointer (&text) };
  g_array_append_val (sources, source);
  return TRUE;
}

gboolean
pd_machine_read_sources (PdMachineReader *self, PdElement *root, PdMachine *machine)
{
  machine->sources = g_array_new (FALSE, FALSE, sizeof (PdValueSource));
  g_array_set_clear_func (machine->sources, clear_source);
  for (PdElement *child = root->children; child != NULL; child = child->next)
    if (pd_machine_is_named (child, "source") && !read_source (self, child, machine->sources))
      return FALSE;
  return TRUE;
}

/* ---- paths */

/* A setting of the path fails where there is no such value. @scratch is a copy of the description.
 */
static gboolean
try_path (PdMachineReader *self, PdElement *node, const char *path, PdElement *scratch)
{
  g_autofree char *setting = g_strconcat (path, "=0", NULL);
  g_autoptr (GError) local = NULL;

  return pd_machine_apply_setting (scratch, setting, &local)
         || pd_machine_fail (self, node, PD_MACHINE_ERROR_PATH, "%s", local->message);
}

gboolean
pd_machine_check_sources (PdElement *root, const char *origin, GError **error)
{
  PdMachineReader reader = { .origin = origin, .error = error };
  g_autoptr (PdElement) scratch = NULL;

  for (PdElement *child = root->children; child != NULL; child = child->next)
    {
      if (!pd_machine_is_named (child, "source"))
        continue;
      g_auto (GStrv) paths = split_paths (child);
      if (scratch == NULL)
        scratch = pd_element_copy (root);
      for (guint i = 0; paths[i] != NULL; i++)
        if (!try_path (&reader, child, paths[i], scratch))
          return FALSE;
    }
  return TRUE;
}

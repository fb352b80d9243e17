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

/* A setting of the path fails where there is no such value. @scratch is a copy of the description.
 */
static gboolean
try_path (PdMachineReader *self, xmlNode *node, const char *path, xmlDoc *scratch)
{
  g_autofree char *setting = g_strconcat (path, "=0", NULL);
  g_autoptr (GError) local = NULL;

  return pd_machine_apply_setting (scratch, setting, &local)
         || pd_machine_fail (self, node, PD_MACHINE_ERROR_PATH, "%s", local->message);
}

/* The attribute "path": one path or more, between blanks. */
static char *
read_paths (PdMachineReader *self, xmlNode *node, xmlDoc *scratch)
{
  g_autofree char *text = pd_machine_attribute (node, "path");
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", " ", -1);
  g_autoptr (GString) paths = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (*words[i] == '\0')
        continue;
      if (!try_path (self, node, words[i], scratch))
        return NULL;
      g_string_append_printf (paths, "%s%s", paths->len > 0 ? ", " : "", words[i]);
    }
  if (paths->len > 0)
    return g_string_free (g_steal_pointer (&paths), FALSE);
  pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA, "attribute 'path' is missing");
  return NULL;
}

static gboolean
read_source (PdMachineReader *self, xmlNode *node, xmlDoc *scratch, GArray *sources)
{
  g_autofree char *kind = pd_machine_attribute (node, "kind");
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
  char *paths = read_paths (self, node, scratch);
  if (paths == NULL)
    return FALSE;
  PdValueSource source = { paths, (PdValueSourceKind) chosen, g_steal_pointer (&text) };
  g_array_append_val (sources, source);
  return TRUE;
}

gboolean
pd_machine_read_sources (PdMachineReader *self, xmlNode *root, PdMachine *machine)
{
  g_autoptr (xmlDoc) scratch = NULL;

  machine->sources = g_array_new (FALSE, FALSE, sizeof (PdValueSource));
  g_array_set_clear_func (machine->sources, clear_source);
  for (xmlNode *child = root->children; child != NULL; child = child->next)
    {
      if (!pd_machine_is_named (child, "source"))
        continue;
      if (scratch == NULL)
        scratch = xmlCopyDoc (root->doc, 1);
      if (!read_source (self, child, scratch, machine->sources))
        return FALSE;
    }
  return TRUE;
}

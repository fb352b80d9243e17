/* The words of machine descriptions, from the tables that descriptions are read by.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-elements.h"
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/description/pd-machine-parts.h"
#include "comsys/description/pd-machine-tools.h"
#include "comsys/coll/pd-coll-algorithms.h"
#include "comsys/description/pd-machine-collectives-private.h"
#include "comsys/description/pd-machine-inline.h"
#include "comsys/description/pd-machine-words.h"
#include "comsys/coll/pd-op.h"
#include "comsys/coll/pd-coll-schedule.h"

#include <string.h>

/* "PREFIXname=", or a word for each of its choices. */
static void
add_param (GPtrArray *words, const char *prefix, const PdParam *param)
{
  if (param->choices == NULL)
    g_ptr_array_add (words, g_strconcat (prefix, param->name, "=", NULL));
  for (guint i = 0; param->choices != NULL && param->choices[i] != NULL; i++)
    g_ptr_array_add (words, g_strconcat (prefix, param->name, "=", param->choices[i], NULL));
}

static void
add_params (GPtrArray *words, const char *prefix, const PdParam *params)
{
  for (const PdParam *p = params; p->name != NULL; p++)
    add_param (words, prefix, p);
}

/* Of the attributes that are no numbers; types and names are none of a setting. */
static void
add_texts (GPtrArray *words, const char *prefix, const char *element)
{
  const PdMachineElement *e = pd_machine_element_find (element);

  for (guint i = 0; e->texts[i] != NULL; i++)
    if (strcmp (e->texts[i], "type") != 0 && strcmp (e->texts[i], "name") != 0)
      g_ptr_array_add (words, g_strconcat (prefix, e->texts[i], "=", NULL));
}

static void
add_sets (GPtrArray *words, const char *prefix)
{
  const char *const *sets = pd_machine_collective_sets ();

  for (guint i = 0; sets[i] != NULL; i++)
    g_ptr_array_add (words, g_strconcat (prefix, sets[i], NULL));
}

/* "PREFIXbcast=binomial" */
static void
add_algorithms (GPtrArray *words, const char *prefix)
{
  for (const PdAlgorithm *a = pd_algorithms; a->name != NULL; a++)
    g_ptr_array_add (words, g_strconcat (prefix, pd_op_get_name (a->op), "=", a->name, NULL));
}

/* ---- the kinds of words */

static void
add_types (GPtrArray *words)
{
  for (guint i = 0; pd_network_class_get (i) != NULL; i++)
    g_ptr_array_add (words, g_strdup (pd_network_class_get (i)->type));
}

static void
add_keys (GPtrArray *words)
{
  for (guint i = 0; pd_network_class_get (i) != NULL; i++)
    {
      g_autofree char *prefix = g_strconcat (pd_network_class_get (i)->type, ":", NULL);
      add_params (words, prefix, pd_network_class_get (i)->params);
    }
  for (guint i = 0; pd_machine_inline_key (i) != NULL; i++)
    if (strcmp (pd_machine_inline_key (i), "collectives") != 0)
      g_ptr_array_add (words, g_strconcat (pd_machine_inline_key (i), "=", NULL));
  add_texts (words, "", "network");
  add_sets (words, "collectives=");
  add_algorithms (words, "");
  add_params (words, "", pd_machine_element_find ("software")->params);
}

static void
add_settings (GPtrArray *words)
{
  static const char *const elements[] = { "nodes", "software", "io", "cache", "noise" };

  for (guint i = 0; pd_network_class_get (i) != NULL; i++)
    add_params (words, "network/", pd_network_class_get (i)->params);
  for (gsize i = 0; i < G_N_ELEMENTS (elements); i++)
    {
      g_autofree char *prefix = g_strconcat (elements[i], "/", NULL);
      add_texts (words, prefix, elements[i]);
      add_params (words, prefix, pd_machine_element_find (elements[i])->params);
    }
  add_texts (words, "network/", "network");
  add_params (words, "nodes/memory/", pd_network_class_find ("memory")->params);
  add_sets (words, "collectives/set=");
  add_algorithms (words, "collectives/");
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Sorted; types have parameters in common. */
static char **
finish (GPtrArray *words)
{
  GPtrArray *kept = g_ptr_array_new ();

  g_ptr_array_sort (words, compare);
  for (guint i = 0; i < words->len; i++)
    if (i == 0 || strcmp (g_ptr_array_index (words, i - 1), g_ptr_array_index (words, i)) != 0)
      g_ptr_array_add (kept, g_strdup (g_ptr_array_index (words, i)));
  g_ptr_array_add (kept, NULL);
  return (char **) g_ptr_array_free (kept, FALSE);
}

char **
pd_machine_get_words (PdMachineWords what)
{
  static void (*const kinds[]) (GPtrArray * words) = {
    [PD_MACHINE_WORDS_TYPES] = add_types,
    [PD_MACHINE_WORDS_KEYS] = add_keys,
    [PD_MACHINE_WORDS_SETTINGS] = add_settings,
  };
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail ((guint) what < G_N_ELEMENTS (kinds), NULL);

  kinds[what](words);
  return finish (words);
}

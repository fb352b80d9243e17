/* Overrides by path: "network[2]/nodes/speed=2", "network/latency=x1.5", over the XML tree.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/pd-nearest.h"
#include "base/pd-number.h"
#include "base/pd-text.h"
#include "comsys/description/pd-machine-parts.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-settings.h"

#include <string.h>

/* Elements without content that has to be there: they can be set although the
 * file does not have them. */
static const char *const optional[] = { "collectives", "software", "io", "cache", "noise", NULL };

/* One step of a path: NAME, NAME[2] or NAME[@attribute='value']. */
typedef struct
{
  char *name;
  guint index; /* from 1; 0 = none */
  char *attribute;
  char *value;
} Step;

static void
step_clear (Step *step)
{
  g_free (step->name);
  g_free (step->attribute);
  g_free (step->value);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Step, step_clear)

/* "@attribute='value'" or "@attribute=\"value\"" */
static gboolean
parse_condition (const char *text, Step *step)
{
  const char *equals = strchr (text, '=');
  gsize n = equals == NULL ? 0 : strlen (equals + 1);

  if (*text != '@' || equals == NULL || equals == text + 1 || n < 2
      || (equals[1] != '\'' && equals[1] != '"') || equals[n] != equals[1])
    return FALSE;
  step->attribute = g_strndup (text + 1, (gsize) (equals - text - 1));
  step->value = g_strndup (equals + 2, n - 2);
  return TRUE;
}

static gboolean
parse_step (const char *text, Step *step)
{
  const char *open = strchr (text, '[');
  gsize n = strlen (text);

  *step = (Step){ .name = g_strndup (text, open != NULL ? (gsize) (open - text) : n) };
  if (*step->name == '\0')
    return FALSE;
  if (open == NULL)
    return TRUE;
  if (text[n - 1] != ']')
    return FALSE;
  g_autofree char *inner = g_strndup (open + 1, n - (gsize) (open - text) - 2);
  guint64 index;
  if (!g_ascii_string_to_unsigned (inner, 10, 1, G_MAXUINT, &index, NULL))
    return parse_condition (inner, step);
  step->index = (guint) index;
  return TRUE;
}

static gboolean
step_matches (const Step *step, PdElement *node, guint index)
{
  if (step->index != 0)
    return index == step->index;
  if (step->attribute == NULL)
    return TRUE;
  const char *value = pd_element_get (node, step->attribute);
  return value != NULL && strcmp (value, step->value) == 0;
}

/* Appends the children of @parent that @step names to @found. */
static void
take_step (const Step *step, PdElement *parent, GPtrArray *found)
{
  guint index = 0, before = found->len;

  for (PdElement *child = parent->children; child != NULL; child = child->next)
    if (strcmp (child->name, step->name) == 0 && step_matches (step, child, ++index))
      g_ptr_array_add (found, child);

  if (found->len == before && index == 0 && step->index <= 1 && step->attribute == NULL
      && g_str_equal (parent->name, "machine") && g_strv_contains (optional, step->name))
    g_ptr_array_add (found, pd_element_add (parent, step->name));
}

static gboolean
has_attribute (PdElement *node, const char *name)
{
  g_autoptr (GPtrArray) names = pd_machine_element_attributes (node);

  return g_strv_contains ((const char *const *) names->pdata, name);
}

/* Splits at the slashes outside of brackets. */
static GPtrArray *
split_path (const char *path)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_free);
  const char *start = path;
  gboolean inside = FALSE;

  for (const char *p = path;; p++)
    {
      if (*p == '\0' || (*p == '/' && !inside))
        {
          g_ptr_array_add (steps, g_strndup (start, (gsize) (p - start)));
          start = p + 1;
        }
      if (*p == '\0')
        return steps;
      inside = *p == '[' || (inside && *p != ']');
    }
}

/* The elements that the path without its last step names; NULL if it is not a
 * path at all. */
static GPtrArray *
find_elements (PdElement *root, const GPtrArray *steps)
{
  g_autoptr (GPtrArray) current = g_ptr_array_new ();

  g_ptr_array_add (current, root);
  for (guint i = 0; i + 1 < steps->len; i++)
    {
      g_auto (Step) step = { NULL, 0, NULL, NULL };
      g_autoptr (GPtrArray) next = g_ptr_array_new ();
      if (!parse_step (g_ptr_array_index (steps, i), &step))
        return NULL;
      for (guint j = 0; j < current->len; j++)
        take_step (&step, g_ptr_array_index (current, j), next);
      g_ptr_array_unref (current);
      current = g_steal_pointer (&next);
    }
  return g_steal_pointer (&current);
}

/* ---- the paths that exist, for the message */

#define MAX_PATHS 100

static gboolean
has_twin (const PdElement *node)
{
  for (const PdElement *n = node->parent->children; n != NULL; n = n->next)
    if (n != node && g_str_equal (n->name, node->name))
      return TRUE;
  return FALSE;
}

static guint
get_index (const PdElement *node)
{
  guint index = 1;

  for (const PdElement *n = node->parent->children; n != node; n = n->next)
    if (g_str_equal (n->name, node->name))
      index++;
  return index;
}

static void
list_paths (PdElement *node, const char *prefix, GPtrArray *paths)
{
  g_autoptr (GPtrArray) names = pd_machine_element_attributes (node);

  for (guint i = 0; i + 1 < names->len && paths->len < MAX_PATHS; i++)
    g_ptr_array_add (paths, g_strconcat (prefix, g_ptr_array_index (names, i), NULL));
  for (PdElement *child = node->children; child != NULL && paths->len < MAX_PATHS;
       child = child->next)
    {
      g_autofree char *step = NULL;
      if (g_str_equal (child->name, "source"))
        continue;
      if (has_twin (child))
        step = g_strdup_printf ("%s%s[%u]/", prefix, child->name, get_index (child));
      else
        step = g_strdup_printf ("%s%s/", prefix, child->name);
      list_paths (child, step, paths);
    }
}

static char **
known_paths (PdElement *root)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; optional[i] != NULL; i++)
    {
      Step step = { (char *) optional[i], 0, NULL, NULL };
      g_autoptr (GPtrArray) unused = g_ptr_array_new ();
      take_step (&step, root, unused);
    }
  list_paths (root, "", paths);
  if (paths->len == MAX_PATHS)
    g_ptr_array_add (paths, g_strdup ("…"));
  g_ptr_array_add (paths, NULL);
  g_ptr_array_set_free_func (paths, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&paths), FALSE);
}

/* Names of one thing: what users know it by, and what networks here call it. */
static const char *const synonyms[][8] = {
  { "startup", "latency", "nic-latency", "delay", "alpha", "l" },
  { "per-byte", "bandwidth", "nic-bandwidth", "rate", "beta", "gap", "throughput" },
  { "eager", "rendezvous", "eager-limit", "threshold", "s" },
  { "speed", "cpu", "flops", "frequency", "power" },
  { "processors", "cores", "cpus", "procs", "ranks" },
  { "channels", "ports", "buses", "links" },
  { "send-overhead", "recv-overhead", "overhead", "o" },
};

static gboolean
mean_the_same (const char *a, const char *b)
{
  for (gsize i = 0; i < G_N_ELEMENTS (synonyms); i++)
    if (g_strv_contains (synonyms[i], a) && g_strv_contains (synonyms[i], b))
      return TRUE;
  return FALSE;
}

static const char *
last_step (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

/* The synonym that @word was meant to be; NULL: none. */
static const char *
find_synonym (const char *word)
{
  const char *all[G_N_ELEMENTS (synonyms) * G_N_ELEMENTS (synonyms[0]) + 1] = { NULL };
  gsize n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (synonyms); i++)
    for (gsize k = 0; synonyms[i][k] != NULL; k++)
      all[n++] = synonyms[i][k];
  return pd_nearest_find (word, all);
}

/* The path whose attribute is another name of @word, in the element of @path if there is one. */
static const char *
find_named (const char *path, const char *word, char **paths)
{
  const char *found = NULL;
  gsize n = (gsize) (last_step (path) - path);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      const char *last = last_step (paths[i]);
      if (!mean_the_same (word, last))
        continue;
      if (n > 0 && (gsize) (last - paths[i]) == n && strncmp (path, paths[i], n) == 0)
        return paths[i];
      if (found == NULL)
        found = paths[i];
    }
  return found;
}

/* What @path was meant to be: by its meaning, by its letters, by the meaning of a misspelt word. */
static const char *
find_meant (const char *path, char **paths)
{
  g_autofree char *word = g_ascii_strdown (last_step (path), -1);
  const char *meant = find_named (path, word, paths);

  if (meant == NULL)
    meant = pd_nearest_find (path, (const char *const *) paths);
  if (meant != NULL)
    return meant;
  const char *synonym = find_synonym (word);
  return synonym != NULL ? find_named (path, synonym, paths) : NULL;
}

static gboolean
fail (PdElement *root, const char *setting, GError **error)
{
  g_auto (GStrv) paths = known_paths (root);
  g_autofree char *all = g_strjoinv (", ", paths);
  g_autofree char *path = g_strndup (setting, strcspn (setting, "*="));
  const char *meant = find_meant (path, paths);
  g_autofree char *hint =
      meant != NULL ? g_strdup_printf ("; did you mean '%s'?", meant) : g_strdup (";");

  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_PATH,
               "setting '%s': no such path%s expected PATH=VALUE with a path of: %s", setting, hint,
               all);
  return FALSE;
}

/* The end of the path: the first '=' that is not inside brackets. */
static const char *
find_equals (const char *setting)
{
  gboolean inside = FALSE;

  for (const char *p = setting; *p != '\0'; p++)
    {
      if (*p == '=' && !inside)
        return p;
      inside = *p == '[' || (inside && *p != ']');
    }
  return NULL;
}

const char *
pd_machine_network_attribute (const char *name)
{
  static const struct
  {
    const char *alias;
    const char *attribute;
  } aliases[] = { { "S", "eager" }, { "L", "latency" } };

  for (gsize i = 0; i < G_N_ELEMENTS (aliases); i++)
    if (strcmp (aliases[i].alias, name) == 0)
      return aliases[i].attribute;
  return name;
}

/* The default of an absent attribute; %NULL: it has no default that is a number. */
static const char *
get_fallback (PdElement *node, const char *name)
{
  const PdNetworkClass *class = pd_machine_element_class (node);
  const PdMachineElement *element = pd_machine_element_find (node->name);
  const PdParam *const tables[] = { class != NULL ? class->params : NULL,
                                    element != NULL ? element->params : NULL };

  if (strcmp (name, "speed") == 0 && g_str_equal (node->name, "nodes"))
    return "1"; /* may be a list, and is none of the parameters */
  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    for (const PdParam *p = tables[i]; p != NULL && p->name != NULL; p++)
      if (strcmp (p->name, name) == 0)
        return p->fallback;
  return NULL;
}

/* The number at the beginning of @text, times @factor, with the unit that follows. */
static char *
multiply (const char *text, gdouble factor)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *rest = NULL;
  gdouble value;

  /* shapes and lists are not numbers */
  if (text == NULL || !pd_number_parse_real_before (text, &rest, &value)
      || strpbrk (rest, "x:,;") != NULL)
    return NULL;
  g_ascii_dtostr (number, sizeof number, value * factor);
  return g_strconcat (number, rest, NULL);
}

/* PATH*=FACTOR, PATH=xFACTOR */
static gboolean
scale_attribute (PdElement *node, const char *name, const char *setting, const char *text,
                 GError **error)
{
  gdouble factor = 0;
  const char *own = pd_element_get (node, name);
  const char *value = own != NULL ? own : get_fallback (node, name);
  /* "=NAME": what stands for the attribute NAME */
  const char *other = value != NULL && *value == '=' ? pd_element_get (node, value + 1) : NULL;
  g_autofree char *product = NULL;

  if (!pd_number_parse_real (text, &factor) || !(factor > 0))
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                   "setting '%s': expected a factor above 0", setting);
      return FALSE;
    }
  product = multiply (other != NULL ? other : value, factor);
  if (product == NULL)
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                   "setting '%s': the value is no number that could be multiplied", setting);
      return FALSE;
    }
  if (factor < 1 || factor > 1)
    pd_element_set (node, name, product);
  return TRUE;
}

/* ---- algorithms */

#define COLLECTIVES "collectives/"

/* The operation of "collectives/OPERATION", which no attribute is called. */
static const char *
find_operation (const char *path)
{
  const char *name = g_str_has_prefix (path, COLLECTIVES) ? path + strlen (COLLECTIVES) : NULL;

  return name != NULL && pd_machine_is_operation (name) ? name : NULL;
}

/* One algorithm for all sizes, instead of the choices of the description. */
static void
set_algorithm (PdElement *root, const char *operation, const char *algorithm)
{
  const Step step = { (char *) "collectives", 0, NULL, NULL };
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  take_step (&step, root, found);
  PdElement *parent = g_ptr_array_index (found, 0);
  for (PdElement *child = parent->children, *next; child != NULL; child = next)
    {
      next = child->next;
      if (!g_str_equal (child->name, "use"))
        continue;
      const char *of = pd_element_get (child, "operation");
      if (g_strcmp0 (of, operation) != 0)
        continue;
      pd_element_remove (child);
    }
  PdElement *use = pd_element_add (parent, "use");
  pd_element_set (use, "operation", operation);
  pd_element_set (use, "algorithm", algorithm);
}

gboolean
pd_machine_apply_setting (PdElement *root, const char *setting, GError **error)
{
  const char *equals = find_equals (setting);
  const char *forbidden = pd_text_find_forbidden (setting, strlen (setting));

  if (forbidden != NULL)
    return pd_fail (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_PATH,
                    "setting '%s': byte %" G_GSIZE_FORMAT " begins what no XML can hold", setting,
                    (gsize) (forbidden - setting) + 1);
  if (equals == NULL)
    return pd_fail (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_PATH,
                    "setting '%s': expected PATH=VALUE such as 'network/startup=2us'", setting);

  gboolean is_starred = equals > setting && equals[-1] == '*';
  gboolean is_factor = is_starred || (equals[1] == 'x' && g_ascii_isdigit (equals[2]));
  const char *value = equals + (is_factor && !is_starred ? 2 : 1);
  g_autofree char *path = g_strndup (setting, (gsize) (equals - setting) - (is_starred ? 1 : 0));
  const char *operation = find_operation (path);
  if (operation != NULL && !is_factor)
    {
      set_algorithm (root, operation, equals + 1);
      return TRUE;
    }
  g_autoptr (GPtrArray) steps = split_path (path);
  g_autoptr (GPtrArray) elements = find_elements (root, steps);
  const char *name = g_ptr_array_index (steps, steps->len - 1);
  if (elements == NULL || elements->len == 0)
    return fail (root, setting, error);
  const PdElement *first = g_ptr_array_index (elements, 0);
  if (g_str_equal (first->name, "network"))
    name = pd_machine_network_attribute (name);
  for (guint i = 0; i < elements->len; i++)
    if (!has_attribute (g_ptr_array_index (elements, i), name))
      return fail (root, setting, error);
  for (guint i = 0; i < elements->len; i++)
    {
      PdElement *element = g_ptr_array_index (elements, i);
      if (!is_factor)
        pd_element_set (element, name, value);
      else if (!scale_attribute (element, name, setting, value, error))
        return FALSE;
    }
  return TRUE;
}

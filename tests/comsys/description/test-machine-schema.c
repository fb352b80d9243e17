/* Descriptions that the reader takes: what the schema says of thousands of them that were changed
 * at random.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-parts.h"
#include "comsys/description/pd-machine-read.h"
#include "comsys/description/pd-machine-xml.h"

#include <string.h>

#define N_TREES 4000 /* changed */

static GRand *chance;
static GPtrArray *trees;  /* of descriptions */
static GPtrArray *names;  /* of their attributes */
static GPtrArray *values; /* of these */

static void
add_values (const PdElement *self)
{
  for (const PdAttribute *a = self->attributes; a != NULL; a = a->next)
    {
      g_ptr_array_add (names, g_strdup (a->name));
      g_ptr_array_add (values, g_strdup (a->value));
    }
  for (const PdElement *child = self->children; child != NULL; child = child->next)
    add_values (child);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static PdElement *
parse (const char *text)
{
  PdMachineXml *xml = NULL;
  PdElement *root = pd_machine_parse_xml (text, strlen (text), "text", &xml, NULL);

  g_assert_nonnull (root);
  pd_machine_xml_free (xml);
  return root;
}

/* In the order of their names, so that numbers at random choose the same. */
static void
add_trees (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, ".xml"))
      g_ptr_array_add (files, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (files, compare);
  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *text = NULL;
      g_assert_true (g_file_get_contents (files->pdata[i], &text, NULL, NULL));
      g_ptr_array_add (trees, parse (text));
      add_values (trees->pdata[trees->len - 1]);
    }
}

static gpointer
choose (const GPtrArray *array)
{
  return array->pdata[g_rand_int_range (chance, 0, (gint32) array->len)];
}

/* ---- trees */

static void
list (PdElement *self, GPtrArray *all)
{
  g_ptr_array_add (all, self);
  for (PdElement *child = self->children; child != NULL; child = child->next)
    list (child, all);
}

static PdElement *
choose_element (PdElement *root)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  list (root, all);
  return choose (all);
}

/* A copy of @child becomes the last one of @parent. */
static void
add_copy (PdElement *parent, const PdElement *child)
{
  PdElement *copy = pd_element_add (parent, child->name);

  for (const PdAttribute *a = child->attributes; a != NULL; a = a->next)
    pd_element_set (copy, a->name, a->value);
  if (child->text != NULL)
    pd_element_set_text (copy, child->text);
  for (const PdElement *c = child->children; c != NULL; c = c->next)
    add_copy (copy, c);
}

static void
change_attribute (PdElement *element)
{
  static const char *const odd[] = { "",    " ",   "0",  "1",   " 1",  "1 ",  "+1",     "1e0",
                                     "-1",  "nan", "01", "1.",  "1.5", "1s",  "1 us",   "none",
                                     "1kB", "1:2", "1:", "yes", "4x4", "1.0", "1GB/s ", "\t1\n" };
  PdAttribute *a = element->attributes;
  gint action = g_rand_int_range (chance, 0, 5);

  for (gint skip = g_rand_int_range (chance, 0, 8); a != NULL && a->next != NULL && skip > 0;
       skip--)
    a = a->next;
  if (a == NULL || action == 0)
    pd_element_set (element, choose (names), choose (values));
  else if (action == 1)
    pd_element_set (element, a->name, odd[g_rand_int_range (chance, 0, G_N_ELEMENTS (odd))]);
  else if (action == 2 && element->attributes != a)
    { /* none any more */
      PdAttribute *before = element->attributes;
      while (before->next != a)
        before = before->next;
      before->next = a->next;
      g_free (a->name);
      g_free (a->value);
      g_free (a);
    }
  else
    pd_element_set (element, a->name, choose (values));
}

static void
change_tree (PdElement *root)
{
  PdElement *element = choose_element (root), *parent = element->parent;
  gint action = g_rand_int_range (chance, 0, 10);

  if (action == 0 && parent != NULL)
    pd_element_remove (element);
  else if (action == 1 && parent != NULL)
    add_copy (parent, element);
  else if (action == 2 && parent != NULL)
    { /* behind the others */
      add_copy (parent, element);
      pd_element_remove (element);
    }
  else if (action == 3)
    add_copy (element, choose_element (choose (trees)));
  else if (action == 4)
    pd_element_set_text (element, g_rand_boolean (chance) ? "x" : " \n ");
  else
    change_attribute (element);
}

/* Whether the schema allows it. */
static gboolean
is_valid (const PdElement *root)
{
  g_autofree char *text = pd_element_to_xml (root);
  g_autoptr (PdElement) again = NULL;
  PdMachineXml *xml = NULL;

  again = pd_machine_parse_xml (text, strlen (text), "text", &xml, NULL);
  g_assert_nonnull (again);
  gboolean valid = pd_machine_validate (xml, "text", NULL);
  pd_machine_xml_free (xml);
  return valid;
}

static void
test_changed_trees (void)
{
  guint n = 0;

  for (guint i = 0; i < N_TREES; i++)
    {
      g_autoptr (PdElement) root = pd_element_copy (choose (trees));
      for (gint k = g_rand_int_range (chance, 1, 4); k > 0; k--)
        change_tree (root);
      g_autoptr (PdMachine) machine = pd_machine_read (root, "text", FALSE, 0, NULL);
      if (machine == NULL || !pd_machine_fits_schema (root))
        continue;
      n++;
      if (!is_valid (root))
        {
          g_autofree char *text = pd_element_to_xml (root);
          g_error ("the schema refuses: %s", text);
        }
    }
  g_test_message ("%u of %d descriptions are taken", n, N_TREES);
  g_assert_cmpuint (n, >, N_TREES / 20);
}

/* What the reader takes and the schema does not. */
static void
test_only_reader (void)
{
  static const char table[] = "<table level='network'><row size='1B' time='1us'/></table>";
  static const struct
  {
    const char *version, *before, *after;
    gboolean fits;
  } cases[] = {
    { "", "T", "", TRUE },
    { "version='1'", "T", "", TRUE },
    { "version='+1'", "T", "", FALSE },
    { "version='1.0'", "T", "", FALSE },
    { "", "", "T", FALSE },
    { "", "T", "T", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text =
          g_strdup_printf ("<machine name='m' %s><network type='contention' "
                           "name='n'>%s<nodes/>%s</network></machine>",
                           cases[i].version, cases[i].before[0] != '\0' ? table : "",
                           cases[i].after[0] != '\0' ? table : "");
      g_autoptr (PdElement) root = parse (text);
      g_assert_cmpint (pd_machine_fits_schema (root), ==, cases[i].fits);
      g_assert_cmpint (is_valid (root), ==, cases[i].fits);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  chance = g_rand_new_with_seed (1);
  trees = g_ptr_array_new_with_free_func ((GDestroyNotify) pd_element_free);
  names = g_ptr_array_new_with_free_func (g_free);
  values = g_ptr_array_new_with_free_func (g_free);
  add_trees ("machines");
  add_trees ("tests/data");
  g_test_add_func ("/comsys/description/schema/changed-trees", test_changed_trees);
  g_test_add_func ("/comsys/description/schema/only-reader", test_only_reader);
  int status = g_test_run ();
  g_rand_free (chance);
  g_ptr_array_unref (trees);
  g_ptr_array_unref (names);
  g_ptr_array_unref (values);
  return status;
}

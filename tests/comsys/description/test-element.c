/* Descriptions as trees: what is changed in them, and their text.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-xml.h"

#include <string.h>

#define NAME "a<b> & \"c\" 'd' \xc3\xa9"

/* The names of the children, each after a blank. */
static char *
list (const PdElement *parent)
{
  GString *names = g_string_new (NULL);

  for (const PdElement *child = parent->children; child != NULL; child = child->next)
    g_string_append_printf (names, " %s", child->name);
  return g_string_free (names, FALSE);
}

static void
assert_children (const PdElement *parent, const char *expected)
{
  g_autofree char *names = list (parent);

  g_assert_cmpstr (names, ==, expected);
}

/* Children are taken out at either end and between, and added after that. */
static void
test_children (void)
{
  g_autoptr (PdElement) root = pd_element_new ("machine");
  PdElement *a = pd_element_add (root, "a"), *b = pd_element_add (root, "b");
  PdElement *c = pd_element_add (root, "c"), *d = pd_element_add (root, "d");

  pd_element_remove (b);
  assert_children (root, " a c d");
  pd_element_remove (d);
  pd_element_add (root, "e");
  assert_children (root, " a c e");
  pd_element_remove (a);
  assert_children (root, " c e");
  g_assert_true (pd_element_get_root (pd_element_add (c, "f")) == root);
  pd_element_remove (c);
  pd_element_remove (root->children);
  pd_element_add (root, "g");
  assert_children (root, " g");
}

static void
test_attributes (void)
{
  g_autoptr (PdElement) root = pd_element_new ("machine");

  g_assert_null (pd_element_get (root, "name"));
  pd_element_set (root, "name", "m");
  pd_element_set (root, "version", "1");
  g_autoptr (PdElement) copy = pd_element_copy (root);
  pd_element_set (root, "name", "n");
  g_assert_cmpstr (pd_element_get (root, "name"), ==, "n");
  g_assert_cmpstr (pd_element_get (copy, "name"), ==, "m");
  g_assert_cmpstr (root->attributes->name, ==, "name");
  g_assert_cmpstr (root->attributes->next->name, ==, "version");
  g_assert_null (root->attributes->next->next);
}

static PdElement *
parse (const char *text, PdMachineXml **xml)
{
  g_autoptr (GError) error = NULL;
  PdElement *root = pd_machine_parse_xml (text, strlen (text), "text", xml, &error);

  g_assert_no_error (error);
  return root;
}

/* What is written is read again, and written alike. */
static void
test_text (void)
{
  g_autoptr (PdElement) root = pd_element_new ("machine");
  PdMachineXml *xml = NULL;

  pd_element_set (root, "name", NAME);
  pd_element_set_text (pd_element_add (root, "description"), NAME);
  pd_element_set (pd_element_add (pd_element_add (root, "network"), "nodes"), "count", "4");
  g_autofree char *text = pd_element_to_xml (root);
  g_autoptr (PdElement) again = parse (text, &xml);
  pd_machine_xml_free (xml);
  g_assert_cmpstr (pd_element_get (again, "name"), ==, NAME);
  g_assert_cmpstr (again->children->text, ==, NAME);
  g_assert_cmpint (again->children->next->line, ==, 4);
  g_autofree char *second = pd_element_to_xml (again);
  g_assert_cmpstr (second, ==, text);
}

/* Names of other namespaces are none of ours; comments and blanks are nothing. */
static void
test_parse (void)
{
  PdMachineXml *xml = NULL;
  g_autoptr (PdElement) root =
      parse ("<machine xmlns:p='urn:p' p:name='x' name='y'>\n <!-- c -->\n"
             " <p:nodes/><network xmlns='urn:q'/>a<![CDATA[<b>]]></machine>",
             &xml);

  pd_machine_xml_free (xml);
  g_assert_cmpstr (pd_element_get (root, "name"), ==, "y");
  g_assert_cmpstr (pd_element_get (root, "p:name"), ==, "x");
  g_assert_cmpstr (root->text, ==, "a<b>");
  assert_children (root, " p:nodes {urn:q}network");
  g_assert_null (root->children->text);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comsys/description/element/children", test_children);
  g_test_add_func ("/comsys/description/element/attributes", test_attributes);
  g_test_add_func ("/comsys/description/element/text", test_text);
  g_test_add_func ("/comsys/description/element/parse", test_parse);
  return g_test_run ();
}

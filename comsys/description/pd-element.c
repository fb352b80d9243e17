/* A description as a tree of elements.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-element.h"

#include <string.h>

PdElement *
pd_element_new (const char *name)
{
  PdElement *self = g_new0 (PdElement, 1);

  self->name = g_strdup (name);
  return self;
}

void
pd_element_free (PdElement *self)
{
  if (self == NULL)
    return;
  for (PdElement *child = self->children, *next; child != NULL; child = next)
    {
      next = child->next;
      pd_element_free (child);
    }
  for (PdAttribute *a = self->attributes, *next; a != NULL; a = next)
    {
      next = a->next;
      g_free (a->name);
      g_free (a->value);
      g_free (a);
    }
  g_free (self->name);
  g_free (self->text);
  g_free (self);
}

static void
append (PdElement *parent, PdElement *child)
{
  *(parent->last_child != NULL ? &parent->last_child->next : &parent->children) = child;
  parent->last_child = child;
  child->parent = parent;
}

PdElement *
pd_element_copy (const PdElement *self)
{
  PdElement *copy = pd_element_new (self->name);

  copy->text = g_strdup (self->text);
  copy->line = self->line;
  for (const PdAttribute *a = self->attributes; a != NULL; a = a->next)
    pd_element_set (copy, a->name, a->value);
  for (const PdElement *child = self->children; child != NULL; child = child->next)
    append (copy, pd_element_copy (child));
  return copy;
}

PdElement *
pd_element_add (PdElement *parent, const char *name)
{
  PdElement *child = pd_element_new (name);

  append (parent, child);
  return child;
}

void
pd_element_remove (PdElement *self)
{
  PdElement **place = &self->parent->children, *before = NULL;

  for (; *place != self; place = &before->next)
    before = *place;
  *place = self->next;
  if (self->parent->last_child == self)
    self->parent->last_child = before;
  pd_element_free (self);
}

PdElement *
pd_element_get_root (PdElement *self)
{
  while (self->parent != NULL)
    self = self->parent;
  return self;
}

/* Where the attribute of that name is, or the next one would be. */
static PdAttribute **
find (PdElement *self, const char *name)
{
  PdAttribute **place = &self->attributes;

  while (*place != NULL && strcmp ((*place)->name, name) != 0)
    place = &(*place)->next;
  return place;
}

const char *
pd_element_get (const PdElement *self, const char *name)
{
  const PdAttribute *found = *find ((PdElement *) self, name);

  return found != NULL ? found->value : NULL;
}

void
pd_element_set (PdElement *self, const char *name, const char *value)
{
  PdAttribute **place = find (self, name);

  if (*place == NULL)
    {
      *place = g_new0 (PdAttribute, 1);
      (*place)->name = g_strdup (name);
    }
  char *old = (*place)->value;
  (*place)->value = g_strdup (value);
  g_free (old);
}

void
pd_element_set_text (PdElement *self, const char *text)
{
  g_free (self->text);
  self->text = g_strdup (text);
}

static void
append_xml (const PdElement *self, gint depth, GString *xml)
{
  g_string_append_printf (xml, "%*s<%s", 2 * depth, "", self->name);
  for (const PdAttribute *a = self->attributes; a != NULL; a = a->next)
    {
      g_autofree char *value = g_markup_escape_text (a->value, -1);
      g_string_append_printf (xml, " %s=\"%s\"", a->name, value);
    }
  if (self->children == NULL && self->text == NULL)
    {
      g_string_append (xml, "/>\n");
      return;
    }
  g_autofree char *text = g_markup_escape_text (self->text != NULL ? self->text : "", -1);
  g_string_append_printf (xml, ">%s%s", text, self->children != NULL ? "\n" : "");
  for (const PdElement *child = self->children; child != NULL; child = child->next)
    append_xml (child, depth + 1, xml);
  g_string_append_printf (xml, "%*s</%s>\n", self->children != NULL ? 2 * depth : 0, "",
                          self->name);
}

char *
pd_element_to_xml (const PdElement *self)
{
  GString *xml = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");

  append_xml (self, 0, xml);
  return g_string_free (xml, FALSE);
}

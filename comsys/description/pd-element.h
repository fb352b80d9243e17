/* A description as a tree of elements, whatever form its text has. Texts in XML become one by
 * libxml2, which is loaded for them only. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ELEMENT_H
#define PD_ELEMENT_H

#include <glib.h>

typedef struct _PdAttribute PdAttribute;
struct _PdAttribute
{
  char *name;
  char *value;
  PdAttribute *next;
};

/* Owns its attributes and its children, both in the order in which they were added. */
typedef struct _PdElement PdElement;
struct _PdElement
{
  char *name; /* of another namespace: with its prefix, or its URI in braces */
  char *text; /* (nullable): all character data between its children */
  glong line; /* 0: of no text in XML */
  PdAttribute *attributes;
  PdElement *parent;   /* (nullable): %NULL of the root */
  PdElement *children; /* the first one */
  PdElement *last_child;
  PdElement *next;
};

/**
 * pd_element_new:
 * Returns: (transfer full): the root of a new tree.
 */
PdElement *pd_element_new (const char *name);

/**
 * pd_element_free:
 * @self: (nullable): a root
 *
 * Frees the whole tree.
 */
void pd_element_free (PdElement *self);

/**
 * pd_element_copy:
 * Returns: (transfer full): @self and all below it, as a tree of its own.
 */
PdElement *pd_element_copy (const PdElement *self);

/**
 * pd_element_add:
 * Returns: (transfer none): a new last child of @parent.
 */
PdElement *pd_element_add (PdElement *parent, const char *name);

/**
 * pd_element_remove:
 *
 * Takes @self, which is no root, out of its tree, and frees it.
 */
void pd_element_remove (PdElement *self);

/**
 * pd_element_get_root:
 * Returns: (transfer none): the root of the tree that has @self.
 */
PdElement *pd_element_get_root (PdElement *self);

/**
 * pd_element_get:
 * Returns: (nullable): the value of an attribute, until it is set or its element freed.
 */
const char *pd_element_get (const PdElement *self, const char *name);

/**
 * pd_element_set:
 *
 * Gives an attribute another value, or @self a new attribute.
 */
void pd_element_set (PdElement *self, const char *name, const char *value);

/**
 * pd_element_set_text:
 *
 * Gives @self other character data.
 */
void pd_element_set_text (PdElement *self, const char *text);

/**
 * pd_element_to_xml:
 * Returns: (transfer full): the tree below the root @self as a document in XML, which ends in a
 *   new line.
 */
char *pd_element_to_xml (const PdElement *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdElement, pd_element_free)

#endif

/* Predictor.par of the DVM system to the XML tree.
 *
 *   cluster = MVS;  search = ...;
 *   MVS = { 512 x SUB };  MVS.CommType = myrinet (1);
 *   MVS.TStart = 7;  MVS.TByte = 0.004;          // us, us per byte
 *   SUB = { 2 x PROC };  SUB.CommType = memory;  SUB.TStart = 1;  SUB.TByte = 0.001;
 *   PROC = 1.00;
 *
 * A cluster becomes a network; one inside another whose type is that of a
 * memory and whose members are processors becomes nodes with memory. The
 * channels of this form belong to the network as a whole.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-machine-private.h"
#include "comsys/pd-machine-tools.h"

#include <string.h>

#define MAX_DEPTH    32
#define MAX_ELEMENTS 10000

/* Words for types of networks. */
static const struct
{
  const char *word;
  const char *type;
} comm_types[] = {
  { "ethernet", "ethernet" }, { "bus", "ethernet" }, { "myrinet", "myrinet" },
  { "memory", "memory" },     { "smp", "memory" },   { "shared", "memory" },
};

typedef struct
{
  guint64 count;
  char *name; /* lower case */
} Member;

/* A cluster (has members) or a processor (has a power), or a name that was
 * used but not defined (has neither). */
typedef struct
{
  char *name; /* as first written */
  guint line; /* where it is first mentioned */
  GArray *members;
  char *power;
  char *type;     /* lower case; a word or a cluster; NULL */
  char *channels; /* NULL */
  char *startup;  /* us */
  char *per_byte; /* us */
} Entity;

typedef struct
{
  const char *origin;
  const char *p;
  guint line;
  GHashTable *entities; /* lower case name -> Entity */
  char *root;           /* lower case; NULL */
  GHashTable *named;    /* Entity whose name a network has already */
  guint n_elements;
  GError **error;
} Import;

static void
clear_member (gpointer member)
{
  g_free (((Member *) member)->name);
}

static void
entity_free (gpointer data)
{
  Entity *self = data;

  g_clear_pointer (&self->members, g_array_unref);
  g_free (self->name);
  g_free (self->power);
  g_free (self->type);
  g_free (self->channels);
  g_free (self->startup);
  g_free (self->per_byte);
  g_free (self);
}

static gboolean G_GNUC_PRINTF (4, 5)
    fail (Import *self, guint line, int code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);

  g_set_error (self->error, PD_MACHINE_ERROR, code, "%s:%u: %s", self->origin, line, text);
  return FALSE;
}

/* ---- text */

static void
skip_blanks (Import *self)
{
  for (;; self->p++)
    {
      if (self->p[0] == '/' && self->p[1] == '/')
        self->p += strcspn (self->p, "\n");
      if (*self->p == '\n')
        self->line++;
      else if (*self->p == '\0' || strchr (" \t\r", *self->p) == NULL)
        return;
    }
}

static gboolean
accept (Import *self, char c)
{
  skip_blanks (self);
  if (*self->p != c)
    return FALSE;
  self->p++;
  return TRUE;
}

/* Says what was found instead of what was expected. */
static gboolean
fail_expected (Import *self, const char *expected)
{
  skip_blanks (self);
  if (*self->p == '\0')
    return fail (self, self->line, PD_MACHINE_ERROR_FORMAT, "end of file: expected %s", expected);
  if (g_ascii_isprint (*self->p))
    return fail (self, self->line, PD_MACHINE_ERROR_FORMAT, "'%c': expected %s", *self->p,
                 expected);
  return fail (self, self->line, PD_MACHINE_ERROR_FORMAT, "byte 0x%02x: expected %s",
               (guint) (guchar) *self->p, expected);
}

static gboolean
expect (Import *self, char c)
{
  char expected[] = { '\'', c, '\'', '\0' };

  return accept (self, c) || fail_expected (self, expected);
}

static gboolean
is_word_char (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* A name, or NULL (no error) if there is none. */
static char *
read_word (Import *self)
{
  const char *start;

  skip_blanks (self);
  start = self->p;
  if (!g_ascii_isalpha (*start) && *start != '_')
    return NULL;
  while (is_word_char (*self->p))
    self->p++;
  return g_strndup (start, (gsize) (self->p - start));
}

/* A decimal number as written, or NULL (no error). */
static char *
read_number (Import *self)
{
  const char *start;
  gsize n_digits;

  skip_blanks (self);
  start = self->p;
  self->p += strspn (self->p, "0123456789.");
  n_digits = (gsize) (self->p - start);
  if (n_digits > 0 && (*self->p == 'e' || *self->p == 'E'))
    {
      const char *q = self->p + 1;
      q += *q == '-' || *q == '+';
      if (g_ascii_isdigit (*q))
        self->p = q + strspn (q, "0123456789");
    }
  if (n_digits == 0 || !g_ascii_isdigit (*start))
    {
      self->p = start;
      return NULL;
    }
  return g_strndup (start, (gsize) (self->p - start));
}

/* ---- statements */

static Entity *
get_entity (Import *self, const char *name)
{
  g_autofree char *key = g_ascii_strdown (name, -1);
  Entity *entity = g_hash_table_lookup (self->entities, key);

  if (entity == NULL)
    {
      entity = g_new0 (Entity, 1);
      entity->name = g_strdup (name);
      entity->line = self->line;
      g_hash_table_insert (self->entities, g_steal_pointer (&key), entity);
    }
  return entity;
}

/* "512 x SUB" or "SUB" */
static gboolean
read_member (Import *self, GArray *members)
{
  g_autofree char *number = read_number (self);
  g_autofree char *name = NULL;
  guint64 count = 1;

  if (number != NULL)
    {
      if (!g_ascii_string_to_unsigned (number, 10, 1, PD_MACHINE_MAX_PROCESSORS, &count, NULL))
        return fail (self, self->line, PD_MACHINE_ERROR_VALUE,
                     "'%s': expected a whole number from 1 to %d", number,
                     PD_MACHINE_MAX_PROCESSORS);
      skip_blanks (self);
      if (g_ascii_tolower (*self->p) != 'x' && *self->p != '*')
        return fail_expected (self, "'x' between the number and the name of the members");
      self->p++;
    }
  name = read_word (self);
  if (name == NULL)
    return fail_expected (self, "the name of a cluster or a processor");
  get_entity (self, name);
  Member member = { count, g_ascii_strdown (name, -1) };
  g_array_append_val (members, member);
  return TRUE;
}

static gboolean
read_members (Import *self, Entity *entity)
{
  entity->members = g_array_new (FALSE, FALSE, sizeof (Member));
  g_array_set_clear_func (entity->members, clear_member);
  do
    if (!read_member (self, entity->members))
      return FALSE;
  while (accept (self, ','));
  return expect (self, '}');
}

/* "NAME = { … }" or "PROC = 1.00" */
static gboolean
read_definition (Import *self, const char *name)
{
  Entity *entity = get_entity (self, name);

  if (entity->members != NULL || entity->power != NULL)
    return fail (self, self->line, PD_MACHINE_ERROR_VALUE, "'%s' is defined twice", name);
  if (accept (self, '{'))
    return read_members (self, entity);
  entity->power = read_number (self);
  return entity->power != NULL
         || fail_expected (self, "a list of members in braces, or the power of a processor");
}

/* "(1)" after the type */
static gboolean
read_comm_type (Import *self, Entity *entity)
{
  g_autofree char *word = read_word (self);

  if (word == NULL)
    return fail_expected (self, "a type of network, or the name of a cluster");
  entity->type = g_ascii_strdown (word, -1);
  if (!accept (self, '('))
    return TRUE;
  entity->channels = read_number (self);
  if (entity->channels == NULL)
    return fail_expected (self, "a number of channels");
  return expect (self, ')');
}

/* "NAME.KEY = value" */
static gboolean
read_property (Import *self, const char *name)
{
  Entity *entity = get_entity (self, name);
  g_autofree char *key = read_word (self);
  char **field = NULL;

  if (key != NULL && g_ascii_strcasecmp (key, "commtype") == 0)
    field = &entity->type;
  else if (key != NULL && g_ascii_strcasecmp (key, "tstart") == 0)
    field = &entity->startup;
  else if (key != NULL && g_ascii_strcasecmp (key, "tbyte") == 0)
    field = &entity->per_byte;
  if (field == NULL)
    return fail (self, self->line, PD_MACHINE_ERROR_SCHEMA,
                 "'%s.%s': expected CommType, TStart or TByte", name, key != NULL ? key : "");
  if (*field != NULL)
    return fail (self, self->line, PD_MACHINE_ERROR_VALUE, "'%s.%s' is given twice", name, key);
  if (!expect (self, '='))
    return FALSE;
  if (field == &entity->type)
    return read_comm_type (self, entity);
  *field = read_number (self);
  return *field != NULL || fail_expected (self, "a number");
}

static gboolean
read_statement (Import *self)
{
  g_autofree char *name = read_word (self);

  if (name == NULL)
    return fail_expected (self, "a name");
  if (accept (self, '.'))
    return read_property (self, name) && expect (self, ';');
  if (!expect (self, '='))
    return FALSE;
  if (g_ascii_strcasecmp (name, "search") == 0)
    {
      /* how the old program looked for the best grid; not the machine's */
      while (*self->p != '\0' && *self->p != ';')
        self->line += *self->p++ == '\n';
      return expect (self, ';');
    }
  if (g_ascii_strcasecmp (name, "cluster") != 0)
    return read_definition (self, name) && expect (self, ';');

  g_autofree char *root = read_word (self);
  if (root == NULL)
    return fail_expected (self, "the name of a cluster");
  get_entity (self, root);
  g_free (self->root);
  self->root = g_ascii_strdown (root, -1);
  return expect (self, ';');
}

/* ---- tree */

static void
set (xmlNode *node, const char *name, const char *value)
{
  xmlNewProp (node, (const xmlChar *) name, (const xmlChar *) value);
}

static Entity *
find_member (Import *self, const Member *member)
{
  return g_hash_table_lookup (self->entities, member->name);
}

/* The type of a cluster, and the cluster whose channels it has: itself, or
 * one that it names. */
static const char *
get_type (Import *self, const Entity *entity, const Entity **owner)
{
  *owner = entity;
  for (guint depth = 0; depth < MAX_DEPTH && (*owner)->type != NULL; depth++)
    {
      for (gsize i = 0; i < G_N_ELEMENTS (comm_types); i++)
        if (strcmp (comm_types[i].word, (*owner)->type) == 0)
          return comm_types[i].type;
      const Entity *named = g_hash_table_lookup (self->entities, (*owner)->type);
      if (named == NULL || named->members == NULL)
        break;
      *owner = named;
    }
  fail (self, entity->line, PD_MACHINE_ERROR_VALUE,
        "%s.CommType: expected ethernet, myrinet or memory, with a number of channels in "
        "parentheses, or the name of a cluster that has one of these",
        entity->name);
  return NULL;
}

/* Sets the attributes of a network or of a memory. */
static gboolean
set_network (Import *self, xmlNode *node, const Entity *entity)
{
  const Entity *owner;
  const char *type = get_type (self, entity, &owner);

  if (type == NULL)
    return FALSE;
  const char *startup = entity->startup != NULL ? entity->startup : owner->startup;
  const char *per_byte = entity->per_byte != NULL ? entity->per_byte : owner->per_byte;
  if (startup == NULL || per_byte == NULL)
    return fail (self, entity->line, PD_MACHINE_ERROR_SCHEMA, "%s.%s is missing", entity->name,
                 startup == NULL ? "TStart" : "TByte");
  g_autofree char *time = g_strconcat (startup, "us", NULL);
  g_autofree char *rate = g_strconcat (per_byte, "us", NULL);
  set (node, "startup", time);
  set (node, "per-byte", rate);
  if (strcmp (type, "ethernet") != 0 && owner->channels != NULL)
    set (node, "channels", owner->channels);
  else if (owner->channels != NULL && strcmp (owner->channels, "1") != 0)
    return fail (self, owner->line, PD_MACHINE_ERROR_VALUE,
                 "%s.CommType: a bus carries 1 message at a time, not %s", owner->name,
                 owner->channels);
  if (strcmp (type, "myrinet") == 0)
    set (node, "channels-per", "network");
  return TRUE;
}

static xmlNode *
add_element (Import *self, xmlNode *parent, const char *name, guint64 count)
{
  xmlNode *node = xmlNewChild (parent, NULL, (const xmlChar *) name, NULL);
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, count);

  self->n_elements++;
  if (count != 1)
    set (node, "count", text);
  return node;
}

/* Whether a cluster is a node: processors that exchange through a memory. */
static gboolean
is_node (Import *self, const Entity *entity)
{
  const Entity *owner;
  g_autoptr (GError) unused = NULL;
  GError **error = self->error;

  self->error = &unused;
  const char *type = get_type (self, entity, &owner);
  self->error = error;
  if (type == NULL || strcmp (type, "memory") != 0)
    return FALSE;
  for (guint i = 0; i < entity->members->len; i++)
    if (find_member (self, &g_array_index (entity->members, Member, i))->power == NULL)
      return FALSE;
  return TRUE;
}

/* The processors of a node: "1", or "1:2:2" if they differ. */
static gboolean
add_node (Import *self, xmlNode *parent, const Entity *entity, guint64 count)
{
  xmlNode *nodes = add_element (self, parent, "nodes", count);
  g_autoptr (GString) speeds = g_string_new (NULL);
  const char *first = find_member (self, &g_array_index (entity->members, Member, 0))->power;
  gboolean differ = FALSE;
  guint64 n = 0;

  for (guint i = 0; i < entity->members->len; i++)
    {
      const Member *member = &g_array_index (entity->members, Member, i);
      const char *power = find_member (self, member)->power;
      differ = differ || strcmp (power, first) != 0;
      n += member->count;
      if (n > MAX_ELEMENTS)
        return fail (self, entity->line, PD_MACHINE_ERROR_VALUE,
                     "%s: more than %d processors in a node", entity->name, MAX_ELEMENTS);
      for (guint64 k = 0; k < member->count; k++)
        g_string_append_printf (speeds, "%s%s", speeds->len > 0 ? ":" : "", power);
    }
  g_autofree char *processors = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
  set (nodes, "processors", processors);
  set (nodes, "speed", differ ? speeds->str : first);
  return set_network (self, xmlNewChild (nodes, NULL, (const xmlChar *) "memory", NULL), entity);
}

static gboolean add_network (Import *self, xmlNode *parent, Entity *entity, guint64 count,
                             guint depth);

static gboolean
add_member (Import *self, xmlNode *network, const Member *member, guint depth)
{
  Entity *entity = find_member (self, member);

  if (self->n_elements >= MAX_ELEMENTS)
    return fail (self, entity->line, PD_MACHINE_ERROR_VALUE,
                 "clusters of clusters make more than %d groups", MAX_ELEMENTS);
  if (entity->power != NULL)
    {
      set (add_element (self, network, "nodes", member->count), "speed", entity->power);
      return TRUE;
    }
  if (entity->members == NULL)
    return fail (self, entity->line, PD_MACHINE_ERROR_VALUE,
                 "'%s' is not defined: expected its members in braces, or its power", entity->name);
  if (is_node (self, entity))
    return add_node (self, network, entity, member->count);
  return add_network (self, network, entity, member->count, depth + 1);
}

static gboolean
add_network (Import *self, xmlNode *parent, Entity *entity, guint64 count, guint depth)
{
  const Entity *owner;

  if (depth > MAX_DEPTH)
    return fail (self, entity->line, PD_MACHINE_ERROR_VALUE,
                 "'%s' is nested more than %d deep, or contains itself", entity->name, MAX_DEPTH);
  const char *type = get_type (self, entity, &owner);
  if (type == NULL)
    return FALSE;
  xmlNode *network = add_element (self, parent, "network", count);
  set (network, "type", type);
  if (g_hash_table_add (self->named, entity))
    set (network, "name", entity->name);
  if (!set_network (self, network, entity))
    return FALSE;
  for (guint i = 0; i < entity->members->len; i++)
    if (!add_member (self, network, &g_array_index (entity->members, Member, i), depth))
      return FALSE;
  return TRUE;
}

static xmlDoc *
build (Import *self)
{
  g_autoptr (xmlDoc) doc = xmlNewDoc ((const xmlChar *) "1.0");
  Entity *root = self->root != NULL ? g_hash_table_lookup (self->entities, self->root) : NULL;

  if (root == NULL || root->members == NULL)
    {
      fail (self, root != NULL ? root->line : self->line, PD_MACHINE_ERROR_SCHEMA,
            root == NULL ? "expected 'cluster = NAME;'" : "the cluster has no members");
      return NULL;
    }
  xmlNode *machine = xmlNewDocNode (doc, NULL, (const xmlChar *) "machine", NULL);
  xmlDocSetRootElement (doc, machine);
  set (machine, "name", root->name);
  set (machine, "version", "1");
  xmlNewTextChild (machine, NULL, (const xmlChar *) "description",
                   (const xmlChar *) "imported from a Predictor.par of the DVM system");
  if (!add_network (self, machine, root, 1, 0))
    return NULL;
  return g_steal_pointer (&doc);
}

gboolean
pd_machine_is_dvm_par (const char *text)
{
  Import import = { .p = text };
  g_autofree char *word = read_word (&import);

  skip_blanks (&import);
  return word != NULL && (*import.p == '=' || *import.p == '.');
}

xmlDoc *
pd_machine_parse_dvm_par (const char *text, const char *origin, GError **error)
{
  g_autoptr (GHashTable) entities =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entity_free);
  g_autoptr (GHashTable) named = g_hash_table_new (NULL, NULL);
  Import import = { origin, text, 1, entities, NULL, named, 0, error };
  xmlDoc *doc = NULL;

  skip_blanks (&import);
  while (*import.p != '\0')
    {
      if (!read_statement (&import))
        {
          g_free (import.root);
          return NULL;
        }
      skip_blanks (&import);
    }
  doc = build (&import);
  g_free (import.root);
  return doc;
}

char *
pd_machine_import (const char *form, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  xmlChar *xml = NULL;
  int size;

  if (strcmp (form, "dvm-par") != 0)
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT,
                   "form '%s' cannot be imported; expected one of: dvm-par", form);
      return NULL;
    }
  bytes = pd_machine_read_file (path, error);
  if (bytes == NULL)
    return NULL;
  g_autofree char *text = g_strndup (
      g_bytes_get_size (bytes) > 0 ? g_bytes_get_data (bytes, NULL) : "", g_bytes_get_size (bytes));
  g_autoptr (xmlDoc) doc = pd_machine_parse_dvm_par (text, path, error);
  g_autoptr (PdMachine) machine = doc == NULL ? NULL : pd_machine_read (doc, path, FALSE, 0, error);
  if (machine == NULL)
    return NULL;
  xmlDocDumpFormatMemoryEnc (doc, &xml, &size, "UTF-8", 1);
  char *copy = g_strndup ((const char *) xml, (gsize) size);
  xmlFree (xml);
  return copy;
}

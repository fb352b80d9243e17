/* The text of a Predictor.par of the DVM system.
 *
 *   cluster = MVS;  search = ...;
 *   MVS = { 512 x SUB };  MVS.CommType = myrinet (1);
 *   MVS.TStart = 7;  MVS.TByte = 0.004;          // us, us per byte
 *   SUB = { 2 x PROC };  SUB.CommType = memory;  SUB.TStart = 1;  SUB.TByte = 0.001;
 *   PROC = 1.00;
 *
 * SPDX-License-Identifier: MIT */
#include "comsys/import/pd-par-file-private.h"

#include <string.h>

static void
clear_member (gpointer member)
{
  g_free (((PdParMember *) member)->name);
}

static void
entity_free (gpointer data)
{
  PdParEntity *self = data;

  g_clear_pointer (&self->members, g_array_unref);
  g_free (self->name);
  g_free (self->power);
  g_free (self->type);
  g_free (self->channels);
  g_free (self->startup);
  g_free (self->per_byte);
  g_free (self);
}

/* ---- text */

static void
skip_blanks (PdParFile *self)
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
accept (PdParFile *self, char c)
{
  skip_blanks (self);
  if (*self->p != c)
    return FALSE;
  self->p++;
  return TRUE;
}

/* An error with the found and the expected text. */
static gboolean
fail_expected (PdParFile *self, const char *expected)
{
  skip_blanks (self);
  if (*self->p == '\0')
    return pd_par_fail (self, self->line, PD_MACHINE_ERROR_FORMAT, "end of file: expected %s",
                        expected);
  if (g_ascii_isprint (*self->p))
    return pd_par_fail (self, self->line, PD_MACHINE_ERROR_FORMAT, "'%c': expected %s", *self->p,
                        expected);
  return pd_par_fail (self, self->line, PD_MACHINE_ERROR_FORMAT, "byte 0x%02x: expected %s",
                      (guint) (guchar) *self->p, expected);
}

static gboolean
expect (PdParFile *self, char c)
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
read_word (PdParFile *self)
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
read_number (PdParFile *self)
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

static PdParEntity *
get_entity (PdParFile *self, const char *name)
{
  g_autofree char *key = g_ascii_strdown (name, -1);
  PdParEntity *entity = g_hash_table_lookup (self->entities, key);

  if (entity == NULL)
    {
      entity = g_new0 (PdParEntity, 1);
      entity->name = g_strdup (name);
      entity->line = self->line;
      g_hash_table_insert (self->entities, g_steal_pointer (&key), entity);
    }
  return entity;
}

/* "512 x SUB" or "SUB" */
static gboolean
read_member (PdParFile *self, GArray *members)
{
  g_autofree char *number = read_number (self);
  g_autofree char *name = NULL;
  guint64 count = 1;

  if (number != NULL)
    {
      if (!g_ascii_string_to_unsigned (number, 10, 1, PD_MACHINE_MAX_PROCESSORS, &count, NULL))
        return pd_par_fail (self, self->line, PD_MACHINE_ERROR_VALUE,
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
  PdParMember member = { count, g_ascii_strdown (name, -1) };
  g_array_append_val (members, member);
  return TRUE;
}

static gboolean
read_members (PdParFile *self, PdParEntity *entity)
{
  entity->members = g_array_new (FALSE, FALSE, sizeof (PdParMember));
  g_array_set_clear_func (entity->members, clear_member);
  do
    if (!read_member (self, entity->members))
      return FALSE;
  while (accept (self, ','));
  return expect (self, '}');
}

/* "NAME = { … }" or "PROC = 1.00" */
static gboolean
read_definition (PdParFile *self, const char *name)
{
  PdParEntity *entity = get_entity (self, name);

  if (entity->members != NULL || entity->power != NULL)
    return pd_par_fail (self, self->line, PD_MACHINE_ERROR_VALUE, "'%s' is defined twice", name);
  if (accept (self, '{'))
    return read_members (self, entity);
  entity->power = read_number (self);
  return entity->power != NULL
         || fail_expected (self, "a list of members in braces, or the power of a processor");
}

/* "(1)" after the type */
static gboolean
read_comm_type (PdParFile *self, PdParEntity *entity)
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
read_property (PdParFile *self, const char *name)
{
  PdParEntity *entity = get_entity (self, name);
  g_autofree char *key = read_word (self);
  char **field = NULL;

  if (key != NULL && g_ascii_strcasecmp (key, "commtype") == 0)
    field = &entity->type;
  else if (key != NULL && g_ascii_strcasecmp (key, "tstart") == 0)
    field = &entity->startup;
  else if (key != NULL && g_ascii_strcasecmp (key, "tbyte") == 0)
    field = &entity->per_byte;
  if (field == NULL)
    return pd_par_fail (self, self->line, PD_MACHINE_ERROR_SCHEMA,
                        "'%s.%s': expected CommType, TStart or TByte", name,
                        key != NULL ? key : "");
  if (*field != NULL)
    return pd_par_fail (self, self->line, PD_MACHINE_ERROR_VALUE, "'%s.%s' is given twice", name,
                        key);
  if (!expect (self, '='))
    return FALSE;
  if (field == &entity->type)
    return read_comm_type (self, entity);
  *field = read_number (self);
  return *field != NULL || fail_expected (self, "a number");
}

static gboolean
read_statement (PdParFile *self)
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

/* ---- the whole file */

void
pd_par_file_init (PdParFile *self, const char *text, const char *origin, GError **error)
{
  *self = (PdParFile){ .origin = origin, .p = text, .line = 1, .error = error };
  self->entities = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entity_free);
}

void
pd_par_file_clear (PdParFile *self)
{
  g_clear_pointer (&self->entities, g_hash_table_unref);
  g_clear_pointer (&self->root, g_free);
}

gboolean
pd_par_file_read (PdParFile *self)
{
  for (skip_blanks (self); *self->p != '\0'; skip_blanks (self))
    if (!read_statement (self))
      return FALSE;
  return TRUE;
}

gboolean
pd_machine_is_dvm_par (const char *text)
{
  PdParFile file = { .p = text };
  g_autofree char *word = read_word (&file);

  skip_blanks (&file);
  return word != NULL && (*file.p == '=' || *file.p == '.');
}

/* The elements "table" of a network: measured times.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-read.h"
#include "comsys/net/pd-measured.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-table-private.h"
#include "comsys/description/pd-machine-values-private.h"

#include <string.h>

#define EXPECTED_CF "expected numbers that ascend from 1, such as '1:2:4'"

/* Numbers with ':' between, at most @room; returns how many, -1 with an error. */
static gint
read_list (PdMachineReader *self, PdElement *node, const char *name, const char *text,
           gdouble *numbers)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  guint n = g_strv_length (parts);

  if (n < 1 || n > PD_MEASURED_MAX_COLUMNS - 1)
    {
      pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "%s: expected 1 to %d numbers", name,
                       PD_MEASURED_MAX_COLUMNS - 1);
      return -1;
    }
  for (guint i = 0; i < n; i++)
    {
      PdNumber number;
      if (!pd_machine_read_number (self, node, name, PD_UNIT_RATIO, parts[i], &number))
        return -1;
      if (!(number.d > 0))
        {
          pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "%s='%s': expected more than 0",
                           name, text);
          return -1;
        }
      numbers[i] = number.d;
    }
  return (gint) n;
}

/* The columns: as said, or 1, 2, … as many as the first row has. */
static PdMeasured *
read_columns (PdMachineReader *self, PdElement *node, PdElement *first)
{
  const char *text = pd_element_get (node, "cf");
  const char *factors = pd_element_get (first, "factors");
  gdouble cf[PD_MEASURED_MAX_COLUMNS];
  gint n = 1;

  if (text != NULL)
    n = read_list (self, node, "cf", text, cf);
  else if (factors != NULL)
    n = 1 + read_list (self, first, "factors", factors, cf + 1);
  if (n < 1 || (text == NULL && factors != NULL && n == 0))
    return NULL;
  for (gint i = 0; text == NULL && i < n; i++)
    cf[i] = i + 1;
  for (gint i = 0; i < n; i++)
    if (!(i == 0 ? cf[i] >= 1 && cf[i] <= 1 : cf[i] > cf[i - 1]))
      {
        pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "cf='%s': " EXPECTED_CF, text);
        return NULL;
      }
  return pd_measured_new (cf, (guint) n);
}

static gboolean
read_row (PdMachineReader *self, PdElement *node, PdMeasured *table)
{
  const char *text = pd_element_get (node, "factors");
  gdouble factors[PD_MEASURED_MAX_COLUMNS];
  PdTableRowAttributes row;
  gint n = 0;

  if (!pd_machine_check_element (self, node)
      || !pd_machine_read_params (self, node, pd_machine_element_find ("row")->params, &row))
    return FALSE;
  if (text != NULL)
    n = read_list (self, node, "factors", text, factors);
  if (n < 0)
    return FALSE;
  if ((guint) n + 1 != table->n_columns)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                            "%d factors, expected %u: one for each cf but 1", n,
                            table->n_columns - 1);
  return pd_measured_add (table, row.size, row.time, factors)
         || pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                             "another row has this size, %" G_GINT64_FORMAT " B", row.size);
}

static PdMeasured *
read_table (PdMachineReader *self, PdElement *node)
{
  g_autoptr (PdMeasured) table = NULL;

  for (PdElement *child = node->children; child != NULL; child = child->next)
    {
      if (!pd_machine_is_named (child, "row"))
        continue;
      if (table == NULL && (table = read_columns (self, node, child)) == NULL)
        return NULL;
      if (!read_row (self, child, table))
        return NULL;
    }
  if (table == NULL)
    pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA, "expected at least one row");
  return g_steal_pointer (&table);
}

/* Where the table of the level that @node names belongs. */
static gboolean
find_place (PdMachineReader *self, PdElement *node, const PdMachineNetwork *network,
            PdMeasured ***place)
{
  const char *level = pd_element_get (node, "level");
  const PdTableParam *tables = network->class->tables;

  if (tables == NULL)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                            "a network of type '%s' has no tables", network->class->type);
  if (level == NULL)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA, "attribute 'level' is missing");
  for (const PdTableParam *t = tables; t->level != NULL; t++)
    if (strcmp (t->level, level) == 0)
      {
        *place = (PdMeasured **) (gpointer) ((char *) network->config + t->offset);
        return **place == NULL
               || pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                                   "level='%s': another table has this level", level);
      }
  g_autoptr (GPtrArray) levels = g_ptr_array_new ();
  for (const PdTableParam *t = tables; t->level != NULL; t++)
    g_ptr_array_add (levels, (gpointer) t->level);
  g_ptr_array_add (levels, NULL);
  guint ignored;
  return pd_machine_read_choice (self, node, "level", level, (const char *const *) levels->pdata,
                                 &ignored);
}

gboolean
pd_machine_read_tables (PdMachineReader *self, PdElement *node, PdMachineNetwork *network)
{
  for (PdElement *child = node->children; child != NULL; child = child->next)
    {
      PdMeasured **place = NULL;
      if (!pd_machine_is_named (child, "table"))
        continue;
      if (!find_place (self, child, network, &place) || !pd_machine_check_element (self, child))
        return FALSE;
      *place = read_table (self, child);
      if (*place == NULL)
        return FALSE;
    }
  return TRUE;
}

void
pd_machine_describe_tables (const PdMachineNetwork *network, const char *indent, GString *out)
{
  for (const PdTableParam *t = network->class->tables; t != NULL && t->level != NULL; t++)
    {
      const PdMeasured *table =
          *(PdMeasured *const *) (gconstpointer) ((const char *) network->config + t->offset);
      if (table == NULL)
        continue;
      g_autofree char *least =
          pd_units_format (PD_UNIT_BYTES, (PdNumber){ pd_measured_get_size (table, FALSE), 0 });
      g_autofree char *most =
          pd_units_format (PD_UNIT_BYTES, (PdNumber){ pd_measured_get_size (table, TRUE), 0 });
      char cf[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd (cf, sizeof cf, "%.6g", table->cf[table->n_columns - 1]);
      g_string_append_printf (out, "%s|  table %s: %u sizes from %s to %s, cf 1 to %s\n", indent,
                              t->level, table->sizes->len, least, most, cf);
    }
}

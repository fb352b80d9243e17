/* SPDX-License-Identifier: MIT */
#include "reports/emit/pd-emit.h"
#include "base/pd-csv.h"
#include "reports/emit/pd-xml.h"
#include "reports/emit/pd-format.h"

/* ---- walking */

/* @part: what the fields are in */
static void
walk (const PdField *fields, PdFieldForm form, const char *row, const PdFieldAt *part,
      PdFieldVisit visit, gpointer to)
{
  for (const PdField *f = fields; f->type != PD_FIELD_END; f++)
    for (guint i = 0; i < MAX (f->n, 1) && (f->in == 0 || (f->in & form) != 0); i++)
      {
        gsize offset = part->offset + f->offset + i * f->size;
        PdFieldAt at = { f,          f->name,
                         f->meaning, f->added || part->added,
                         offset,     row != NULL ? row + offset : NULL };
        g_autofree char *name = NULL;
        if (f->item != NULL && !f->item (f->which, i, &at.name, &at.meaning))
          continue;
        if (part->field != NULL && part->field->item != NULL && row == NULL)
          {
            at.name = name = g_strconcat (part->name, f->name, NULL);
            at.meaning = f->name[0] == '\0' ? part->meaning : f->meaning;
          }
        if (f->type != PD_FIELD_PART || (form == PD_IN_JSON && f->name != NULL))
          visit (&at, to);
        else
          walk (f->fields, form, row, &at, visit, to);
      }
}

void
pd_fields_walk (const PdField *fields, PdFieldForm form, gconstpointer row, PdFieldVisit visit,
                gpointer to)
{
  walk (fields, form, row, &(PdFieldAt){ .field = NULL }, visit, to);
}

/* ---- values */

PdWide
pd_field_get_integer (const PdField *field, gconstpointer value)
{
  switch (field->type)
    {
    case PD_FIELD_NUMBER:
      return PD_FIELD_AT (guint32, value);
    case PD_FIELD_COUNT:
      return PD_FIELD_AT (guint64, value);
    case PD_FIELD_BOOLEAN:
      return PD_FIELD_AT (gboolean, value) ? 1 : 0;
    case PD_FIELD_WIDE:
    case PD_FIELD_SUM:
      return PD_FIELD_AT (PdTimeSum, value).ps;
    case PD_FIELD_TIME:
    case PD_FIELD_PS:
      return PD_FIELD_AT (PdTime, value).ps;
    default:
      return PD_FIELD_AT (gint64, value);
    }
}

/* A number that is known. */
static void
append_number (GString *out, const PdField *field, gconstpointer value)
{
  if (field->type == PD_FIELD_REAL)
    {
      pd_report_append_double (out, field->format != NULL ? field->format : "%.12g",
                               PD_FIELD_AT (gdouble, value));
      return;
    }
  PdWide number = pd_field_get_integer (field, value);
  if (!pd_field_is_time (field))
    {
      pd_report_append_wide (out, number);
      return;
    }
  if (number < 0)
    g_string_append_c (out, '-');
  pd_report_append_seconds (out, (PdTimeSum){ number < 0 ? -number : number });
}

/* ---- CSV */

void
pd_field_append_csv (GString *out, const PdField *field, gconstpointer value)
{
  if (pd_field_is_text (field))
    pd_csv_append (out, PD_FIELD_AT (char *, value));
  else if (pd_field_is_known (field, value))
    append_number (out, field, value);
}

static void
append_cell (const PdFieldAt *at, gpointer to)
{
  GString *out = to;

  if (out->len > 0 && out->str[out->len - 1] != '\n')
    g_string_append_c (out, ',');
  if (at->value == NULL)
    pd_csv_append (out, at->name);
  else
    pd_field_append_csv (out, at->field, at->value);
}

void
pd_csv_append_fields (GString *out, const PdField *fields, gconstpointer row)
{
  pd_fields_walk (fields, PD_IN_CSV, row, append_cell, out);
}

void
pd_csv_end_line (GString *out)
{
  g_string_append (out, "\r\n");
}

/* ---- XML */

static void
append_attribute (const PdFieldAt *at, gpointer to)
{
  GString *out = to;
  const char *text = pd_field_is_text (at->field) ? PD_FIELD_AT (char *, at->value) : NULL;

  if (at->field->type == PD_FIELD_CONTENT || !pd_field_is_known (at->field, at->value)
      || (at->field->type == PD_FIELD_LABEL && (text == NULL || text[0] == '\0')))
    return;
  if (at->field->type == PD_FIELD_BOOLEAN)
    text = PD_FIELD_AT (gboolean, at->value) ? "true" : "false";
  if (text != NULL || pd_field_is_text (at->field))
    {
      pd_xml_append_attribute (out, at->name, text);
      return;
    }
  g_string_append_printf (out, " %s=\"", at->name);
  append_number (out, at->field, at->value);
  g_string_append_c (out, '"');
}

void
pd_xml_append_fields (GString *out, const PdField *fields, gconstpointer row)
{
  pd_fields_walk (fields, PD_IN_XML, row, append_attribute, out);
}

void
pd_xml_append_row (GString *out, guint depth, const char *element, const PdField *fields,
                   gconstpointer row)
{
  const PdField *content = fields;

  pd_xml_append_indent (out, depth);
  g_string_append_printf (out, "<%s", element);
  pd_xml_append_fields (out, fields, row);
  while (content->type != PD_FIELD_END && content->type != PD_FIELD_CONTENT)
    content++;
  if (content->type == PD_FIELD_END)
    {
      g_string_append (out, "/>\n");
      return;
    }
  g_string_append_c (out, '>');
  pd_report_append_markup (out, G_STRUCT_MEMBER (const char *, row, content->offset));
  g_string_append_printf (out, "</%s>\n", element);
}

/* ---- JSON */

static void
add_value (const PdFieldAt *at, gpointer to)
{
  PdJson *json = to;

  if (at->field->type == PD_FIELD_PART)
    {
      pd_json_open (json, at->name, '{');
      pd_json_add_fields (json, at->field->fields, at->value);
      pd_json_close (json, '}');
      return;
    }
  if (at->field->type == PD_FIELD_LABEL && PD_FIELD_AT (char *, at->value) == NULL)
    return;
  if (pd_field_is_text (at->field))
    {
      pd_json_add_string (json, at->name, PD_FIELD_AT (char *, at->value));
      return;
    }
  pd_json_begin (json, at->name);
  if (at->field->type == PD_FIELD_BOOLEAN)
    g_string_append (json->out, PD_FIELD_AT (gboolean, at->value) ? "true" : "false");
  else if (!pd_field_is_known (at->field, at->value))
    g_string_append (json->out, "null");
  else
    append_number (json->out, at->field, at->value);
}

void
pd_json_add_fields (PdJson *json, const PdField *fields, gconstpointer row)
{
  pd_fields_walk (fields, PD_IN_JSON, row, add_value, json);
}

/* ---- one walk for all */

static void
insert (PdEmit *self, const PdRecord *record, gconstpointer row)
{
  PdInsert *known;

  if (record->table == NULL || self->failed)
    return;
  if (self->inserts == NULL)
    self->inserts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  known = g_hash_table_lookup (self->inserts, record);
  if (known == NULL)
    {
      known = g_new (PdInsert, 1);
      *known = pd_insert_into (self->db, record);
      g_hash_table_insert (self->inserts, (gpointer) record, known);
    }
  self->failed = !pd_insert_row (known, self->keys, row);
}

void
pd_emit_open (PdEmit *self, const PdRecord *record, gconstpointer row)
{
  if (self->db != NULL)
    insert (self, record, row);
  else if (self->json != NULL && record->list != NULL)
    {
      pd_json_open (self->json, record->single ? record->list : NULL, '{');
      pd_json_add_fields (self->json, record->fields, row);
    }
  else if (self->xml != NULL && record->element != NULL)
    {
      pd_xml_append_indent (self->xml, self->depth++);
      g_string_append_printf (self->xml, "<%s", record->element);
      pd_xml_append_fields (self->xml, record->fields, row);
      g_string_append (self->xml, ">\n");
    }
}

void
pd_emit_close (PdEmit *self, const PdRecord *record)
{
  if (self->json != NULL && record->list != NULL)
    pd_json_close (self->json, '}');
  if (self->xml == NULL || record->element == NULL)
    return;
  pd_xml_append_indent (self->xml, --self->depth);
  g_string_append_printf (self->xml, "</%s>\n", record->element);
}

void
pd_emit_row (PdEmit *self, const PdRecord *record, gconstpointer row)
{
  if (self->xml != NULL && record->element != NULL)
    pd_xml_append_row (self->xml, self->depth, record->element, record->fields, row);
  else if (self->xml == NULL)
    {
      pd_emit_open (self, record, row);
      pd_emit_close (self, record);
    }
}

void
pd_emit_open_list (PdEmit *self, const PdRecord *record)
{
  if (self->json != NULL)
    pd_json_open (self->json, record->list, '[');
}

void
pd_emit_close_list (PdEmit *self)
{
  if (self->json != NULL)
    pd_json_close (self->json, ']');
}

void
pd_emit_rows (PdEmit *self, const PdRecord *record, const GArray *rows)
{
  gsize size = g_array_get_element_size ((GArray *) rows);

  pd_emit_open_list (self, record);
  for (guint i = 0; i < rows->len; i++)
    {
      self->keys[PD_EMIT_POSITION] = i;
      pd_emit_row (self, record, rows->data + i * size);
    }
  pd_emit_close_list (self);
}

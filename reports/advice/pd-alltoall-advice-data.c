/* The advice on shapes, as JSON and CSV.
 * SPDX-License-Identifier: MIT */
#include "reports/advice/pd-alltoall-advice.h"
#include "reports/run/pd-report-rows.h"
#include "reports/advice/pd-alltoall-advice-data.h"
#include "reports/emit/pd-format.h"

static void
add_levels (PdJson *json, const PdAlltoallAdvice *self, const PdAlltoallShape *shape)
{
  pd_json_open (json, "levels", '{');
  for (guint level = 0; level < PD_ALLTOALL_ADVICE_LEVELS && shape->n_steps > 0; level++)
    {
      if (shape->n_messages[level] == 0)
        continue;
      pd_json_open (json, self->levels[level], '{');
      pd_json_add_integer (json, "messages", shape->n_messages[level]);
      pd_json_add_integer (json, "cf", shape->cf[level]);
      pd_json_add_integer (json, "steps", shape->steps[level]);
      pd_json_add_seconds (json, "time", shape->times[level]);
      pd_json_close (json, '}');
    }
  pd_json_close (json, '}');
}

static void
add_shapes (PdJson *json, const PdAlltoallAdvice *self)
{
  pd_json_open (json, "shapes", '[');
  for (guint i = 0; i < self->shapes->len; i++)
    {
      const PdAlltoallShape *shape = &g_array_index (self->shapes, PdAlltoallShape, i);
      g_autofree char *why = pd_alltoall_advice_explain (self, i);
      pd_json_open (json, NULL, '{');
      pd_json_add_integer (json, "nodes", shape->nodes);
      pd_json_add_integer (json, "ranks_per_node", shape->per_node);
      pd_json_add_seconds (json, "time", (PdTimeSum){ shape->time.ps });
      pd_json_add_integer (json, "steps", shape->n_steps);
      add_levels (json, self, shape);
      pd_json_add_string (json, "why", why);
      pd_json_close (json, '}');
    }
  pd_json_close (json, ']');
}

/* ---- what the order depends on */

#define TRIAL(field) .offset = G_STRUCT_OFFSET (PdAlltoallTrial, field)

static const PdField trial_fields[] = {
  { "assumption", PD_FIELD_TEXT, TRIAL (assumption) }, { "value", PD_FIELD_TEXT, TRIAL (value) },
  { "assumed", PD_FIELD_BOOLEAN, TRIAL (is_base) },    { "holds", PD_FIELD_BOOLEAN, TRIAL (holds) },
  { "order", PD_FIELD_TEXT, TRIAL (order) },           PD_FIELDS_END,
};
static const PdRecord trials = PD_RECORD (.list = "trials", .fields = trial_fields);

#define RANGE(field) .offset = G_STRUCT_OFFSET (PdAlltoallRange, field), .format = "%.6g"

static const PdField range_fields[] = {
  { "level", PD_FIELD_TEXT, RANGE (level) },
  { "tried_from", PD_FIELD_REAL, RANGE (least) },
  { "tried_to", PD_FIELD_REAL, RANGE (most) },
  { "holds_from", PD_FIELD_REAL, RANGE (from) },
  { "holds_to", PD_FIELD_REAL, RANGE (to) },
  { "order_below", PD_FIELD_TEXT, RANGE (order_low) },
  { "order_above", PD_FIELD_TEXT, RANGE (order_high) },
  PD_FIELDS_END,
};
static const PdRecord ranges = PD_RECORD (.list = "ranges", .fields = range_fields);

void
pd_alltoall_advice_write_json (const PdAlltoallAdvice *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  g_autofree char *order = pd_alltoall_shapes_sort (self->shapes);
  PdJson json = { .out = out, .first = TRUE };
  PdEmit to = { .json = &json };

  pd_json_open (&json, NULL, '{');
  pd_json_add_head (&json, self->report);
  pd_json_open (&json, "alltoall", '{');
  pd_json_add_integer (&json, "ranks", self->n_ranks);
  pd_json_add_integer (&json, "bytes", self->bytes);
  pd_json_add_integer (&json, "block", self->block);
  pd_json_add_string (&json, "timing", self->timing);
  pd_json_add_string (&json, "self", self->self);
  pd_json_add_string (&json, "sockets", self->sockets);
  pd_json_close (&json, '}');
  pd_json_add_string (&json, "order", order);
  add_shapes (&json, self);
  pd_json_open (&json, "left_out", '[');
  for (guint i = 0; i < self->left_out->len; i++)
    pd_json_add_string (&json, NULL, g_ptr_array_index (self->left_out, i));
  pd_json_close (&json, ']');
  pd_emit_rows (&to, &trials, self->trials);
  pd_emit_rows (&to, &ranges, self->ranges);
  pd_json_add_messages (&json, self->report->messages);
  pd_json_close (&json, '}');
  g_string_append_c (out, '\n');
}

void
pd_alltoall_advice_write_csv (const PdAlltoallAdvice *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  g_string_append (out, "order,nodes,ranks_per_node,time,steps");
  for (guint level = 0; level < PD_ALLTOALL_ADVICE_LEVELS; level++)
    g_string_append_printf (out, ",%s_messages,%s_cf,%s_steps,%s_time", self->levels[level],
                            self->levels[level], self->levels[level], self->levels[level]);
  g_string_append (out, "\r\n");
  for (guint i = 0; i < self->shapes->len; i++)
    {
      const PdAlltoallShape *shape = &g_array_index (self->shapes, PdAlltoallShape, i);
      g_string_append_printf (out, "%u,%u,%u,", i + 1, shape->nodes, shape->per_node);
      pd_report_append_seconds (out, (PdTimeSum){ shape->time.ps });
      g_string_append_c (out, ',');
      if (shape->n_steps > 0)
        g_string_append_printf (out, "%u", shape->n_steps);
      for (guint level = 0; level < PD_ALLTOALL_ADVICE_LEVELS; level++)
        if (shape->n_steps == 0)
          g_string_append (out, ",,,,");
        else
          {
            g_string_append_printf (out, ",%" G_GUINT64_FORMAT ",%u,%u,", shape->n_messages[level],
                                    shape->cf[level], shape->steps[level]);
            pd_report_append_seconds (out, shape->times[level]);
          }
      g_string_append (out, "\r\n");
    }
}

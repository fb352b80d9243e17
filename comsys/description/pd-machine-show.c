/* A machine for people: its parameters and a picture of its hierarchy.
 * SPDX-License-Identifier: MIT */
#include "base/pd-text.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-noise.h"
#include "comsys/description/pd-machine-show.h"
#include "comsys/description/pd-machine-table-private.h"

#include <string.h>

#define TEXT_WIDTH 72
#define NAME_WIDTH 20

static char *
format_param (const PdParam *param, gconstpointer base)
{
  const guint8 *field = (const guint8 *) base + param->offset;
  PdNumber number = { 0, 0 };

  if (param->choices != NULL)
    {
      guint chosen;
      memcpy (&chosen, field, sizeof chosen);
      return g_strdup (param->choices[chosen]);
    }
  if (param->unit == PD_UNIT_SHAPE)
    return pd_units_format_shape ((const PdShape *) (gconstpointer) field);
  if (param->unit == PD_UNIT_TIME || param->unit == PD_UNIT_BYTES || param->unit == PD_UNIT_COUNT)
    memcpy (&number.i, field, sizeof number.i);
  else
    memcpy (&number.d, field, sizeof number.d);
  return pd_units_format (param->unit, number);
}

static void
add_protocol (GString *out, const PdProtocol *protocol)
{
  g_autofree char *eager = pd_units_format (PD_UNIT_BYTES, (PdNumber){ protocol->eager, 0 });
  g_autofree char *detached = pd_units_format (PD_UNIT_BYTES, (PdNumber){ protocol->detached, 0 });
  g_autofree char *envelope = pd_units_format (PD_UNIT_BYTES, (PdNumber){ protocol->envelope, 0 });

  g_string_append_printf (out, ", eager %s",
                          protocol->eager < 0             ? "none"
                          : protocol->eager == G_MAXINT64 ? "any size"
                                                          : eager);
  if (protocol->detached >= 0)
    g_string_append_printf (out, ", detached %s", detached);
  if (protocol->envelope > 0)
    g_string_append_printf (out, ", envelope %s", envelope);
  g_string_append_printf (out, ", control %s", protocol->free_control ? "free" : "modelled");
}

char *
pd_machine_describe_network (const PdMachineNetwork *network)
{
  GString *out = g_string_new (NULL);
  const char *separator = ": ";

  g_string_append (out, network->class->type);
  if (network->name != NULL)
    g_string_append_printf (out, " '%s'", network->name);
  for (const PdParam *p = network->class->params; p->name != NULL; p++)
    {
      const PdNetworkClass *class = network->class;
      if (class->uses_param != NULL && !class->uses_param (network->config, p))
        continue;
      g_autofree char *value = format_param (p, network->config);
      g_string_append_printf (out, "%s%s %s", separator, p->name, value);
      separator = ", ";
    }
  add_protocol (out, &network->protocol);
  return g_string_free (out, FALSE);
}

static void
add_network_line (GString *out, const PdMachineNetwork *network)
{
  g_autofree char *text = pd_machine_describe_network (network);

  g_autofree char *shown = pd_text_show (text);

  g_string_append_printf (out, "%s\n", shown);
}

char *
pd_machine_describe_speeds (const PdMachineNode *node)
{
  GString *out = g_string_new (NULL);
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  gdouble least = node->speed, most = node->speed;

  for (guint i = 0; node->speeds != NULL && i < node->speeds->len; i++)
    {
      gdouble speed = g_array_index (node->speeds, gdouble, i);
      least = i == 0 ? speed : MIN (least, speed);
      most = i == 0 ? speed : MAX (most, speed);
    }
  g_string_append_printf (out, "speed %s", g_ascii_formatd (text, sizeof text, "%.6g", least));
  if (most > least)
    g_string_append_printf (out, " to %s", g_ascii_formatd (text, sizeof text, "%.6g", most));
  return g_string_free (out, FALSE);
}

static void add_network (GString *out, const PdMachineNetwork *network, const char *indent);

static void
add_node (GString *out, const PdMachineNode *node, const char *indent, gboolean is_last)
{
  g_autofree char *below = g_strconcat (indent, is_last ? "   " : "|  ", NULL);

  g_string_append_printf (out, "%s+- %u x ", indent, node->count);
  if (node->network != NULL)
    {
      add_network (out, node->network, below);
      return;
    }
  g_autofree char *speeds = pd_machine_describe_speeds (node);
  g_string_append_printf (out, "node of %u processor%s, %s\n", node->processors,
                          node->processors == 1 ? "" : "s", speeds);
  if (node->memory != NULL)
    {
      g_string_append_printf (out, "%s+- ", below);
      add_network_line (out, node->memory);
    }
}

static void
add_network (GString *out, const PdMachineNetwork *network, const char *indent)
{
  add_network_line (out, network);
  pd_machine_describe_tables (network, indent, out);
  for (guint i = 0; i < network->children->len; i++)
    add_node (out, network->children->pdata[i], indent, i + 1 == network->children->len);
}

static void
add_row (GString *out, const char *name, const char *value)
{
  g_autofree char *shown = pd_text_show (value);

  g_string_append_printf (out, "%-20s %s\n", name, shown);
}

/* A row whose value is broken into lines between words. */
static void
add_text (GString *out, const char *name, const char *text)
{
  g_autofree char *first = g_strdup_printf ("%-20s ", name);

  pd_text_append_wrapped (out, first, NAME_WIDTH + 1, TEXT_WIDTH - 1, text);
}

static char *
describe_phases (PdPhase in, PdPhase out)
{
  static const char *const models[] = { "none", "constant", "linear", "logarithmic" };
  static const char *const sizes[] = { "bytes sent",     "bytes received", "the lesser of both",
                                       "the larger",     "their mean",     "twice the larger",
                                       "sent + received" };

  return g_strdup_printf ("in: %s (%s), out: %s (%s)", models[in.model], sizes[in.size],
                          models[out.model], sizes[out.size]);
}

/* Set "simple": costs that are more than a constant. */
static void
add_phases (GString *out, const PdMachine *self)
{
  if (self->fan_in.model != PD_PHASE_NONE || self->fan_out.model != PD_PHASE_NONE)
    {
      g_autofree char *fans = describe_phases (self->fan_in, self->fan_out);
      add_row (out, "  any operation", fans);
    }
  for (guint i = 0; i < self->costs->len; i++)
    {
      const PdCollectiveCost *cost = &g_array_index (self->costs, PdCollectiveCost, i);
      g_autofree char *name = g_strconcat ("  ", cost->operation, NULL);
      g_autofree char *fans = describe_phases (cost->in, cost->out);
      add_row (out, name, fans);
    }
}

static char *
describe_ranks (const PdCollectiveUse *use)
{
  if (use->min_ranks > 0 && use->max_ranks < G_MAXINT64)
    return g_strdup_printf (", %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " ranks", use->min_ranks,
                            use->max_ranks);
  if (use->min_ranks > 0)
    return g_strdup_printf (", from %" G_GINT64_FORMAT " ranks on", use->min_ranks);
  if (use->max_ranks < G_MAXINT64)
    return g_strdup_printf (", up to %" G_GINT64_FORMAT " ranks", use->max_ranks);
  return g_strdup ("");
}

static void
add_collectives (GString *out, const PdMachine *self)
{
  add_row (out, "collectives", self->collectives);
  if (strcmp (self->collectives, "simple") == 0)
    {
      g_autofree char *time =
          pd_units_format (PD_UNIT_TIME, (PdNumber){ self->collective_time.ps, 0 });
      add_row (out, "  time", time);
    }
  add_phases (out, self);
  for (guint i = 0; i < self->uses->len; i++)
    {
      const PdCollectiveUse *use = &g_array_index (self->uses, PdCollectiveUse, i);
      g_autofree char *name = g_strconcat ("  ", use->operation, NULL);
      g_autofree char *limit = pd_units_format (PD_UNIT_BYTES, (PdNumber){ use->up_to, 0 });
      g_autofree char *value = use->up_to == G_MAXINT64
                                   ? g_strdup (use->algorithm)
                                   : g_strdup_printf ("%s, up to %s", use->algorithm, limit);
      g_autofree char *ranks = describe_ranks (use);
      g_autofree char *all = g_strconcat (value, ranks, NULL);
      add_row (out, name, all);
    }
}

static void
add_function (GString *out, const PdFunctionCost *cost)
{
  g_autofree char *overhead = pd_units_format (PD_UNIT_TIME, (PdNumber){ cost->overhead.ps, 0 });
  g_autofree char *per_byte = pd_units_format (PD_UNIT_PER_BYTE, (PdNumber){ 0, cost->per_byte });
  g_autofree char *from = pd_units_format (PD_UNIT_BYTES, (PdNumber){ cost->from, 0 });
  g_autofree char *all = g_strdup_printf ("%s, %s from %s on", overhead, per_byte, from);

  add_row (out, cost->name, cost->per_byte > 0 ? all : overhead);
}

/* The parameters of an element, from @values. */
static void
add_params (GString *out, const char *prefix, const char *element, gconstpointer values)
{
  for (const PdParam *p = pd_machine_element_find (element)->params; p->name != NULL; p++)
    {
      g_autofree char *name = g_strconcat (prefix, p->name, NULL);
      g_autofree char *value = format_param (p, values);
      add_row (out, name, value);
    }
}

static void
add_number (GString *out, const char *name, gint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  add_row (out, name, text);
}

/* Where values come from, those to be trusted most first. */
static void
add_sources (GString *out, const PdMachine *self)
{
  for (guint kind = 0; kind < PD_VALUE_N_SOURCES; kind++)
    for (guint i = 0; i < self->sources->len; i++)
      {
        const PdValueSource *source = &g_array_index (self->sources, PdValueSource, i);
        if (source->kind != (PdValueSourceKind) kind)
          continue;
        g_autofree char *text = g_strdup_printf ("%s: %s", source->paths, source->text);
        add_text (out, pd_value_source_name (source->kind), text);
      }
}

char *
pd_machine_describe_topology (const PdMachineNetwork *network)
{
  const PdNetworkClass *class = network->class;

  for (const PdParam *p = class->params; p->name != NULL; p++)
    if (strcmp (p->name, "topology") == 0)
      return format_param (p, network->config);
  return g_strdup (class->type);
}

char *
pd_machine_describe_sources (const PdMachine *self)
{
  gboolean has[PD_VALUE_N_SOURCES] = { [PD_VALUE_FITTED] = self->measured != NULL };
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->sources->len; i++)
    has[g_array_index (self->sources, PdValueSource, i).kind] = TRUE;
  for (guint kind = 0; kind < PD_VALUE_N_SOURCES; kind++)
    if (has[kind])
      g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "",
                              pd_value_source_name ((PdValueSourceKind) kind));
  return g_string_free (out, FALSE);
}

char *
pd_machine_describe (const PdMachine *self)
{
  GString *out = g_string_new (NULL);

  g_return_val_if_fail (self != NULL, NULL);

  add_row (out, "machine", self->name);
  if (*self->description != '\0')
    add_text (out, "description", self->description);
  add_row (out, "origin", self->origin);
  if (self->year > 0)
    add_number (out, "year", self->year);
  add_number (out, "processors", self->n_processors);
  add_collectives (out, self);
  add_params (out, "", "software", &self->software);
  if (self->io.is_given)
    add_params (out, "io-", "io", &self->io);
  if (self->cache.is_given)
    add_params (out, "cache-", "cache", &self->cache);
  for (guint i = 0; i < self->functions->len; i++)
    {
      const PdFunctionCost *cost = &g_array_index (self->functions, PdFunctionCost, i);
      add_function (out, cost);
    }
  if (self->noise.kind != PD_NOISE_NONE)
    {
      g_autofree char *noise = pd_machine_noise_describe (&self->noise);
      add_row (out, "noise", noise);
    }
  add_sources (out, self);
  g_string_append_c (out, '\n');
  add_network (out, self->network, "");
  return g_string_free (out, FALSE);
}

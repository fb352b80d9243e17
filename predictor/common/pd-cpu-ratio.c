/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-cpu-ratio.h"

#include "base/pd-units.h"
#include "predictor/common/pd-errors.h"

#include <string.h>

/* Places that a message lists. */
#define MAX_PLACES_SHOWN 12

/* The ratio of the intervals that begin in one place. */
typedef struct
{
  char *file;
  gint64 line;
  gdouble ratio;
} Given;

struct _PdCpuRatios
{
  gboolean has_default;
  gdouble otherwise; /* ratio of all computation */
  GArray *given;     /* Given */
};

/* ---- what the user gave */

static void
given_clear (gpointer data)
{
  g_free (((Given *) data)->file);
}

static gboolean
refuse (const char *text, const char *why, GError **error)
{
  g_set_error (error, PD_USAGE_ERROR, 0, "--cpu-ratio '%s': %s; expected RATIO or FILE:LINE=RATIO",
               text, why);
  return FALSE;
}

static gboolean
parse_ratio (const char *text, const char *number, gdouble *ratio, GError **error)
{
  PdNumber value;

  if (!pd_units_parse (PD_UNIT_RATIO, number, &value, NULL) || !(value.d >= PD_CPU_RATIO_MIN)
      || !(value.d <= PD_CPU_RATIO_MAX))
    return refuse (text, "the ratio is not a number from 1e-6 to 1e6", error);
  *ratio = value.d;
  return TRUE;
}

static gboolean
parse_default (PdCpuRatios *self, const char *text, GError **error)
{
  if (self->has_default)
    return refuse (text, "the ratio of all computation is given twice", error);
  self->has_default = TRUE;
  return parse_ratio (text, text, &self->otherwise, error);
}

/* @equals: the last '=' of @text. */
static gboolean
parse_given (PdCpuRatios *self, const char *text, const char *equals, GError **error)
{
  g_autofree char *place = g_strndup (text, (gsize) (equals - text));
  char *colon = strrchr (place, ':');
  guint64 line;

  if (colon == NULL || colon == place
      || !g_ascii_string_to_unsigned (colon + 1, 10, 1, G_MAXINT64, &line, NULL))
    return refuse (text, "the place is not a file and a line", error);
  *colon = '\0';
  for (guint i = 0; i < self->given->len; i++)
    {
      const Given *other = &g_array_index (self->given, Given, i);
      if (other->line == (gint64) line && strcmp (other->file, place) == 0)
        return refuse (text, "the place is given twice", error);
    }
  Given given = { NULL, (gint64) line, 1 };
  if (!parse_ratio (text, equals + 1, &given.ratio, error))
    return FALSE;
  given.file = g_steal_pointer (&place);
  g_array_append_val (self->given, given);
  return TRUE;
}

PdCpuRatios *
pd_cpu_ratios_parse (const char *const *texts, GError **error)
{
  g_autoptr (PdCpuRatios) self = g_new0 (PdCpuRatios, 1);

  self->otherwise = 1;
  self->given = g_array_new (FALSE, FALSE, sizeof (Given));
  g_array_set_clear_func (self->given, given_clear);
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      const char *equals = strrchr (texts[i], '=');
      if (equals == NULL ? !parse_default (self, texts[i], error)
                         : !parse_given (self, texts[i], equals, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
pd_cpu_ratios_get_range (const PdCpuRatios *self, gdouble *least, gdouble *most)
{
  *least = *most = self != NULL ? self->otherwise : 1;
  for (guint i = 0; self != NULL && i < self->given->len; i++)
    {
      gdouble ratio = g_array_index (self->given, Given, i).ratio;
      *least = MIN (*least, ratio);
      *most = MAX (*most, ratio);
    }
}

void
pd_cpu_ratios_free (PdCpuRatios *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->given);
  g_free (self);
}

/* ---- the nodes of a tree */

typedef struct
{
  const char *file;
  gint64 line;
} Place;

/* The ratio in a node: that of the user, and that of the machine. */
typedef struct
{
  gdouble given;
  gdouble region;
} Ratio;

struct _PdNodeRatios
{
  const PdCpuRatios *given;
  const GArray *regions; /* (nullable): PdMachineRegion */
  GArray *ratios;        /* Ratio, by node */
  GArray *places;        /* Place: where intervals begin, distinct, the first ones */
  gboolean *found;       /* (array): which of given->given have a node */
};

PdNodeRatios *
pd_node_ratios_new (const PdCpuRatios *given, const GArray *regions)
{
  PdNodeRatios *self = g_new0 (PdNodeRatios, 1);
  Ratio root = { given != NULL ? given->otherwise : 1, 1 };

  self->given = given;
  self->regions = regions;
  self->ratios = g_array_new (FALSE, FALSE, sizeof (Ratio));
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
  self->found = g_new0 (gboolean, given != NULL ? given->given->len : 0);
  g_array_append_val (self->ratios, root);
  return self;
}

void
pd_node_ratios_free (PdNodeRatios *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->ratios);
  g_array_unref (self->places);
  g_free (self->found);
  g_free (self);
}

static void
note_place (PdNodeRatios *self, const char *file, gint64 line)
{
  Place place = { file, line };

  if (self->places->len > MAX_PLACES_SHOWN)
    return;
  for (guint i = 0; i < self->places->len; i++)
    {
      const Place *other = &g_array_index (self->places, Place, i);
      if (other->line == line && strcmp (other->file, file) == 0)
        return;
    }
  g_array_append_val (self->places, place);
}

/* The ratio at a place inside one with @ratio. */
static Ratio
ratio_at (PdNodeRatios *self, Ratio ratio, const char *file, gint64 line)
{
  note_place (self, file, line);
  for (guint i = 0; self->given != NULL && i < self->given->given->len; i++)
    {
      const Given *given = &g_array_index (self->given->given, Given, i);
      if (given->line != line || strcmp (given->file, file) != 0)
        continue;
      ratio.given = given->ratio;
      self->found[i] = TRUE;
    }
  for (guint i = 0; self->regions != NULL && i < self->regions->len; i++)
    {
      const PdMachineRegion *region = &g_array_index (self->regions, PdMachineRegion, i);
      if (region->line == line && strcmp (region->file, file) == 0)
        ratio.region = region->speed;
    }
  return ratio;
}

void
pd_node_ratios_enter (PdNodeRatios *self, guint32 node, guint32 parent, const char *file,
                      gint64 line)
{
  if (self == NULL || node < self->ratios->len)
    return;
  g_return_if_fail (node == self->ratios->len && parent < node && file != NULL);

  Ratio ratio = ratio_at (self, g_array_index (self->ratios, Ratio, parent), file, line);
  g_array_append_val (self->ratios, ratio);
}

gboolean
pd_node_ratios_has_places (const PdNodeRatios *self)
{
  return self != NULL
         && ((self->given != NULL && self->given->given->len > 0)
             || (self->regions != NULL && self->regions->len > 0));
}

gdouble
pd_node_ratios_get_at (PdNodeRatios *self, guint32 node, const char *file, gint64 line)
{
  g_return_val_if_fail (self != NULL && file != NULL, 1);

  Ratio ratio = ratio_at (self, g_array_index (self->ratios, Ratio, node), file, line);
  return ratio.given * ratio.region;
}

gdouble
pd_node_ratios_get (const PdNodeRatios *self, guint32 node)
{
  if (self == NULL)
    return 1;
  const Ratio *ratio = &g_array_index (self->ratios, Ratio, node);
  return ratio->given * ratio->region;
}

PdTime
pd_node_ratios_divide (const PdNodeRatios *self, guint32 node, PdTime time, gdouble speed)
{
  if (self != NULL)
    speed = MAX (speed * pd_node_ratios_get (self, node), G_MINDOUBLE);
  return pd_time_divide (time, speed);
}

static char *
list_places (const PdNodeRatios *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (self->places->len, MAX_PLACES_SHOWN); i++)
    {
      const Place *place = &g_array_index (self->places, Place, i);
      g_string_append_printf (text, "%s%s:%" G_GINT64_FORMAT, i > 0 ? ", " : "", place->file,
                              place->line);
    }
  if (self->places->len > MAX_PLACES_SHOWN)
    g_string_append (text, ", …");
  return g_string_free (text, FALSE);
}

gboolean
pd_node_ratios_check (const PdNodeRatios *self, GError **error)
{
  for (guint i = 0; self != NULL && self->given != NULL && i < self->given->given->len; i++)
    {
      const Given *given = &g_array_index (self->given->given, Given, i);
      g_autofree char *places = list_places (self);
      if (self->found[i])
        continue;
      g_set_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_INTERVAL,
                   "--cpu-ratio: no interval of the trace begins at %s:%" G_GINT64_FORMAT "; %s%s",
                   given->file, given->line,
                   self->places->len > 0 ? "intervals begin at " : "it has no intervals", places);
      return FALSE;
    }
  return TRUE;
}

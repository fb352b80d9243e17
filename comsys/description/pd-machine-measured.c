/* Reading "measured", what a description has been fitted to.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-read.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-measured-private.h"
#include "comsys/description/pd-machine-values-private.h"

/* An element that has nothing but numbers: fills @out with them. */
static gboolean
read_numbers (PdMachineReader *self, PdElement *node, gpointer out)
{
  const PdMachineElement *element = pd_machine_element_find (node->name);

  return pd_machine_check_element (self, node)
         && pd_machine_read_params (self, node, element->params, out);
}

static gboolean
read_line (PdMachineReader *self, PdElement *node, PdPoints *points)
{
  static const char *const levels[] = { "memory", "network", NULL };
  const char *level = pd_element_get (node, "level");
  PdPointLine line = { .level = NULL };
  guint chosen;

  if (!read_numbers (self, node, &line))
    return FALSE;
  if (level == NULL)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA, "attribute 'level' is missing");
  if (!pd_machine_read_choice (self, node, "level", level, levels, &chosen))
    return FALSE;
  line.level = levels[chosen];
  g_array_append_val (points->lines, line);
  return TRUE;
}

static gboolean
read_loggp (PdMachineReader *self, PdElement *node, PdPoints *points)
{
  PdPointLogGP loggp;

  if (!read_numbers (self, node, &loggp))
    return FALSE;
  g_array_append_val (points->loggp, loggp);
  return TRUE;
}

static gboolean
read_point (PdMachineReader *self, PdElement *node, PdPoints *points)
{
  const char *what = pd_element_get (node, "what");
  PdPoint point = { .what = NULL };

  if (!read_numbers (self, node, &point)
      || !pd_machine_check_count (self, node, "processes", point.processes))
    return FALSE;
  point.what = what != NULL ? pd_point_find (what) : NULL;
  if (point.what == NULL)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                            "what '%s': expected ping-pong, sendrecv, isend-irecv or a collective "
                            "operation, as allreduce",
                            what != NULL ? what : "");
  if (point.processes < 2 || (pd_point_is_transfer (&point) && point.processes != 2))
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "processes: expected 2%s",
                            point.processes < 2 ? " or more" : "");
  if (point.bytes > PD_POINT_MAX_BYTES)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "bytes: expected at most 1 TiB");
  if (point.time.ps <= 0)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "time: expected more than 0");
  g_array_append_val (points->points, point);
  return TRUE;
}

gboolean
pd_machine_read_measured (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  PdMeasuredAttributes attributes;

  if (node == NULL)
    return TRUE;
  if (!read_numbers (self, node, &attributes))
    return FALSE;
  machine->measured = pd_points_new ();
  machine->measured->date = g_strdup (pd_element_get (node, "date"));
  machine->measured->mpi = g_strdup (pd_element_get (node, "mpi"));
  machine->measured->host = g_strdup (pd_element_get (node, "host"));
  machine->measured->transfer_r2 = attributes.transfer_r2;
  machine->measured->operation_r2 = attributes.operation_r2;
  for (PdElement *child = node->children; child != NULL; child = child->next)
    if ((pd_machine_is_named (child, "line") && !read_line (self, child, machine->measured))
        || (pd_machine_is_named (child, "loggp") && !read_loggp (self, child, machine->measured))
        || (pd_machine_is_named (child, "point") && !read_point (self, child, machine->measured)))
      return FALSE;
  return TRUE;
}

/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-machine-picture.h"

#include "comsys/description/pd-machine-show.h"

#include <string.h>

static void
add_part (GArray *parts, guint depth, char *title, char *detail)
{
  PdReportMachinePart part = { depth, title, detail };

  g_array_append_val (parts, part);
}

static void add_network (GArray *parts, guint depth, guint32 count, const char *what,
                         const PdMachineNetwork *network);

/* "TYPE 'name': parameters" in its two halves. */
static void
add_network_itself (GArray *parts, guint depth, guint32 count, const char *what,
                    const PdMachineNetwork *network)
{
  g_autofree char *line = pd_machine_describe_network (network);
  gsize type = strlen (network->class->type);
  const char *colon = strstr (line + type, ": ");
  g_autofree char *number = count > 1 ? g_strdup_printf ("%u × ", count) : g_strdup ("");
  g_autofree char *own = g_strdelimit (
      g_strdup (network->name != NULL ? network->name : network->class->type), "\n\t", ' ');

  /* a name may have a colon, too: it is behind the type, in quotes */
  if (network->name != NULL)
    colon = strstr (line + MIN (strlen (line), type + 3 + strlen (network->name)), ": ");
  g_autofree char *detail =
      network->name != NULL ? g_strconcat ("type ", network->class->type, colon != NULL ? ", " : "",
                                           colon != NULL ? colon + 2 : "", NULL)
                            : g_strdup (colon != NULL ? colon + 2 : "");
  /* many a memory is called so */
  char *title = strcmp (what, own) == 0 ? g_strconcat (number, what, NULL)
                                        : g_strconcat (number, what, " ", own, NULL);
  add_part (parts, depth, title, g_steal_pointer (&detail));
}

static void
add_node (GArray *parts, guint depth, const PdMachineNode *node)
{
  if (node->network != NULL)
    {
      add_network (parts, depth, node->count, "network", node->network);
      return;
    }
  const char *s = node->processors == 1 ? "" : "s";
  add_part (parts, depth,
            node->count == 1 && node->processors == 1
                ? g_strdup ("node of 1 processor")
                : g_strdup_printf ("%u × node of %u processor%s", node->count, node->processors, s),
            pd_machine_describe_speeds (node));
  if (node->memory != NULL)
    add_network_itself (parts, depth + 1, 1, "memory", node->memory);
}

static void
add_network (GArray *parts, guint depth, guint32 count, const char *what,
             const PdMachineNetwork *network)
{
  add_network_itself (parts, depth, count, what, network);
  for (guint i = 0; i < network->children->len; i++)
    add_node (parts, depth + 1, g_ptr_array_index (network->children, i));
}

GArray *
pd_machine_make_picture (const PdMachine *machine)
{
  GArray *parts = pd_report_new_machine_parts ();

  add_network (parts, 0, 1, "network", machine->network);
  return parts;
}

/* The elements of a machine description and their attributes: the one place
 * that names them besides the schema, which a test compares with this.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-parts.h"
#include "comsys/description/pd-machine-elements.h"

#include <string.h>

#define OFFSET G_STRUCT_OFFSET

static const PdParam no_params[] = { { .name = NULL } };

static const PdParam machine_params[] = {
  { "version", PD_UNIT_COUNT, OFFSET (PdMachineAttributes, version), "1", 1, NULL,
    "version of this form, 1" },
  { "year", PD_UNIT_COUNT, OFFSET (PdMachineAttributes, year), "0", 0, NULL,
    "of the figures; 0 = not known" },
  { .name = NULL },
};

static const PdParam network_params[] = {
  { "count", PD_UNIT_COUNT, OFFSET (PdNodesAttributes, count), "1", 1, NULL,
    "number of copies of a nested network" },
  { .name = NULL },
};

static const PdParam nodes_params[] = {
  { "count", PD_UNIT_COUNT, OFFSET (PdNodesAttributes, count), "1", 1, NULL,
    "number of such nodes" },
  { "processors", PD_UNIT_COUNT, OFFSET (PdNodesAttributes, processors), "1", 1, NULL,
    "processors of each node" },
  { .name = NULL },
};

static const PdParam processor_params[] = {
  { "index", PD_UNIT_COUNT, OFFSET (PdProcessorAttributes, index), NULL, 0, NULL,
    "which processor of the group of nodes, from 0" },
  { "speed", PD_UNIT_RATIO, OFFSET (PdProcessorAttributes, speed), NULL, 0, NULL,
    "its speed relative to the recording machine" },
  { .name = NULL },
};

static const PdParam region_params[] = {
  { "line", PD_UNIT_COUNT, OFFSET (PdRegionAttributes, line), NULL, 0, NULL,
    "where the intervals begin: line, or value of an event" },
  { "speed", PD_UNIT_RATIO, OFFSET (PdRegionAttributes, speed), NULL, 0, NULL,
    "how much faster processors are in them" },
  { .name = NULL },
};

static const PdParam spread_params[] = {
  { "sigma", PD_UNIT_RATIO, OFFSET (PdSpreadAttributes, sigma), NULL, 0, NULL,
    "standard deviation, relative to the value" },
  { .name = NULL },
};

static const PdParam collectives_params[] = {
  { "time", PD_UNIT_TIME, OFFSET (PdCollectivesAttributes, time), "0", 0, NULL,
    "set 'simple': what each collective costs after the last arrival" },
  { "startup", PD_UNIT_TIME, OFFSET (PdCollectivesAttributes, network.startup), "0", 0, NULL,
    "set 'simple': of a message among nodes" },
  { "per-byte", PD_UNIT_PER_BYTE, OFFSET (PdCollectivesAttributes, network.per_byte), "0", 0, NULL,
    "set 'simple': of a message among nodes" },
  { "channels", PD_UNIT_COUNT, OFFSET (PdCollectivesAttributes, network.channels), "0", 0, NULL,
    "set 'simple': messages among nodes at a time, 0 = any number" },
  { "memory-startup", PD_UNIT_TIME, OFFSET (PdCollectivesAttributes, memory.startup), "0", 0, NULL,
    "set 'simple': of a message within a node" },
  { "memory-per-byte", PD_UNIT_PER_BYTE, OFFSET (PdCollectivesAttributes, memory.per_byte), "0", 0,
    NULL, "set 'simple': of a message within a node" },
  { "memory-channels", PD_UNIT_COUNT, OFFSET (PdCollectivesAttributes, memory.channels), "0", 0,
    NULL, "set 'simple': messages within a node at a time, 0 = any number" },
  { .name = NULL },
};

static const PdParam row_params[] = {
  { "size", PD_UNIT_BYTES, OFFSET (PdTableRowAttributes, size), NULL, 1, NULL,
    "bytes of the messages measured" },
  { "time", PD_UNIT_TIME, OFFSET (PdTableRowAttributes, time), NULL, 1, NULL,
    "of one such message when nothing else uses the channel" },
  { .name = NULL },
};

static const PdParam software_params[] = {
  { "send-overhead", PD_UNIT_TIME, OFFSET (PdSoftware, send_overhead), "0", 0, NULL,
    "processor time of starting a send" },
  { "recv-overhead", PD_UNIT_TIME, OFFSET (PdSoftware, recv_overhead), "0", 0, NULL,
    "processor time of starting a receive" },
  { "wait-overhead", PD_UNIT_TIME, OFFSET (PdSoftware, wait_overhead), "0", 0, NULL,
    "processor time of completing a request" },
  { "copy-per-byte", PD_UNIT_PER_BYTE, OFFSET (PdSoftware, copy_per_byte), "0", 0, NULL,
    "local copy of one byte" },
  { "reduction-per-byte", PD_UNIT_PER_BYTE, OFFSET (PdSoftware, reduction_per_byte), "0", 0, NULL,
    "reduction operation on one byte" },
  { "pack-per-byte", PD_UNIT_PER_BYTE, OFFSET (PdSoftware, pack_per_byte), "0.077ns", 0, NULL,
    "packing and unpacking one byte of a message" },
  { "pack-per-run", PD_UNIT_TIME, OFFSET (PdSoftware, pack_per_run), "1.144ns", 0, NULL,
    "… besides, each run of neighbouring elements" },
  { "touch-per-byte", PD_UNIT_PER_BYTE, OFFSET (PdSoftware, touch_per_byte), "0.3ns", 0, NULL,
    "first touch of a byte of fresh memory" },
  { "exchange-overhead", PD_UNIT_TIME, OFFSET (PdSoftware, exchange_overhead), "0", 0, NULL,
    "processor time of an exchange besides its messages" },
  { "recorder-overhead", PD_UNIT_TIME, OFFSET (PdSoftware, recorder_overhead), "0", 0, NULL,
    "of traces recorded on it: each event of the recorder" },
  { "statistics-overhead", PD_UNIT_TIME, OFFSET (PdSoftware, statistics_overhead), "0", 0, NULL,
    "… statistics, in each call of the run-time system" },
  { .name = NULL },
};

static const char *const io_writers[] = { "one", "all", NULL };

static const PdParam io_params[] = {
  { "latency", PD_UNIT_TIME, OFFSET (PdIo, latency), NULL, 0, NULL,
    "time of an operation on files besides its bytes" },
  { "bandwidth", PD_UNIT_RATE, OFFSET (PdIo, bandwidth), NULL, 0, NULL,
    "of the file system, which all share" },
  { "writers", PD_UNIT_COUNT, OFFSET (PdIo, writers), "one", 0, io_writers,
    "who reads and writes distributed arrays: the I/O processor, or each processor its part" },
  { .name = NULL },
};

static const PdParam cache_params[] = {
  { "size", PD_UNIT_BYTES, OFFSET (PdCache, size), NULL, 1, NULL,
    "bytes of the last level of caches" },
  { "processors", PD_UNIT_COUNT, OFFSET (PdCache, processors), "0", 0, NULL,
    "of a node that share it; 0 = all of the node" },
  { .name = NULL },
};

static const PdParam function_params[] = {
  { "overhead", PD_UNIT_TIME, OFFSET (PdFunctionAttributes, overhead), NULL, 0, NULL,
    "processor time of each call, besides" },
  { "per-byte", PD_UNIT_PER_BYTE, OFFSET (PdFunctionAttributes, per_byte), "0", 0, NULL,
    "of a collective operation: … and of each byte of its block or vector" },
  { "from", PD_UNIT_BYTES, OFFSET (PdFunctionAttributes, from), "0", 0, NULL,
    "… where it has at least so many" },
  { .name = NULL },
};

static const PdParam measured_params[] = {
  { "transfer-r2", PD_UNIT_RATIO, OFFSET (PdMeasuredAttributes, transfer_r2), "0", 0, NULL,
    "R2 of the lines through the times of transfers, in logarithms; 0 = not known" },
  { "operation-r2", PD_UNIT_RATIO, OFFSET (PdMeasuredAttributes, operation_r2), "0", 0, NULL,
    "R2 of the model for collective operations, likewise" },
  { .name = NULL },
};

static const PdParam line_params[] = {
  { "from", PD_UNIT_BYTES, OFFSET (PdPointLine, from), NULL, 0, NULL, "least size measured" },
  { "to", PD_UNIT_BYTES, OFFSET (PdPointLine, to), NULL, 0, NULL, "greatest size measured" },
  { "startup", PD_UNIT_TIME, OFFSET (PdPointLine, startup), NULL, 0, NULL,
    "time of a message besides its bytes" },
  { "per-byte", PD_UNIT_PER_BYTE, OFFSET (PdPointLine, per_byte), NULL, 0, NULL, "time of a byte" },
  { "residual", PD_UNIT_RATIO, OFFSET (PdPointLine, residual), "0", 0, NULL,
    "relative, root of the mean square" },
  { .name = NULL },
};

static const PdParam loggp_params[] = {
  { "from", PD_UNIT_BYTES, OFFSET (PdPointLogGP, from), NULL, 0, NULL, "least size measured" },
  { "to", PD_UNIT_BYTES, OFFSET (PdPointLogGP, to), NULL, 0, NULL, "greatest size measured" },
  { "latency", PD_UNIT_TIME, OFFSET (PdPointLogGP, latency), NULL, 0, NULL, "L" },
  { "send", PD_UNIT_TIME, OFFSET (PdPointLogGP, send), NULL, 0, NULL, "o of the sender" },
  { "receive", PD_UNIT_TIME, OFFSET (PdPointLogGP, receive), NULL, 0, NULL, "o of the receiver" },
  { "gap", PD_UNIT_TIME, OFFSET (PdPointLogGP, gap), NULL, 0, NULL, "g" },
  { "gap-of-byte", PD_UNIT_PER_BYTE, OFFSET (PdPointLogGP, gap_of_byte), NULL, 0, NULL, "G" },
  { .name = NULL },
};

static const PdParam point_params[] = {
  { "processes", PD_UNIT_COUNT, OFFSET (PdPoint, processes), "2", 2, NULL, "ranks that took part" },
  { "per-node", PD_UNIT_COUNT, OFFSET (PdPoint, per_node), "0", 0, NULL,
    "how many of them on each node; 0 = all on one" },
  { "bytes", PD_UNIT_BYTES, OFFSET (PdPoint, bytes), "0", 0, NULL,
    "of the message, the block or the vector" },
  { "time", PD_UNIT_TIME, OFFSET (PdPoint, time), NULL, 1, NULL, "median" },
  { "low", PD_UNIT_TIME, OFFSET (PdPoint, low), "0", 0, NULL,
    "lower end of its confidence interval; 0 = not known" },
  { "high", PD_UNIT_TIME, OFFSET (PdPoint, high), "0", 0, NULL, "upper end, likewise" },
  { .name = NULL },
};

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NO_NAMES   ((const char *const[]){ NULL })

static const PdMachineElement elements[] = {
  { "machine", NAMES ("name", "map"), machine_params,
    NAMES ("description", "network", "collectives", "software", "io", "cache", "noise", "spread",
           "region", "measured", "source"),
    FALSE },
  { "description", NO_NAMES, no_params, NO_NAMES, TRUE },
  { "network", NAMES ("type", "name", "eager", "detached", "envelope", "control"), network_params,
    NAMES ("table", "network", "nodes"), FALSE },
  { "table", NAMES ("level", "cf"), no_params, NAMES ("row"), FALSE },
  { "row", NAMES ("factors"), row_params, NO_NAMES, FALSE },
  { "nodes", NAMES ("speed"), nodes_params, NAMES ("memory", "processor"), FALSE },
  { "memory", NAMES ("type", "eager", "detached", "envelope", "control"), no_params, NO_NAMES,
    FALSE },
  { "processor", NO_NAMES, processor_params, NO_NAMES, FALSE },
  { "collectives", NAMES ("set", "in", "in-size", "out", "out-size"), collectives_params,
    NAMES ("use", "cost"), FALSE },
  { "use", NAMES ("operation", "algorithm", "up-to", "min-ranks", "max-ranks", "segment"),
    no_params, NO_NAMES, FALSE },
  { "cost", NAMES ("operation", "in", "in-size", "out", "out-size"), no_params, NO_NAMES, FALSE },
  { "software", NO_NAMES, software_params, NAMES ("function"), FALSE },
  { "function", NAMES ("name"), function_params, NO_NAMES, FALSE },
  { "io", NO_NAMES, io_params, NO_NAMES, FALSE },
  { "cache", NO_NAMES, cache_params, NO_NAMES, FALSE },
  { "region", NAMES ("file"), region_params, NO_NAMES, FALSE },
  { "spread", NAMES ("path", "kind"), spread_params, NO_NAMES, FALSE },
  { "source", NAMES ("path", "kind"), no_params, NO_NAMES, TRUE },
  { "measured", NAMES ("date", "mpi", "host"), measured_params, NAMES ("line", "loggp", "point"),
    FALSE },
  { "line", NAMES ("level"), line_params, NO_NAMES, FALSE },
  { "loggp", NO_NAMES, loggp_params, NO_NAMES, FALSE },
  { "point", NAMES ("what"), point_params, NO_NAMES, FALSE },
  { "noise", NAMES ("kind", "sigma", "share", "mean", "file"), no_params, NO_NAMES, FALSE },
};

static const char *const operations[] = {
  "barrier",
  "bcast",
  "gather",
  "gatherv",
  "scatter",
  "scatterv",
  "allgather",
  "allgatherv",
  "reduce",
  "allreduce",
  "scan",
  "exscan",
  "alltoall",
  "alltoallv",
  "alltoallw",
  "reduce-scatter",
  "reduce-scatter-block",
  "neighbor-allgather",
  "neighbor-allgatherv",
  "neighbor-alltoall",
  "neighbor-alltoallv",
  "neighbor-alltoallw",
  NULL,
};

const PdMachineElement *
pd_machine_element_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (elements); i++)
    if (strcmp (elements[i].name, name) == 0)
      return &elements[i];
  return NULL;
}

const PdNetworkClass *
pd_machine_element_class (PdElement *node)
{
  const char *name = node->name;

  gboolean is_memory = strcmp (name, "memory") == 0;

  if (!is_memory && strcmp (name, "network") != 0)
    return NULL;
  const char *type = pd_element_get (node, "type");
  if (type == NULL && is_memory)
    return pd_network_class_find ("memory");
  return type == NULL ? NULL : pd_network_class_find (type);
}

static void
add_params (GPtrArray *names, const PdParam *params)
{
  for (const PdParam *p = params; p->name != NULL; p++)
    g_ptr_array_add (names, (gpointer) p->name);
}

GPtrArray *
pd_machine_element_attributes (PdElement *node)
{
  GPtrArray *names = g_ptr_array_new ();
  const PdMachineElement *element = pd_machine_element_find (node->name);
  const PdNetworkClass *class = pd_machine_element_class (node);

  for (guint i = 0; element != NULL && element->texts[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) element->texts[i]);
  /* only nested networks have a count */
  if (element != NULL
      && (element->params != network_params
          || (node->parent != NULL && g_str_equal (node->parent->name, "network"))))
    add_params (names, element->params);
  if (class != NULL)
    add_params (names, class->params);
  g_ptr_array_add (names, NULL);
  return names;
}

gboolean
pd_machine_is_operation (const char *name)
{
  return g_strv_contains (operations, name);
}

char *
pd_machine_known_types (void)
{
  GString *types = g_string_new (NULL);

  for (guint i = 0; pd_network_class_get (i) != NULL; i++)
    g_string_append_printf (types, "%s%s", i == 0 ? "" : ", ", pd_network_class_get (i)->type);
  return g_string_free (types, FALSE);
}

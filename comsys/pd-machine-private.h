/* The parts of the machine loader. Whatever a description looks like, it
 * becomes an XML tree; overrides are made in the tree; then it is read.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_PRIVATE_H
#define PD_MACHINE_PRIVATE_H

#include "comsys/pd-machine.h"

#include <libxml/tree.h>

G_BEGIN_DECLS

/* The most processors (and counts of anything) in a machine. */
#define PD_MACHINE_MAX_PROCESSORS (1 << 24)

/* One element of a machine description. */
typedef struct
{
  const char *name;
  const char *const *texts;    /* attributes that are words or have words as values */
  const PdParam *params;       /* attributes that are numbers; ends with a NULL name */
  const char *const *children; /* names of elements */
  gboolean has_text;           /* may have character data */
} PdMachineElement;

/* What the tables of the elements fill. */
typedef struct
{
  gint64 version;
} PdMachineAttributes;

typedef struct
{
  gint64 count;
  gint64 processors;
} PdNodesAttributes;

typedef struct
{
  gint64 index;
  gdouble speed;
} PdProcessorAttributes;

typedef struct
{
  gint64 line;
  gdouble speed;
} PdRegionAttributes;

typedef struct
{
  gdouble sigma;
} PdSpreadAttributes;

typedef struct
{
  PdTime overhead;
  gdouble per_byte;
  gint64 from;
} PdFunctionAttributes;

typedef struct
{
  PdTime time;
  PdFanLevel network;
  PdFanLevel memory;
} PdCollectivesAttributes;

typedef struct
{
  gint64 size;
  PdTime time;
} PdTableRowAttributes;

typedef struct
{
  gdouble transfer_r2;
  gdouble operation_r2;
} PdMeasuredAttributes;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (xmlDoc, xmlFreeDoc)

/* ---- pd-machine-elements.c */

/**
 * pd_machine_element_find:
 * Returns: (nullable): the element of that name.
 */
const PdMachineElement *pd_machine_element_find (const char *name);

/**
 * pd_machine_element_class:
 * Returns: (nullable): the network class whose parameters @node, a "network" or
 *   a "memory", has as attributes; %NULL for others and for unknown types.
 */
const PdNetworkClass *pd_machine_element_class (xmlNode *node);

/**
 * pd_machine_element_attributes:
 * Returns: (transfer container): the names of the attributes that @node may
 *   have, and a last %NULL.
 */
GPtrArray *pd_machine_element_attributes (xmlNode *node);

/**
 * pd_machine_attribute:
 * Returns: (transfer full) (nullable): the value of an attribute.
 */
char *pd_machine_attribute (xmlNode *node, const char *name);

/**
 * pd_machine_is_operation:
 * Returns: whether @name is that of a collective operation.
 */
gboolean pd_machine_is_operation (const char *name);

/**
 * pd_machine_known_types:
 * Returns: (transfer full): the types of networks, separated by commas.
 */
char *pd_machine_known_types (void);

/* ---- pd-machine-xml.c */

/**
 * pd_machine_parse_xml:
 * @data: (array length=size): the text
 * @origin: what messages call it
 *
 * Parses without network access, DTDs or entities.
 *
 * Returns: (transfer full) (nullable): the tree.
 */
xmlDoc *pd_machine_parse_xml (const char *data, gsize size, const char *origin, GError **error);

/**
 * pd_machine_validate:
 * @doc: the tree
 * @origin: what messages call it
 *
 * Compares with the RELAX NG schema, where that is installed.
 *
 * Returns: %FALSE with %PD_MACHINE_ERROR_SCHEMA set if it does not fit.
 */
gboolean pd_machine_validate (xmlDoc *doc, const char *origin, GError **error);

/* ---- pd-machine-read.c */

/**
 * pd_machine_read:
 * @doc: the tree
 * @origin: what messages call it
 * @elastic: whether nodes without a count are as many as @n_needed takes
 * @n_needed: processors
 *
 * Returns: (transfer full) (nullable): the machine.
 */
PdMachine *pd_machine_read (xmlDoc *doc, const char *origin, gboolean elastic, guint32 n_needed,
                            GError **error);

/* ---- pd-machine-table.c */

/**
 * pd_machine_free_tables:
 * Frees what is behind the configuration of @network.
 */
void pd_machine_free_tables (PdMachineNetwork *network);

/**
 * pd_machine_describe_tables:
 * Appends a line for each table of @network, for people.
 */
void pd_machine_describe_tables (const PdMachineNetwork *network, const char *indent, GString *out);

/* ---- pd-machine-settings.c */

/**
 * pd_machine_apply_setting:
 * @doc: (inout): the tree
 * @setting: "path=value"
 * @error: return location for a %PD_MACHINE_ERROR_PATH
 *
 * A step of a path without an index means all elements of that name.
 */
gboolean pd_machine_apply_setting (xmlDoc *doc, const char *setting, GError **error);

/**
 * pd_machine_network_attribute:
 * Returns: the attribute of networks that @name is another name of, as L is of
 *   latency and S of eager; else @name.
 */
const char *pd_machine_network_attribute (const char *name);

/* ---- pd-machine-inline.c */

/**
 * pd_machine_is_inline:
 * Returns: whether @spec has the form of an inline machine, of a known type or
 *   not.
 */
gboolean pd_machine_is_inline (const char *spec);

/**
 * pd_machine_inline_key:
 * Returns: (nullable): the @i-th key of inline machines that is not simply an attribute;
 *   %NULL beyond the last.
 */
const char *pd_machine_inline_key (guint i);

/**
 * pd_machine_collective_sets:
 * Returns: (array zero-terminated=1): the sets of collective operations, the default first.
 */
const char *const *pd_machine_collective_sets (void);

/**
 * pd_machine_parse_inline:
 * Returns: (transfer full) (nullable): the tree of an inline machine.
 */
xmlDoc *pd_machine_parse_inline (const char *spec, GError **error);

/* ---- pd-par-file.c */

/**
 * pd_machine_is_dvm_par:
 * Returns: whether the text looks like a Predictor.par.
 */
gboolean pd_machine_is_dvm_par (const char *text);

/* ---- pd-loggopsim-import.c */

/**
 * pd_machine_is_loggopsim:
 * Returns: whether the text looks like parameters of LogGOPSim.
 */
gboolean pd_machine_is_loggopsim (const char *text);

/**
 * pd_machine_parse_loggopsim:
 * @text: "-L 2500 -o 1500 …"
 * @origin: what messages call it
 *
 * Returns: (transfer full) (nullable): the tree; of as many nodes as needed.
 */
xmlDoc *pd_machine_parse_loggopsim (const char *text, const char *origin, GError **error);

/**
 * pd_machine_import_loggopsim:
 * As pd_machine_parse_loggopsim(), with a number of nodes.
 *
 * Returns: (transfer full) (nullable): the tree.
 */
xmlDoc *pd_machine_import_loggopsim (const char *text, const char *origin, GError **error);

/* ---- pd-dimemas-import.c */

/**
 * pd_machine_is_dimemas:
 * Returns: whether the text looks like a configuration of Dimemas.
 */
gboolean pd_machine_is_dimemas (const char *text);

/**
 * pd_machine_parse_dimemas:
 * @text: the whole file
 * @origin: its name; a file of collective operations that it names is beside it
 *
 * Returns: (transfer full) (nullable): the tree.
 */
xmlDoc *pd_machine_parse_dimemas (const char *text, const char *origin, GError **error);

/* ---- pd-machine-import.c */

/**
 * pd_machine_parse_dvm_par:
 * @text: the whole file
 * @origin: what messages call it
 *
 * Returns: (transfer full) (nullable): the tree.
 */
xmlDoc *pd_machine_parse_dvm_par (const char *text, const char *origin, GError **error);

/* ---- pd-machine.c */

/**
 * pd_machine_read_file:
 * @path: "-" = stdin
 *
 * Returns: (transfer full) (nullable): its bytes.
 */
GBytes *pd_machine_read_file (const char *path, GError **error);

/**
 * pd_machine_data_folders:
 * @name: "machines" or "schemas"
 *
 * Returns: (transfer full) (array zero-terminated=1): where data of that kind
 *   are looked for, in order.
 */
char **pd_machine_data_folders (const char *name);

/**
 * pd_machine_node_size:
 * Returns: the processors of all @node->count copies; saturates.
 */
gint64 pd_machine_node_size (const PdMachineNode *node);

/**
 * pd_machine_network_size:
 * Returns: the processors of one copy of @network; saturates.
 */
gint64 pd_machine_network_size (const PdMachineNetwork *network);

/**
 * pd_machine_network_free:
 * @network: (nullable): the network, with all below it
 */
void pd_machine_network_free (PdMachineNetwork *network);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMachineNetwork, pd_machine_network_free)

G_END_DECLS

#endif

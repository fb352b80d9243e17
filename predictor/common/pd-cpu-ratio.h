/* --cpu-ratio: how much faster the processors compute than the machine
 * description says, in the whole program or in single intervals.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPU_RATIO_H
#define PD_CPU_RATIO_H

#include "comsys/machine/pd-machine.h"

/* Ratios outside of these are refused: 1e-6 to 1e6. */
#define PD_CPU_RATIO_MIN 1e-6
#define PD_CPU_RATIO_MAX 1e6

/* The ratios of --cpu-ratio. Immutable. */
typedef struct _PdCpuRatios PdCpuRatios;

/**
 * pd_cpu_ratios_parse:
 * @texts: (nullable) (array zero-terminated=1): "R", the ratio of all
 *   computation, or "FILE:LINE=R", that of the intervals that begin there;
 *   each at most once
 * @error: return location for a %PD_USAGE_ERROR; the message quotes the text
 *
 * Returns: (transfer full) (nullable): the ratios.
 */
PdCpuRatios *pd_cpu_ratios_parse (const char *const *texts, GError **error);

/**
 * pd_cpu_ratios_free:
 * @self: (nullable): the ratios
 */
void pd_cpu_ratios_free (PdCpuRatios *self);

/**
 * pd_cpu_ratios_get_range:
 * @self: (nullable): the ratios; %NULL: all are 1
 * @least: (out): no computation has a smaller ratio
 * @most: (out): … nor a larger one
 */
void pd_cpu_ratios_get_range (const PdCpuRatios *self, gdouble *least, gdouble *most);

/* The ratio of every node of one interval tree. A node that was not given one
 * has that of the node around it; the root has the ratio of all computation.
 * Ratios are not multiplied with each other: the innermost one holds. */
typedef struct _PdNodeRatios PdNodeRatios;

/**
 * pd_node_ratios_new:
 * @given: (nullable): what the user gave; borrowed
 * @regions: (nullable) (element-type PdMachineRegion): what the machine says of
 *   single intervals; borrowed. These ratios are multiplied with the user's
 *
 * Returns: (transfer full): ratios of a tree that has only its root.
 */
PdNodeRatios *pd_node_ratios_new (const PdCpuRatios *given, const GArray *regions);

/**
 * pd_node_ratios_free:
 * @self: (nullable): the ratios
 */
void pd_node_ratios_free (PdNodeRatios *self);

/**
 * pd_node_ratios_enter:
 * @self: (nullable): the ratios
 * @node: a node of the tree, which is entered; nodes are first entered in order
 *   of their numbers
 * @parent: the node around it
 * @file: where it begins; borrowed, must outlive @self
 * @line: where it begins
 *
 * Looks for the ratio of a new node; for a known one does nothing.
 */
void pd_node_ratios_enter (PdNodeRatios *self, guint32 node, guint32 parent, const char *file,
                           gint64 line);

/**
 * pd_node_ratios_has_places:
 * Returns: whether a ratio was given for any place.
 */
gboolean pd_node_ratios_has_places (const PdNodeRatios *self);

/**
 * pd_node_ratios_get_at:
 * @self: the ratios
 * @node: a node of the tree that was entered, or its root
 * @file: a place in it; borrowed, must outlive @self
 * @line: likewise
 *
 * Returns: the ratio of computation at that place; that in @node if none was given
 *   for it.
 */
gdouble pd_node_ratios_get_at (PdNodeRatios *self, guint32 node, const char *file, gint64 line);

/**
 * pd_node_ratios_get:
 * @self: (nullable): the ratios; %NULL: all are 1
 * @node: a node of the tree that was entered, or its root
 *
 * Returns: the ratio of computation in @node.
 */
gdouble pd_node_ratios_get (const PdNodeRatios *self, guint32 node);

/**
 * pd_node_ratios_divide:
 * @self: (nullable): the ratios; %NULL: all are 1
 * @node: a node that was entered
 * @time: computation in it, on the machine that recorded the trace
 * @speed: of the processor, > 0
 *
 * Returns: @time / (@speed * ratio), rounded once; exactly @time if both are 1.
 */
PdTime pd_node_ratios_divide (const PdNodeRatios *self, guint32 node, PdTime time, gdouble speed);

/**
 * pd_node_ratios_check:
 * @self: (nullable): the ratios, after the whole trace
 * @error: return location for a %PD_DVM_MODEL_ERROR_INTERVAL; the message
 *   names the place and some where intervals do begin
 *
 * Returns: %FALSE if a ratio was given for a place where no interval begins.
 */
gboolean pd_node_ratios_check (const PdNodeRatios *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCpuRatios, pd_cpu_ratios_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdNodeRatios, pd_node_ratios_free)

#endif

/* GOAL's binary form, little-endian and packed: * u64 magic, u32 ranks, u8 highest cpu,
 * u8 highest nic, per rank u64 begin, u64 end: counted from behind the magic; per rank
 * there: u32 nodes, u32 roots, the roots' indexes (u32), the nodes, the indexes of
 * successors (u32). * A node has 39 bytes: u32 dependencies, u8 kind, u32 peer, u64
 * size, u32 tag, u8 cpu, u8 nic, u32 count and u32 first index of those that wait for
 * its end, the same of those that wait for its start. * Every number of a file is
 * checked before it is used; memory follows what was checked, never what was claimed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_BINARY_PRIVATE_H
#define PD_GOAL_BINARY_PRIVATE_H

#include "traces/goal/pd-goal.h"

/* Finishes @builder; what it finds wrong becomes a #PD_TRACE_ERROR about @name. */
PdGraph *pd_goal_finish (PdGraphBuilder *builder, const char *name, GError **error);

#endif

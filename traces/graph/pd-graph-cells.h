/* How the operations of a PdGraph lie in memory, for code that goes through
 * millions of them per second. All other code uses pd-graph.h.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_CELLS_H
#define PD_GRAPH_CELLS_H

#include "traces/graph/pd-graph.h"

#define PD_GRAPH_CELL_KIND  0x3u  /* mask: PdGraphKind */
#define PD_GRAPH_CELL_WIDE  0x4u  /* size, tag, cpu and nic are in wide[size] */
#define PD_GRAPH_CELL_JOIN  0x8u  /* depends on two or more */
#define PD_GRAPH_CELL_ROOT  0x10u /* depends on nothing */
#define PD_GRAPH_CELL_NEXT  0x20u /* its only successor is the next one, which waits for its end */
#define PD_GRAPH_CELL_START 0x40u /* its first successor waits for its start */
#define PD_GRAPH_CELL_CPU   8     /* shift of 4 bits */
#define PD_GRAPH_CELL_NIC   12    /* likewise */

#define PD_GRAPH_CELL_ANY_TAG G_MAXUINT16 /* in PdGraphCell.tag */

/* Of PdGraphCells.edges: */
#define PD_GRAPH_EDGE_START PD_GRAPH_SUCCESSOR_START /* waits for the start */
#define PD_GRAPH_EDGE_JOIN  0x40000000u              /* PD_GRAPH_CELL_JOIN of the successor */
#define PD_GRAPH_EDGE_KIND  28                       /* shift of 2 bits: its PdGraphKind */
#define PD_GRAPH_EDGE_OP    0x0fffffffu              /* mask: its index in the rank */

typedef struct
{
  guint32 size;  /* bytes; of PD_GRAPH_CALC the lower half of nanoseconds */
  guint32 peer;  /* of PD_GRAPH_CALC the upper half */
  guint16 tag;   /* or PD_GRAPH_CELL_ANY_TAG */
  guint16 flags; /* PD_GRAPH_CELL_... */
  guint32 edges; /* successors: from here in edges[] to where those of the next cell begin */
} PdGraphCell;

/* Properties of an operation that do not fit into a cell. */
typedef struct
{
  gint64 size;
  guint32 tag;
  guint8 cpu;
  guint8 nic;
} PdGraphWide;

/* All ranks after each other; rank r has the cells first[r] to first[r + 1]. */
typedef struct
{
  PdGraphCell *cells; /* and one more that ends the edges of the last */
  guint32 *first;     /* (array length=n_ranks + 1) */
  guint32 *edges;
  PdGraphWide *wide;
} PdGraphCells;

/**
 * pd_graph_get_cells:
 * Returns: (transfer none): the arrays of the graph, read only.
 */
const PdGraphCells *pd_graph_get_cells (const PdGraph *self);

/**
 * pd_graph_cell_decode:
 * @wide: of the cell's graph
 *
 * Returns: the operation in @cell.
 */
static inline PdGraphOp
pd_graph_cell_decode (const PdGraphCell *cell, const PdGraphWide *wide)
{
  PdGraphOp op = { (PdGraphKind) (cell->flags & PD_GRAPH_CELL_KIND),
                   cell->size,
                   cell->peer,
                   cell->tag == PD_GRAPH_CELL_ANY_TAG ? PD_GRAPH_ANY : cell->tag,
                   (cell->flags >> PD_GRAPH_CELL_CPU) & 15,
                   (cell->flags >> PD_GRAPH_CELL_NIC) & 15 };

  if (cell->flags & PD_GRAPH_CELL_WIDE)
    {
      const PdGraphWide *more = &wide[cell->size];
      op.size = more->size;
      op.tag = more->tag;
      op.cpu = more->cpu;
      op.nic = more->nic;
    }
  else if (op.kind == PD_GRAPH_CALC)
    op.size |= (gint64) ((guint64) cell->peer << 32);
  if (op.kind == PD_GRAPH_CALC)
    op.peer = 0;
  return op;
}

#endif

/* OTF2 archives: the sizes of collective operations. A record has what its rank sent and
 * received in all. Score-P counts a broadcast of b bytes to n ranks as n b sent by the
 * root, a reduction of all to all as n b sent by each rank, and so on; in place, what
 * stays is not counted. Where blocks differ from rank to rank, what one rank sent is
 * only in its own records: those of all ranks are read first.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_COUNTS_PRIVATE_H
#define PD_OTF2_COUNTS_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* Notes what each rank gave in operations with counts; two ranks' records make
 * one vector. */
gboolean pd_otf2_gather_counts (PdOtf2Archive *archive, GError **error);

/* One collective operation as a rank recorded it. */
typedef struct
{
  OTF2_CollectiveOp op;
  OTF2_CommRef comm;
  guint32 root;
  guint64 sent;
  guint64 received;
} PdOtf2Collective;

/* Fills bytes and counts of @action; @number: which operation with counts of the
 * rank on that communicator it is, -1 = not known. */
void pd_otf2_fill_collective (PdOtf2Archive *archive, guint32 rank,
                              const PdOtf2Collective *collective, gint64 number, PdAction *action);
/* Likewise of an operation of neighbours, whose groups are in their order: where blocks have
 * vectors, a rank's own are taken to be equal. */
void pd_otf2_fill_neighbours (PdOtf2Archive *archive, const PdOtf2Collective *collective,
                              OTF2_GroupRef sources, OTF2_GroupRef targets, PdAction *action);
gboolean pd_otf2_has_counts (OTF2_CollectiveOp op);

#endif

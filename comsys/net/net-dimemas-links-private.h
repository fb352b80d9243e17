/* Who gets the links, as Dimemas decides it. * A transfer first takes a link out of its
 * source, then one into its target. If there is none of the first kind it may borrow
 * that of another transfer which has one and waits for its second; but only if it can
 * start then. The lender waits for a link out again, before all others. Links that carry
 * both directions are lent for either. * A link that gets free is for the first who
 * waits for it; with links that carry both directions also for the first who waits for
 * the other direction. Whoever cannot start then goes to the end of the queue. * Without
 * lending (the memory of a node), and where links carry both directions, the link of the
 * endpoint of the lower number is taken first, so that no two wait for each other.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef NET_DIMEMAS_LINKS_PRIVATE_H
#define NET_DIMEMAS_LINKS_PRIVATE_H

#include "comsys/net/net-dimemas-private.h"

void pd_links_append (PdDimemas *self, PdLinksQueue *queue, guint32 item);
/* Takes the first one out; 0 if there is none. */
guint32 pd_links_pop (PdDimemas *self, PdLinksQueue *queue);

/**
 * pd_links_get:
 * @item: a transfer that has none, or one, of its links
 *
 * Gives it the links that are free, or has it wait for the first one that is not.
 *
 * Returns: whether it has both.
 */
gboolean pd_links_get (PdDimemas *self, guint32 item);

/**
 * pd_links_release:
 * @endpoint: has a link less in use
 * @way: in which direction it was used
 */
void pd_links_release (PdDimemas *self, guint32 endpoint, PdLinksWay way);

#endif

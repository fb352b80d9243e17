/* Uneven blocks: what setpsw_, genblk_ and setelw_ say, what the block file says, and
 * what of it the next distribution respects. A trace
 * of one processor has lists of one value, so most of it comes from the block file.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_WEIGHTS_PRIVATE_H
#define PD_DVM_WEIGHTS_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

void pd_dvm_weights_init (PdDvm *self);
void pd_dvm_weights_clear (PdDvm *self);
/* At the end of the trace: warns of unused lists of the block file. */
void pd_dvm_weights_finish (PdDvm *self);
/* A processor system is deleted. */
void pd_dvm_weights_forget (PdDvm *self, PdTeam *team);
/* The hints for distr_ and redis_ of @view onto @team: its divisors, and
 * the lists that the program set before or the block file has. Warns of lists
 * for another number of processors. @hints: (out): to be cleared with
 * pd_dvm_hints_clear(), also after an error. */
gboolean pd_dvm_fill_hints (PdDvm *self, const PdView *view, PdTeam *team,
                            const PdDvmDistribution *distribution, PdBlockHints *hints,
                            GError **error);
void pd_dvm_hints_clear (PdBlockHints *hints);
/* Warns of the repairs of the layout module. */
void pd_dvm_warn_repairs (PdDvm *self, const PdLayout *layout);

gboolean pd_dvm_setpsw (PdDvm *self, GError **error);
gboolean pd_dvm_genblk (PdDvm *self, GError **error);
gboolean pd_dvm_setelw (PdDvm *self, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdBlockHints, pd_dvm_hints_clear)

#endif

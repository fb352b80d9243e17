/* The commands of Slurm, as they are called here.
 * SPDX-License-Identifier: MIT */
#ifndef CMD_SLURM_PRIVATE_H
#define CMD_SLURM_PRIVATE_H

#include <glib.h>
#include <signal.h>

/**
 * pd_slurm_join:
 * @argv: (array zero-terminated=1): a command
 *
 * Returns: (transfer full): it, quoted for a shell.
 */
char *pd_slurm_join (const char *const *argv);

/**
 * pd_slurm_submit:
 * @argv: (array zero-terminated=1): sbatch with --parsable
 * @error: return location for a #GSpawnError
 *
 * Returns: (transfer full) (nullable): the number of the job.
 */
char *pd_slurm_submit (const char *const *argv, GError **error);

/**
 * pd_slurm_wait:
 * @job: its number
 * @stop: not 0: it is to be cancelled
 * @error: return location for a #GSpawnError: for a long time nothing can be said of it
 *
 * Waits until the job has ended, however it does.
 */
gboolean pd_slurm_wait (const char *job, const volatile sig_atomic_t *stop, GError **error);

/**
 * pd_slurm_get_states:
 * @job: its number
 *
 * Returns: (transfer full) (nullable): "7 COMPLETED, 1 CANCELLED" of its tasks; %NULL if
 *   it is not known any more.
 */
char *pd_slurm_get_states (const char *job);

#endif

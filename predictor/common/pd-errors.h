/* Domains of the errors that several rooms report.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ERRORS_H
#define PD_ERRORS_H

#include <glib.h>

/* The domain of wrong command lines. */
#define PD_USAGE_ERROR (pd_usage_error_quark ())

/**
 * pd_usage_error_quark:
 * Returns: the domain whose errors end with %PD_EXIT_USAGE.
 */
GQuark pd_usage_error_quark (void);

/* Simulations of all models. */
#define PD_SIMULATION_ERROR (pd_simulation_error_quark ())
typedef enum
{
  PD_SIMULATION_ERROR_DEADLOCK,    /* all ranks wait; the message is a table of their operations */
  PD_SIMULATION_ERROR_UNMATCHED,   /* messages without a receive */
  PD_SIMULATION_ERROR_OVERFLOW,    /* a clock beyond 106 days */
  PD_SIMULATION_ERROR_INTERRUPTED, /* the simulation was interrupted */
} PdSimulationError;

/**
 * pd_simulation_error_quark:
 * Returns: the domain of #PdSimulationError.
 */
GQuark pd_simulation_error_quark (void);

/* The interpretation of DVM records. */
#define PD_DVM_MODEL_ERROR (pd_dvm_model_error_quark ())
typedef enum
{
  PD_DVM_MODEL_ERROR_GRID,      /* the user's grid does not fit the trace */
  PD_DVM_MODEL_ERROR_OBJECT,    /* a record refers to an object that does not exist */
  PD_DVM_MODEL_ERROR_PARAMETER, /* a record lacks a parameter, or has a wrong one */
  PD_DVM_MODEL_ERROR_RECORDED,  /* recorded in a way that is not supported */
  PD_DVM_MODEL_ERROR_INTERVAL,  /* an option names an interval that the trace does not have */
} PdDvmModelError;

/**
 * pd_dvm_model_error_quark:
 * Returns: the domain of #PdDvmModelError.
 */
GQuark pd_dvm_model_error_quark (void);

#endif

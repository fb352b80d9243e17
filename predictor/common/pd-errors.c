/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-errors.h"

G_DEFINE_QUARK (pd_usage_error_quark, pd_usage_error)
G_DEFINE_QUARK (pd_simulation_error_quark, pd_simulation_error)
G_DEFINE_QUARK (pd_dvm_model_error_quark, pd_dvm_model_error)

// Charts of studies. SPDX-License-Identifier: MIT
"use strict";

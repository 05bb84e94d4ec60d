//===- PassOptions.td - options of passes that legalize ----*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_PASSOPTIONS_TD
#define BROADLOOM_INFER_PASSOPTIONS_TD

include "mlir/Pass/PassBase.td"

defvar DynamicToStaticOption =
  Option<"dynamicToStatic", "dynamic-to-static", "::broadloom::DynamicToStatic",
         "::broadloom::DynamicToStatic::Allow",
         "a static result extent where the operands give none (verify-4)",
         "::broadloom::getPolicyValues()">;

#endif // BROADLOOM_INFER_PASSOPTIONS_TD

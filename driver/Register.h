//===- Register.h - all dialects, models and passes -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every tool registers, in one place.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_REGISTER_H
#define BROADLOOM_DRIVER_REGISTER_H

namespace mlir {
class DialectRegistry;
}

namespace broadloom {

/// The dialects that programs are written in and lowered through, and the
/// interface models that the passes need.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Broadloom's own passes and pipelines, by name.
void registerAllPasses();

} // namespace broadloom

#endif // BROADLOOM_DRIVER_REGISTER_H

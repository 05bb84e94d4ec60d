//===- ShapeLibraries.h - the shape functions of a program ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library for TOSA and those of the user, loaded when a program first needs
// them: an element-wise program does not pay for the functions of convolutions.
//
// Invariant: a user's library is always loaded, so that its errors are seen
// whatever the program is (abi-3).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_SHAPELIBRARIES_H
#define BROADLOOM_DRIVER_SHAPELIBRARIES_H

#include "driver/Pipeline.h"

#include "mlir/IR/BuiltinOps.h"

namespace broadloom {

class ShapeLibraries {
public:
  ShapeLibraries(mlir::MLIRContext *context, std::vector<std::string> files)
      : context(context), files(std::move(files)) {}

  /// The functions for `module`, which has passed legalization; null where it
  /// needs none. Fails with the errors reported.
  mlir::FailureOr<SharedLibrary> get(mlir::ModuleOp module);

  /// The user's, before any program is read that may use the dialects they
  /// define; null where there are none.
  mlir::FailureOr<SharedLibrary> getUsers();

  /// What has been loaded so far; null where that is nothing.
  SharedLibrary getLoaded() const { return loaded; }

private:
  mlir::FailureOr<SharedLibrary> load();

  mlir::MLIRContext *context;
  std::vector<std::string> files;
  SharedLibrary loaded;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_SHAPELIBRARIES_H

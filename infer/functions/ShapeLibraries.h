//===- ShapeLibraries.h - the shape functions of a program ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library for TOSA, those of the user, the functions that operations have
// attached, and the texts for custom operations of well-known converters,
// loaded when a program first needs them: an element-wise program does not pay
// for the functions of convolutions. The passes of one pipeline share one
// object of this class.
//
// Invariant: a user's library is always loaded, so that its errors are reported
// for any program (abi-3). Whether a function is found does not depend on the
// other operations of the program.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_SHAPELIBRARIES_H
#define BROADLOOM_INFER_FUNCTIONS_SHAPELIBRARIES_H

#include "infer/functions/Library.h"

namespace broadloom::infer {

/// Null if no operation of the program needs a shape function.
using SharedLibrary = std::shared_ptr<const ShapeLibrary>;

class ShapeLibraries {
public:
  /// The library for TOSA, and those in `files`, where a later one replaces the
  /// functions of an earlier one. sf-5
  explicit ShapeLibraries(std::vector<std::string> files = {})
      : files(std::move(files)) {}
  /// A library that is loaded already.
  explicit ShapeLibraries(SharedLibrary library)
      : loaded(std::move(library)), isGiven(true), isWhole(true) {}

  /// Whether the user has libraries.
  bool hasUsers() const { return isGiven || !files.empty(); }

  /// Loads all libraries. Fails with the errors reported.
  mlir::FailureOr<SharedLibrary> load(mlir::MLIRContext *context);
  /// The functions for `module`; null where it needs none. Without libraries of
  /// the user, only those that it needs.
  mlir::FailureOr<SharedLibrary> get(mlir::ModuleOp module);
  /// The user's libraries, to be loaded before a program that may use their
  /// dialects is parsed; null if there are none.
  mlir::FailureOr<SharedLibrary> getUsers(mlir::MLIRContext *context);

private:
  /// Loads all libraries, and adds what of other kinds `module` needs.
  mlir::LogicalResult complete(mlir::ModuleOp module);

  std::vector<std::string> files;
  SharedLibrary loaded;
  /// The same as `loaded` if texts may still be added to it; null if it was
  /// given.
  std::shared_ptr<ShapeLibrary> own;
  bool isGiven = false;
  /// Whether `loaded` has all functions, or just those for `operations`.
  bool isWhole = false;
  llvm::StringSet<> operations;
};

/// The libraries that the passes of one pipeline share.
using SharedLibraries = std::shared_ptr<ShapeLibraries>;

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_SHAPELIBRARIES_H

//===- NamedLoops.h - the loops that a schedule names -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops by their numbers and names (sch-2). Of a version, the edited nest
// counts; what finds the failing access of a nest has no loops of the program.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_NAMEDLOOPS_H
#define BROADLOOM_CODEGEN_SCHEDULE_NAMEDLOOPS_H

#include "codegen/schedule/LoopEdit.h"

namespace broadloom::codegen {

/// Calls `visit` with the operations of `region` that a schedule may be about,
/// in the order of the program. Where it returns true, those inside are left
/// out.
void visitScheduled(mlir::Region &region,
                    llvm::function_ref<bool(mlir::Operation &)> visit);

class NamedLoops {
public:
  /// Of a function of `program`, as the program names it.
  NamedLoops(mlir::Operation *program, llvm::StringRef function);

  /// The outermost loop of that number, the one loop in it, and so on. Empty,
  /// with `because`, if there are not as many.
  Loops getNest(int64_t number, size_t count);
  /// The loop of that name; null, with `because`, if there is not one.
  mlir::scf::ForOp getLoop(llvm::StringRef name);

  std::string because;

private:
  mlir::func::FuncOp func;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_NAMEDLOOPS_H

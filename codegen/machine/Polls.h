//===- Polls.h - loops that a cancelled call leaves -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call can be cancelled (abi-6), so that each loop reads a flag from time to
// time (BroadloomCall). LLVM would not optimise a loop across such a read, so
// the reads are inserted when it is done. Until then a function that has loops
// calls broadloomPoll at its entry: LLVM sees from it that the function may
// fail, and keeps the state of the call as an argument.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_POLLS_H
#define BROADLOOM_CODEGEN_MACHINE_POLLS_H

namespace llvm {
class Module;
} // namespace llvm

namespace broadloom::codegen {

/// Makes each loop of a function with a call of broadloomPoll read the flag. A
/// loop that has no other loop in it and counts goes over its iterations in
/// chunks and reads the flag between them, so that its body stays as it is;
/// one that is known to be short reads nothing, and neither does a nest of few
/// iterations. All others read the flag in each iteration, and so do loops with
/// calls of other functions, which may take long. Only where the module
/// `isOptimised` is it known how many iterations loops have.
void insertPolls(llvm::Module &module, bool isOptimised);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_POLLS_H

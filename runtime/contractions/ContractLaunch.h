//===- ContractLaunch.h - one run of a contraction --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of one broadloomLaunch of a contraction: extents from the operands,
// memory for the results and for weights in panels, then the blocks.
//
// Invariant: the order in which the products of a sum are added depends only on
// the extents of the window and the channels, not on the choices made here.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTLAUNCH_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTLAUNCH_H

#include "runtime/calls/Call.h"
#include "runtime/contractions/Contraction.h"

namespace broadloom {

class ContractLaunch {
public:
  ContractLaunch(BroadloomCall &call, const BroadloomProgram &program,
                 const BroadloomView *operands)
      : call(call), arena(call.arena()), program(program),
        record(*program.contraction), kind(ContractionKind(record.kind)),
        operands(operands) {}

  int32_t run(BroadloomView *results, const int32_t *slots);

private:
  int32_t compute(BroadloomView *results);
  int32_t describe();
  int32_t describeWeight(WindowAxis *window);
  int32_t describeWindow(WindowAxis *window);
  int32_t describeImage();
  int32_t describeTensors(BroadloomView *results);
  int32_t addTensor(const BroadloomView &view, int32_t value);
  int32_t repeatChannels(int32_t tensor, const int64_t *extents);
  int32_t makeResults(BroadloomView *results, const int32_t *slots);
  int32_t packWeight();
  int32_t copyImage();
  int32_t runBlocks();
  const int64_t *extentsOf(int32_t operand) const;
  const int64_t *stridesOf(int32_t operand) const;
  int32_t failShape(const char *what);

  BroadloomCall &call;
  Arena &arena;
  const BroadloomProgram &program;
  const BroadloomContraction &record;
  const ContractionKind kind;
  const BroadloomView *operands;
  Contraction c{};
  /// Of the results.
  int64_t rank = 0;
  int64_t *extents = nullptr;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTLAUNCH_H

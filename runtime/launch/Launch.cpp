//===- Launch.cpp - one launch of a compiled program ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Call.h"
#include "runtime/contractions/ContractLaunch.h"
#include "runtime/maps/MapLaunch.h"
#include "runtime/reductions/ReductionLaunch.h"

using namespace broadloom;

/// Runs the launch by the program's kind.
static int32_t launch(BroadloomCall &call, const BroadloomProgram &program,
                      const BroadloomView *operands, BroadloomView *results,
                      const int32_t *slots) {
  if (program.contraction)
    return ContractLaunch::run(call, program, operands, results, slots);
  if (program.rows)
    return ReductionLaunch(call, program, operands).run(results, slots);
  return MapLaunch(call, program, operands).run(results, slots);
}

int32_t broadloomLaunch(BroadloomCall *call, const BroadloomProgram *program,
                        const BroadloomView *operands, BroadloomView *results,
                        const int32_t *slots) {
  if (int32_t status = call->checkCancelled())
    return status;
  // Rewinds the arena at the end, because a loop may launch any number of
  // times. The call keeps the descriptors of results for which the caller gave
  // none.
  Arena::Mark mark = call->arena().mark();
  auto *made = call->arena().array<bool>(program->numResults);
  if (!made)
    return call->failMemory();
  for (int32_t i = 0; i < program->numResults; ++i)
    made[i] = !results[i].descriptor;
  int32_t status = launch(*call, *program, operands, results, slots);
  for (int32_t i = 0; status == BROADLOOM_OK && i < program->numResults; ++i)
    if (made[i])
      status = call->keepDescriptor(results[i]);
  call->arena().rewind(mark);
  return status;
}

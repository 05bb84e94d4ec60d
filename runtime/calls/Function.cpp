//===- Function.cpp - compiled functions and their frames -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets tables that describe arguments and results, because tables compile
// faster than equivalent code.
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/calls/Tables.h"

using namespace broadloom;

namespace {

/// Checks one argument; advances `expected` to the next one.
int32_t checkArgument(BroadloomCall *call, int32_t index,
                      const BroadloomView &view, const int64_t *&expected) {
  int64_t rank = *expected++;
  if (rank < 0)
    return BROADLOOM_OK;
  const int64_t *extents = expected;
  expected += rank;
  return fits(view, rank, extents)
             ? int32_t(BROADLOOM_OK)
             : broadloomCheckArgument(call, index, &view, rank, extents);
}

int32_t takeOver(BroadloomCall *call, int32_t index,
                 const BroadloomResult &result, char *at) {
  if (result.rank != BROADLOOM_RANK_OF_SCALAR) {
    BroadloomView view{result.rank, at};
    return call->returnResult(
        index, result.elementBytes,
        result.rank < 0 ? *reinterpret_cast<BroadloomView *>(at) : view);
  }
  BroadloomDescriptor scalar{at, at, 0};
  return call->returnResult(index, result.elementBytes,
                            BroadloomView{0, &scalar});
}

} // namespace

int32_t broadloomEnter(BroadloomCall *call, BroadloomCode function,
                       const BroadloomSignature *signature,
                       const BroadloomView *args) {
  const int64_t *expected = signature->arguments;
  for (int32_t i = 0; i < signature->numArguments; ++i)
    if (int32_t status = checkArgument(call, i, args[i], expected))
      return status;
  Tables memory;
  char *results = memory.allocate(signature->resultBytes);
  if (!results)
    return call->failMemory();
  int32_t status = function(call, args, results);
  for (int32_t i = 0; status == BROADLOOM_OK && i < signature->numResults; ++i)
    status = takeOver(call, i, signature->results[i],
                      results + signature->results[i].offset);
  return status;
}

void *broadloomFrame(BroadloomCall *call, int64_t bytes) {
  void *frame = call->temporaries().allocate(bytes);
  if (!frame)
    call->failMemory();
  return frame;
}

int32_t broadloomFreeFrame(BroadloomCall *call, void *frame) {
  call->temporaries().release(frame);
  return BROADLOOM_OK;
}

//===- LentMemory.h - copies that libraries get -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With --check-effects a function of another library works on copies of the
// memory that it is given (ffi-3).
//
// Invariant: a copy is kept for long after the call, so that a late write meets
// memory of its own, and not the end of the process.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_LENTMEMORY_H
#define BROADLOOM_RUNTIME_CALLS_LENTMEMORY_H

#include "runtime/calls/LentBlock.h"

#include "runtime/abi/Abi.h"

#include <memory>
#include <string>
#include <vector>

namespace broadloom {

/// Gives copies to one call of a library's function.
class LentMemory {
public:
  /// The arguments are in `block`, which gets the addresses of the copies.
  /// Throws std::bad_alloc.
  LentMemory(const BroadloomGuardSite *site, void *block,
             const BroadloomLentArgument *arguments, int32_t count);

  /// Takes the copies back; returns what the function has done wrong, or "".
  std::string takeBack();

private:
  std::vector<std::unique_ptr<LentBlock>> blocks;
  int64_t threadsBefore;
};

/// Fails if a library's function has done something to what it was lent after
/// it had returned, in this or an earlier call. Waits a little for threads that
/// it has left.
int32_t checkLentMemory(BroadloomCall *call) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_LENTMEMORY_H

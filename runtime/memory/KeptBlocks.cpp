//===- KeptBlocks.cpp - small blocks that one owner keeps -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/KeptBlocks.h"

using namespace broadloom;

void *KeptBlocks::allocateNew(int64_t bytes) noexcept {
  void *memory = allocateMemory(bytes);
  if (memory || kept == 0)
    return memory;
  // What is kept may be what a limit leaves no room for.
  giveBack();
  return allocateMemory(bytes);
}

void KeptBlocks::giveBack() noexcept {
  for (int32_t index = 0; index < kClasses; ++index)
    while (Block *block = lists[index]) {
      lists[index] = block->next;
      freeMemory(block, bytesOfClass(index));
    }
  kept = 0;
}

//===- Memory.h - memory with nothing beside it -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled programs are not instrumented by sanitizers. So the memory of
// operands and results ends where a page begins that cannot be accessed, or
// begins where one ends.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_FUZZ_GUARDS_MEMORY_H
#define BROADLOOM_TEST_FUZZ_GUARDS_MEMORY_H

#include "runtime/calls/Tensor.h"
#include "test/fuzz/guards/Shapes.h"

namespace broadloom::guards {

/// Some pages between two that cannot be accessed.
class Pages {
public:
  explicit Pages(size_t bytes);
  Pages(Pages &&other) noexcept;
  ~Pages();

  char *begin() const { return data; }
  char *end() const { return data + size; }
  /// From now on nothing can be written there.
  void protect();

private:
  char *data;
  size_t size;
};

/// How the elements of an operand lie in memory.
enum class Layout { AtEnd, AtBegin, Columns, Backwards };
constexpr int kLayouts = 4;

/// A tensor in `pages`, in exactly as many bytes as it has elements.
BroadloomTensor place(const Pages &pages, BroadloomElementType type,
                      const Extents &extents, Layout layout);

/// Pages that are full of one number, and cannot be written.
const Pages &pagesOf(BroadloomElementType type, int64_t value);

/// Memory for a result; what is not its own is known.
class Output {
public:
  explicit Output(size_t bytes);
  BroadloomTensor prepare(BroadloomElementType type, const Extents &extents,
                          Layout layout);
  /// Whether nothing but what was prepared has been written; if `untouched`,
  /// nothing at all.
  bool isClean(bool untouched) const;

private:
  void clear();
  Pages pages;
  /// What stands where nothing has been written.
  std::vector<char> poison;
  char *first = nullptr, *last = nullptr;
};

} // namespace broadloom::guards

#endif // BROADLOOM_TEST_FUZZ_GUARDS_MEMORY_H

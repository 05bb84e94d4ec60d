//===- LentBlock.h - one copy that a library gets ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of memory for a function of another library, which tells what the
// function has done to it: nobody else writes to it, so that what changes in it
// after the function has returned was written late; and its block is so large
// that the C library maps it on its own, so that a freed one is no longer
// mapped, or is other memory.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_LENTBLOCK_H
#define BROADLOOM_RUNTIME_CALLS_LENTBLOCK_H

#include "runtime/calls/LentView.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace broadloom {

/// A copy of the memory of one argument, or of several that overlap, with zones
/// before and behind it that nobody may write.
class LentBlock {
public:
  /// Copies the elements of `views` from `memory` on, which end within `bytes`
  /// bytes. What is around them has the byte `zone` throughout. The copy begins
  /// `lead` bytes behind the beginning of a page. Throws std::bad_alloc.
  LentBlock(char *memory, int64_t bytes, std::vector<LentView> views,
            int64_t lead, char zone);
  ~LentBlock();
  LentBlock(const LentBlock &) = delete;
  LentBlock &operator=(const LentBlock &) = delete;

  char *data() const { return copy; }
  /// The memory that it takes.
  int64_t size() const { return residentBytes; }
  /// The library's function and the place of its declaration.
  std::string operation, location;
  /// How many threads there were before the call, if there were more behind.
  int64_t threadsBefore = 0;

  /// Writes what the function has changed to the caller's memory. Returns what
  /// it has done wrong, or "".
  std::string takeBack();
  /// The same for what it has done since.
  std::string findLateFault();
  /// Whether the function has freed it.
  bool isFreed();

private:
  /// Two words of memory.
  using Words = std::array<size_t, 2>;
  /// A changed byte, and the kind of its piece.
  struct Change {
    int64_t at;
    LentPiece::Kind kind;
  };

  void allocate(int64_t bytes);
  void fill(char zone);
  /// Finds the first byte that changed and may not. Elements are known as they
  /// are now, and what is no element is put back.
  std::optional<Change> findChange(bool hasReturned);
  /// Writes elements that have changed, since they were as `was` has them, to
  /// the caller's memory.
  void takeElements(const LentPiece &piece, char *was);
  std::string describeWrite(int64_t at) const;

  std::vector<LentView> views;
  std::vector<LentPiece> pieces;
  /// What the pieces held when they were looked at last.
  std::vector<char> known;
  char *memory;
  int64_t bytes, residentBytes;
  /// What is freed in the end, and the copy in it.
  char *block = nullptr, *copy = nullptr;
  /// The size of the block, if it is mapped on its own.
  size_t mapped = 0;
  /// What the C library has in front of such a block, and what is at its end.
  Words header = {}, cookie = {};
  bool wasFreed = false;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_LENTBLOCK_H

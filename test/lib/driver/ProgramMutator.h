//===- ProgramMutator.h - texts of programs with mistakes -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mistakes as people and generators make them: another number, word or
// operation, a token too many or too few, two that have changed places, a line
// that is gone or is there again.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_DRIVER_PROGRAMMUTATOR_H
#define BROADLOOM_TEST_LIB_DRIVER_PROGRAMMUTATOR_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace broadloom {

struct Token {
  enum class Kind { Space, Number, Word, Value, Text, Mark };
  Kind kind;
  std::string text;
};

/// The tokens of MLIR's text. Comments are left out.
std::vector<Token> tokenize(llvm::StringRef text);

class ProgramMutator {
public:
  /// `operations` are the names that an operation may get instead of its own.
  ProgramMutator(std::vector<Token> tokens,
                 const std::vector<std::string> &operations, uint64_t seed)
      : tokens(std::move(tokens)), operations(operations), random(seed) {}

  /// The text with one to three mistakes in it.
  std::string mutate();

private:
  size_t pick(size_t count) { return random() % count; }
  /// A token of some kind, or past the end.
  size_t find(Token::Kind kind);
  void mutateOnce();
  void takeAnotherOfItsKind(size_t at, size_t other);
  void erase(size_t begin, size_t end);
  void renameOperation();
  void copyOrEraseLine(size_t from, size_t to, bool erases);

  std::vector<Token> tokens;
  const std::vector<std::string> &operations;
  std::mt19937_64 random;
};

} // namespace broadloom

#endif // BROADLOOM_TEST_LIB_DRIVER_PROGRAMMUTATOR_H

//===- OutcomeCache.h - what shape functions said before --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers of a program repeat each other, and the body of a loop is analysed
// more than once: the same function is evaluated for the same extents many
// times.
//
// Invariant: an answer is given a second time only while the facts are those
// that it was given by, and only if it holds as a whole and had to make up
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_OUTCOMECACHE_H
#define BROADLOOM_INFER_ANALYSIS_OUTCOMECACHE_H

#include "infer/functions/Evaluate.h"

#include <map>
#include <vector>

namespace broadloom::infer {

/// Answers of shape functions, by request.
class OutcomeCache {
public:
  /// All that an outcome depends on beside facts.
  using Key = std::vector<uint64_t>;
  /// Nothing where there is more: regions, what symbols stand for, and lists of
  /// numbers that are computed.
  static std::optional<Key> makeKey(mlir::Operation *op, const Request &request,
                                    const EvaluationOptions &options);

  explicit OutcomeCache(const Numbers &numbers) : numbers(numbers) {}

  /// The answer by the facts of now; null where there is none.
  const Outcome *find(const Key &key);
  /// How much there is that an evaluation may add to.
  size_t measure() const {
    return numbers.size() + numbers.getSymbols().size();
  }
  /// `before`: what measure() was before the evaluation.
  void add(Key key, const Outcome &outcome, size_t before);
  /// Facts have been taken back.
  void clear() { outcomes.clear(); }

private:
  const Numbers &numbers;
  /// How many facts there were.
  std::pair<size_t, size_t> facts = {0, 0};
  std::map<Key, Outcome> outcomes;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_OUTCOMECACHE_H

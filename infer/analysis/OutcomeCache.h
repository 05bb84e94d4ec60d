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
// Invariant: a cached outcome is returned only while the facts are the same as
// at its evaluation. Only outcomes that are proved as a whole, and that made no
// new symbols, are cached.
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
  /// Everything but facts that an outcome depends on.
  using Key = std::vector<uint64_t>;
  /// Nothing if the outcome depends on more: regions, referenced symbols, or
  /// computed lists of numbers.
  static std::optional<Key> makeKey(mlir::Operation *op, const Request &request,
                                    const EvaluationOptions &options);

  explicit OutcomeCache(const Numbers &numbers) : numbers(numbers) {}

  /// The outcome for the current facts; null if there is none.
  const Outcome *find(const Key &key);
  /// The size of the tables to which an evaluation may add.
  size_t measure() const {
    return numbers.size() + numbers.getSymbols().size();
  }
  /// `before`: the value of measure() before the evaluation.
  void add(Key key, const Outcome &outcome, size_t before);
  /// To be called when facts are taken back.
  void clear() { outcomes.clear(); }

private:
  const Numbers &numbers;
  /// How many facts there were.
  std::pair<size_t, size_t> facts = {0, 0};
  std::map<Key, Outcome> outcomes;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_OUTCOMECACHE_H

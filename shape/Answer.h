//===- Answer.h - proved, refuted or unknown --------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A question about extents has one of three answers (ext-2). Only `refuted` is
// a compile-time error, only `unknown` becomes a guard, and `proved` leaves no
// trace in generated code.
//
// Invariant: an answer is a plain value and its reason a string that outlives
// the program's run (a literal), so that a query costs no allocation.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_ANSWER_H
#define BROADLOOM_SHAPE_ANSWER_H

#include <cstdint>

namespace broadloom {

enum class Truth : uint8_t { Proved, Refuted, Unknown };

/// "proved", "refuted" or "unknown".
constexpr const char *truthName(Truth truth) {
  return truth == Truth::Proved    ? "proved"
         : truth == Truth::Refuted ? "refuted"
                                   : "unknown";
}

/// An answer with its reason.
class Answer {
public:
  static constexpr int32_t kNoFact = -1;

  constexpr Answer() = default;
  /// `reason` is a literal, lower case, without a full stop; `fact` is the
  /// number of the prover's fact that decided, for Prover::explain.
  static constexpr Answer proved(const char *reason, int32_t fact = kNoFact) {
    return Answer(Truth::Proved, reason, fact);
  }
  static constexpr Answer refuted(const char *reason, int32_t fact = kNoFact) {
    return Answer(Truth::Refuted, reason, fact);
  }
  static constexpr Answer unknown(const char *reason) {
    return Answer(Truth::Unknown, reason, kNoFact);
  }

  constexpr Truth truth() const { return truth_; }
  constexpr bool isProved() const { return truth_ == Truth::Proved; }
  constexpr bool isRefuted() const { return truth_ == Truth::Refuted; }
  constexpr bool isUnknown() const { return truth_ == Truth::Unknown; }
  constexpr const char *reason() const { return reason_; }
  constexpr int32_t fact() const { return fact_; }

  /// The answer to the negated question, with the same reason.
  constexpr Answer negated() const {
    return Answer(isProved()    ? Truth::Refuted
                  : isRefuted() ? Truth::Proved
                                : Truth::Unknown,
                  reason_, fact_);
  }

private:
  constexpr Answer(Truth truth, const char *reason, int32_t fact)
      : reason_(reason), fact_(fact), truth_(truth) {}

  const char *reason_ = "nothing is known";
  int32_t fact_ = kNoFact;
  Truth truth_ = Truth::Unknown;
};

} // namespace broadloom

#endif // BROADLOOM_SHAPE_ANSWER_H

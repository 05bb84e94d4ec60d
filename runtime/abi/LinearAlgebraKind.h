//===- LinearAlgebraKind.h - functions of matrices --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One description for `loom.linear_algebra`, its constraints and the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_LINEARALGEBRAKIND_H
#define BROADLOOM_RUNTIME_ABI_LINEARALGEBRAKIND_H

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace broadloom {

enum class LinearAlgebraKind : int32_t {
  Lu,
  Permutation,
  Solve,
  TriangularSolve,
  Cholesky,
  Qr,
  Svd,
  SingularValues,
  SymmetricEigen,
  SymmetricEigenvalues,
  Exponential,
};

/// What a function of matrices takes and gives.
struct LinearAlgebraForm {
  /// The word in the IR.
  std::string_view name;
  /// Of the operands below, those that are read; the others are destinations.
  int32_t numInputs;
  int32_t numOperands;
  /// The axes of each operand behind those of the batch, one letter each. Equal
  /// letters are equal extents, except for these: k is the smaller of m and n,
  /// p is m or k, and q is n or k. The elements are i32 where the word begins
  /// with #, and else the function's floats.
  std::string_view operands[4];
  /// What is wrong with a matrix for which the function fails; {1} is the
  /// positive number that it gives then. Empty if it does not fail.
  std::string_view failure;
  /// Whether the last operand is that number, or 0 for a success.
  bool hasInfo;
};

/// In the order of LinearAlgebraKind.
inline constexpr LinearAlgebraForm kLinearAlgebraForms[] = {
    {"lu",
     1,
     4,
     {"mn", "mn", "#k", "#"},
     "is singular: pivot {1} is zero",
     true},
    {"permutation", 1, 2, {"#k", "#m"}, "has no rows for its pivot {1}", false},
    {"solve",
     2,
     4,
     {"nn", "nx", "nx", "#"},
     "is singular: pivot {1} is zero",
     true},
    {"triangular_solve", 2, 3, {"nn", "nx", "nx"}, "", false},
    {"cholesky",
     1,
     3,
     {"nn", "nn", "#"},
     "is not positive definite: its leading minor of order {1} is not positive",
     true},
    {"qr", 1, 3, {"mn", "mp", "pn"}, "", false},
    {"svd",
     1,
     4,
     {"mn", "mp", "k", "qn"},
     "has no singular values that can be found: an element may not be finite",
     false},
    {"singular_values",
     1,
     2,
     {"mn", "k"},
     "has no singular values that can be found: an element may not be finite",
     false},
    {"symmetric_eigen",
     1,
     3,
     {"nn", "n", "nn"},
     "has no eigenvalues that can be found: an element may not be finite",
     false},
    {"symmetric_eigenvalues",
     1,
     2,
     {"nn", "n"},
     "has no eigenvalues that can be found: an element may not be finite",
     false},
    {"exponential", 1, 2, {"nn", "nn"}, "", false},
};

constexpr const LinearAlgebraForm &getForm(LinearAlgebraKind kind) {
  return kLinearAlgebraForms[size_t(kind)];
}

/// Nothing if no kind has the name.
constexpr std::optional<LinearAlgebraKind>
findLinearAlgebraKind(std::string_view name) {
  for (size_t i = 0; i < std::size(kLinearAlgebraForms); ++i)
    if (name == kLinearAlgebraForms[i].name)
      return LinearAlgebraKind(i);
  return std::nullopt;
}

/// Whether the elements of operand `i` are i32.
constexpr bool hasIndices(const LinearAlgebraForm &form, int32_t i) {
  return form.operands[i].substr(0, 1) == "#";
}

/// The letters of the axes of operand `i`.
constexpr std::string_view getAxes(const LinearAlgebraForm &form, int32_t i) {
  return form.operands[i].substr(hasIndices(form, i) ? 1 : 0);
}

/// What changes a function (broadloomLinearAlgebra).
enum LinearAlgebraFlags : int32_t {
  /// The triangle is the upper one.
  kUpperTriangle = 1,
  /// The elements on the diagonal of the triangle are ones.
  kUnitDiagonal = 2,
  /// A failure is told by the last operand alone.
  kUncheckedAlgebra = 4,
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_ABI_LINEARALGEBRAKIND_H

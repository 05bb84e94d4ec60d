//===- LinearAlgebraTest.cpp - functions of matrices ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/LinearAlgebraKind.h"
#include "runtime/calls/Call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace broadloom;

namespace {

/// A tensor of any strides, as a descriptor.
template <typename T> class Operand {
public:
  /// Row-major, or with `isTurned` the other way round and every second
  /// element.
  explicit Operand(std::vector<int64_t> shape, bool isTurned = false)
      : shape(std::move(shape)), dims(2 * this->shape.size() + 3) {
    int64_t count = isTurned ? 2 : 1;
    int64_t rank = int64_t(this->shape.size());
    std::vector<int64_t> strides(this->shape.size());
    for (int64_t i = 0; i < rank; ++i) {
      size_t axis = size_t(isTurned ? i : rank - 1 - i);
      strides[axis] = count;
      count *= this->shape[axis];
    }
    elements.assign(size_t(std::max<int64_t>(count, 1)), T(-7));
    auto &descriptor = *reinterpret_cast<BroadloomDescriptor *>(dims.data());
    descriptor.allocated = descriptor.aligned = elements.data();
    descriptor.offset = 0;
    for (size_t axis = 0; axis < this->shape.size(); ++axis) {
      descriptor.dims[axis] = this->shape[axis];
      descriptor.dims[this->shape.size() + axis] = strides[axis];
    }
  }

  T &at(std::vector<int64_t> index) {
    auto &descriptor = *reinterpret_cast<BroadloomDescriptor *>(dims.data());
    int64_t place = 0;
    for (size_t axis = 0; axis < index.size(); ++axis)
      place += index[axis] * descriptor.dims[shape.size() + axis];
    return elements[size_t(place)];
  }
  BroadloomView view() { return {int64_t(shape.size()), dims.data()}; }

private:
  std::vector<int64_t> shape;
  std::vector<int64_t> dims;
  std::vector<T> elements;
};

const BroadloomGuardSite kSite = {"solve", "p.mlir:1:2", -1, 2,
                                  "matrix {0} of the batch is singular: pivot "
                                  "{1} is zero"};

int32_t run(BroadloomCall &call, LinearAlgebraKind kind, int32_t type,
            std::vector<BroadloomView> views, int32_t flags = 0) {
  return broadloomLinearAlgebra(&call, &kSite, int32_t(kind), type, flags,
                                views.data());
}

template <typename T> constexpr int32_t kType = BROADLOOM_F32;
template <> constexpr int32_t kType<double> = BROADLOOM_F64;

template <typename T> void fill(Operand<T> &matrices, int64_t n, int64_t m) {
  std::mt19937 random(7);
  std::uniform_real_distribution<T> number(-1, 1);
  for (int64_t b = 0; b < 3; ++b)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < m; ++j)
        matrices.at({b, i, j}) = number(random);
}

template <typename T> class LinearAlgebraTest : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(LinearAlgebraTest, Floats);

TYPED_TEST(LinearAlgebraTest, SolvesAllMatricesOfABatch) {
  using T = TypeParam;
  // Few columns, the recursion, and more columns than rows of it.
  for (int64_t n : {1, 3, 16, 17, 40, 90})
    for (bool isTurned : {false, true}) {
      Operand<T> a({3, n, n}, isTurned), b({3, n, 2}, !isTurned), x({3, n, 2});
      Operand<int32_t> info({3});
      fill(a, n, n);
      fill(b, n, 2);
      BroadloomCall call;
      ASSERT_EQ(run(call, LinearAlgebraKind::Solve, kType<T>,
                    {a.view(), b.view(), x.view(), info.view()}),
                BROADLOOM_OK);
      T limit = T(n) * 2000 * std::numeric_limits<T>::epsilon();
      for (int64_t k = 0; k < 3; ++k)
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < 2; ++j) {
            T sum = 0;
            for (int64_t l = 0; l < n; ++l)
              sum += a.at({k, i, l}) * x.at({k, l, j});
            EXPECT_NEAR(sum, b.at({k, i, j}), limit) << n;
          }
    }
}

TYPED_TEST(LinearAlgebraTest, FactorsMatricesOfAnyExtents) {
  using T = TypeParam;
  for (auto [m, n] :
       {std::pair<int64_t, int64_t>{40, 25}, {25, 40}, {33, 33}}) {
    int64_t k = std::min(m, n);
    Operand<T> a({3, m, n}), factors({3, m, n});
    Operand<int32_t> pivots({3, k}), info({3}), rows({3, m});
    fill(a, m, n);
    BroadloomCall call;
    ASSERT_EQ(run(call, LinearAlgebraKind::Lu, kType<T>,
                  {a.view(), factors.view(), pivots.view(), info.view()}),
              BROADLOOM_OK);
    ASSERT_EQ(run(call, LinearAlgebraKind::Permutation, BROADLOOM_F32,
                  {pivots.view(), rows.view()}),
              BROADLOOM_OK);
    for (int64_t b = 0; b < 3; ++b)
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          T sum = 0;
          for (int64_t l = 0; l <= std::min({i, j, k - 1}); ++l)
            sum +=
                (l == i ? T(1) : factors.at({b, i, l})) * factors.at({b, l, j});
          EXPECT_NEAR(sum, a.at({b, rows.at({b, i}), j}),
                      100 * std::numeric_limits<T>::epsilon());
        }
  }
}

/// lin-2
TYPED_TEST(LinearAlgebraTest, NamesTheFirstSingularMatrix) {
  using T = TypeParam;
  Operand<T> a({4, 2, 2}), b({4, 2, 1}), x({4, 2, 1});
  Operand<int32_t> info({4});
  for (int64_t k = 0; k < 4; ++k)
    for (int64_t i = 0; i < 2; ++i) {
      b.at({k, i, 0}) = 1;
      for (int64_t j = 0; j < 2; ++j)
        a.at({k, i, j}) = k >= 2 || i == j ? T(1) : T(0);
    }
  std::vector<BroadloomView> views = {a.view(), b.view(), x.view(),
                                      info.view()};
  BroadloomCall call;
  EXPECT_EQ(run(call, LinearAlgebraKind::Solve, kType<T>, views),
            BROADLOOM_GUARD_FAILED);
  EXPECT_NE(std::string(call.failure().message)
                .find("matrix 2 of the batch is singular: pivot 2 is zero"),
            std::string::npos);
  BroadloomCall other;
  EXPECT_EQ(
      run(other, LinearAlgebraKind::Solve, kType<T>, views, kUncheckedAlgebra),
      BROADLOOM_OK);
  EXPECT_EQ(info.at({1}), 0);
  EXPECT_EQ(info.at({3}), 2);
  EXPECT_EQ(x.at({0, 0, 0}), T(1));
  EXPECT_TRUE(std::isnan(x.at({2, 0, 0})));
}

TYPED_TEST(LinearAlgebraTest, TellsWhichMinorIsNotPositive) {
  using T = TypeParam;
  for (int64_t n : {5, 40}) {
    Operand<T> a({1, n, n}), factor({1, n, n});
    Operand<int32_t> info({1});
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        a.at({0, i, j}) = i != j ? T(0) : i == n - 2 ? T(-1) : T(4);
    BroadloomCall call;
    EXPECT_EQ(run(call, LinearAlgebraKind::Cholesky, kType<T>,
                  {a.view(), factor.view(), info.view()}, kUncheckedAlgebra),
              BROADLOOM_OK);
    EXPECT_EQ(info.at({0}), int32_t(n - 1));
  }
}

/// lin-3: signs of eigenvectors and of singular vectors do not depend on the
/// machine.
TYPED_TEST(LinearAlgebraTest, LargestElementsOfVectorsArePositive) {
  using T = TypeParam;
  int64_t n = 12;
  Operand<T> a({3, n, n}), values({3, n}), vectors({3, n, n});
  Operand<T> u({3, n, n}), sizes({3, n}), v({3, n, n});
  fill(a, n, n);
  BroadloomCall call;
  ASSERT_EQ(run(call, LinearAlgebraKind::SymmetricEigen, kType<T>,
                {a.view(), values.view(), vectors.view()}),
            BROADLOOM_OK);
  ASSERT_EQ(run(call, LinearAlgebraKind::Svd, kType<T>,
                {a.view(), u.view(), sizes.view(), v.view()}),
            BROADLOOM_OK);
  for (int64_t b = 0; b < 3; ++b)
    for (int64_t j = 0; j < n; ++j)
      for (Operand<T> *matrix : {&vectors, &u}) {
        T largest = 0;
        for (int64_t i = 0; i < n; ++i)
          if (std::abs(matrix->at({b, i, j})) > std::abs(largest))
            largest = matrix->at({b, i, j});
        EXPECT_GT(largest, T(0));
      }
}

TYPED_TEST(LinearAlgebraTest, MatricesWithoutElements) {
  using T = TypeParam;
  Operand<T> a({1, 2, 0}), u({1, 2, 2}), values({1, 0}), v({1, 0, 0});
  BroadloomCall call;
  ASSERT_EQ(run(call, LinearAlgebraKind::Svd, kType<T>,
                {a.view(), u.view(), values.view(), v.view()}),
            BROADLOOM_OK);
  EXPECT_EQ(u.at({0, 0, 0}), T(1));
  EXPECT_EQ(u.at({0, 0, 1}), T(0));
  Operand<T> none({1, 0, 0}), exponential({1, 0, 0});
  EXPECT_EQ(run(call, LinearAlgebraKind::Exponential, kType<T>,
                {none.view(), exponential.view()}),
            BROADLOOM_OK);
}

TEST(LinearAlgebraKinds, HaveTheirOwnNames) {
  for (const LinearAlgebraForm &form : kLinearAlgebraForms) {
    auto kind = findLinearAlgebraKind(form.name);
    ASSERT_TRUE(kind);
    EXPECT_EQ(&getForm(*kind), &form);
    EXPECT_LT(form.numInputs, form.numOperands);
    EXPECT_EQ(form.hasInfo, getAxes(form, form.numOperands - 1).empty());
  }
  EXPECT_FALSE(findLinearAlgebraKind("lq"));
}

} // namespace

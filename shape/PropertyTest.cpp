//===- PropertyTest.cpp - all small shapes against their meaning ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/PropertyTest.h"
#include "shape/Verify.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace broadloom;
using namespace broadloom::testing;

namespace {

TEST(Property, bcast3_everyPairOfShapesUpToRank4) {
  Meaning meanings[5][5];
  for (int64_t a = kAny; a <= 3; ++a)
    for (int64_t b = kAny; b <= 3; ++b)
      meanings[a + 1][b + 1] = meaningOf({a, b});
  std::vector<Extents> shapes = allShapes(4);
  ASSERT_EQ(shapes.size(), 781u);
  std::vector<Shape> typed;
  for (const Extents &extents : shapes)
    typed.push_back(shapeOf(extents));
  size_t failures = 0;
  for (size_t i = 0; i < shapes.size(); ++i)
    for (size_t j = 0; j < shapes.size(); ++j) {
      size_t rank = std::max(shapes[i].size(), shapes[j].size());
      Truth truth = Truth::Proved;
      size_t unknownAxes = 0;
      int32_t firstRefuted = -1;
      Shape expected;
      for (size_t axis = 0; axis < rank; ++axis) {
        const Meaning &meaning =
            meanings[extentFromRight(shapes[i], rank - 1 - axis) + 1]
                    [extentFromRight(shapes[j], rank - 1 - axis) + 1];
        if (meaning.truth == Truth::Refuted && truth != Truth::Refuted) {
          truth = Truth::Refuted;
          firstRefuted = static_cast<int32_t>(axis);
        } else if (meaning.truth == Truth::Unknown) {
          ++unknownAxes;
          truth = truth == Truth::Proved ? Truth::Unknown : truth;
        }
        expected.push_back(meaning.results.size() == 1
                               ? Extent::fixed(*meaning.results.begin())
                               : Extent::dynamic());
      }
      Broadcast result = broadcast({typed[i], typed[j]});
      bool good = result.answer.truth() == truth &&
                  result.error.has_value() == (truth == Truth::Refuted);
      if (truth == Truth::Refuted)
        good &= result.error && result.error->axis == firstRefuted;
      else
        good &= result.inferred == expected &&
                result.constraints.size() == unknownAxes;
      if (!good && ++failures < 10)
        ADD_FAILURE() << toString(typed[i]) << " and " << toString(typed[j])
                      << ": " << truthName(result.answer.truth()) << " "
                      << toString(result.inferred) << ", expected "
                      << truthName(truth) << " " << toString(expected);
    }
  EXPECT_EQ(failures, 0u);
}

TEST(Property, bcast3_concreteFormulaAgreesWithTheSymbolicOne) {
  std::vector<Extents> shapes = allShapes(3);
  for (const Extents &a : shapes)
    for (const Extents &b : shapes) {
      if (std::count(a.begin(), a.end(), kAny) +
          std::count(b.begin(), b.end(), kAny))
        continue;
      ExtentSpan spans[] = {{a.data(), static_cast<int64_t>(a.size())},
                            {b.data(), static_cast<int64_t>(b.size())}};
      Extents result(std::max(a.size(), b.size()));
      Conflict conflict;
      bool good = broadcastSpans(spans, 2, result.data(), &conflict);
      Shape shapeA = shapeOf(a), shapeB = shapeOf(b);
      Broadcast symbolic = broadcast({shapeA, shapeB});
      ASSERT_EQ(good, symbolic.answer.isProved());
      if (good)
        ASSERT_EQ(shapeOf(result), symbolic.inferred);
      else
        ASSERT_EQ(conflict.axis, symbolic.error->axis);
    }
}

TEST(Property, verify4_everyPairAndResultUpToRank2) {
  std::vector<Extents> shapes = allShapes(2);
  for (const Extents &a : shapes)
    for (const Extents &b : shapes)
      for (const Extents &result : shapes) {
        size_t rank = std::max(a.size(), b.size());
        bool all = true, any = rank == result.size(), guessed = false;
        for (size_t i = 0; i < rank && any; ++i) {
          int64_t declared = extentFromRight(result, i);
          Extents meeting = {extentFromRight(a, i), extentFromRight(b, i)};
          Meaning meaning = meaningOf(meeting);
          bool fits = declared == kAny || meaning.results.count(declared);
          any &= meaning.truth != Truth::Refuted && fits;
          all &= meaning.truth == Truth::Proved &&
                 (declared == kAny || meaning.results.size() == 1);
          guessed |= declared != kAny && meaning.results.size() > 1;
        }
        Truth allow = !any  ? Truth::Refuted
                      : all ? Truth::Proved
                            : Truth::Unknown;
        Shape typedA = shapeOf(a), typedB = shapeOf(b),
              typedResult = shapeOf(result);
        VerifyOptions options;
        ASSERT_EQ(verifyBroadcast({typedA, typedB}, typedResult, staticProver(),
                                  options)
                      .answer.truth(),
                  allow)
            << toString(typedA) << " " << toString(typedB) << " -> "
            << toString(typedResult);
        options.dynamicToStatic = DynamicToStatic::Forbid;
        ASSERT_EQ(verifyBroadcast({typedA, typedB}, typedResult, staticProver(),
                                  options)
                      .answer.truth(),
                  guessed ? Truth::Refuted : allow)
            << toString(typedA) << " " << toString(typedB) << " -> "
            << toString(typedResult);
      }
}

TEST(Property, verify3_mapWithAnUnrankedOperand) {
  // Every shape that the unranked operand can have: one axis more than the
  // results, and every extent.
  std::vector<Extents> hidden;
  for (size_t rank = 0; rank <= 3; ++rank)
    forEachReading(Extents(rank, kAny),
                   [&](const Extents &reading) { hidden.push_back(reading); });
  VerifyOptions map;
  map.unrankedOperands = UnrankedOperands::Unknown;
  for (const Extents &a : allShapes(2))
    for (const Extents &result : allShapes(2)) {
      Shape declared = shapeOf(result), known = shapeOf(a);
      bool any = false, all = true;
      forEachReading(a, [&](const Extents &reading) {
        for (const Extents &other : hidden) {
          Extents met(std::max(reading.size(), other.size()));
          bool good = true;
          for (size_t i = 0; i < met.size(); ++i) {
            std::optional<int64_t> extent =
                meet({extentFromRight(reading, i), extentFromRight(other, i)});
            good &= extent.has_value();
            met[met.size() - 1 - i] = extent.value_or(0);
          }
          good = good && describes(declared, met);
          any |= good;
          all &= good;
        }
      });
      Truth expected = !any  ? Truth::Refuted
                       : all ? Truth::Proved
                             : Truth::Unknown;
      ASSERT_EQ(verifyBroadcast({known, Shape::unranked()}, declared,
                                staticProver(), map)
                    .answer.truth(),
                expected)
          << toString(known) << " and * -> " << toString(declared);
    }
}

} // namespace

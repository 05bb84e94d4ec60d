//===- OrderTest.cpp - order and erasure do not matter --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/PropertyTest.h"
#include "shape/Verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace broadloom;
using namespace broadloom::testing;

namespace {

//===----------------------------------------------------------------------===//
// Symbols: three operands on one axis, in every order
//===----------------------------------------------------------------------===//

/// Values of everything that is not static: symbols by number, and `?` by
/// operand.
struct Reading {
  std::vector<int64_t> symbols;
  Extents unnamed;

  int64_t valueOf(Extent extent, size_t operand) const {
    if (extent.isFixed())
      return extent.value();
    return extent.isSymbol() ? symbols[extent.symbolId()] : unnamed[operand];
  }
};

bool holds(const ShapeConstraint &constraint, const Reading &reading) {
  int64_t a = reading.valueOf(constraint.a.extent,
                              static_cast<size_t>(constraint.a.party));
  int64_t b = reading.valueOf(constraint.b.extent,
                              static_cast<size_t>(constraint.b.party));
  switch (constraint.kind) {
  case ShapeConstraint::Kind::Compatible:
    return a == b || a == 1 || b == 1;
  case ShapeConstraint::Kind::OneOrEqual:
    return a == 1 || a == b;
  case ShapeConstraint::Kind::Equal:
    return a == b;
  default:
    ADD_FAILURE() << "unexpected kind of constraint";
    return false;
  }
}

struct Facts {
  bool sNotOne = false, tNotOne = false;
};

/// Checks one list of extents that meet against all readings.
void checkAxis(const std::vector<Extent> &extents, const Facts &facts,
               Symbols &symbols) {
  std::vector<Shape> shapes;
  for (Extent extent : extents)
    shapes.push_back(Shape{extent});
  std::vector<ShapeView> views(shapes.begin(), shapes.end());
  BroadcastOptions options;
  options.fresh = &symbols;
  Broadcast result = broadcast(views, SymbolProver(symbols), options);
  Extent inferred = result.inferred[0];
  bool all = true, any = false;
  forEachReading(Extents(2 + extents.size(), kAny), [&](const Extents &v) {
    Reading reading{{v[0], v[1]}, Extents(v.begin() + 2, v.end())};
    if ((facts.sNotOne && v[0] == 1) || (facts.tNotOne && v[1] == 1))
      return;
    Extents values;
    for (size_t i = 0; i < extents.size(); ++i)
      values.push_back(reading.valueOf(extents[i], i));
    std::optional<int64_t> expected = meet(values);
    all &= expected.has_value();
    any |= expected.has_value();
    bool constraintsHold =
        !result.error &&
        std::all_of(
            result.constraints.begin(), result.constraints.end(),
            [&](const ShapeConstraint &o) { return holds(o, reading); });
    ASSERT_EQ(constraintsHold, expected.has_value());
    if (expected && inferred.isFixed())
      ASSERT_EQ(inferred.value(), *expected);
    if (expected && inferred.isSymbol() && inferred.symbolId() < 2)
      ASSERT_EQ(reading.symbols[inferred.symbolId()], *expected);
  });
  ASSERT_EQ(result.answer.isProved(), all);
  ASSERT_EQ(result.answer.isRefuted(), !any);

  // bcast-5: fresh symbols in which a `?` takes part have other numbers.
  bool hasDynamic = std::count(extents.begin(), extents.end(), Extent()) > 0;
  std::vector<size_t> order = {0, 1, 2};
  do {
    std::vector<ShapeView> other = {views[order[0]], views[order[1]],
                                    views[order[2]]};
    Broadcast again = broadcast(other, SymbolProver(symbols), options);
    ASSERT_EQ(again.answer.truth(), result.answer.truth());
    ASSERT_EQ(again.constraints.size(), result.constraints.size());
    Extent extent = again.inferred[0];
    if (result.error)
      continue;
    if (hasDynamic && inferred.isSymbol() && inferred.symbolId() >= 2)
      ASSERT_TRUE(extent.isSymbol() && extent.symbolId() >= 2);
    else
      ASSERT_EQ(extent, inferred);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Property, bcast5_everyTripleWithSymbolsInEveryOrder) {
  for (bool sNotOne : {false, true})
    for (bool tNotOne : {false, true}) {
      Symbols symbols;
      Extent s = symbols.create("s"), t = symbols.create("t");
      if (sNotOne)
        symbols.assumeNotOne(s);
      if (tNotOne)
        symbols.assumeNotOne(t);
      std::vector<Extent> extents = {Extent(),
                                     Extent::fixed(0),
                                     Extent::fixed(1),
                                     Extent::fixed(2),
                                     Extent::fixed(3),
                                     s,
                                     t};
      for (Extent a : extents)
        for (Extent b : extents)
          for (Extent c : extents) {
            checkAxis({a, b, c}, {sNotOne, tNotOne}, symbols);
            ASSERT_FALSE(HasFatalFailure())
                << toString(a) << ", " << toString(b) << ", " << toString(c)
                << (sNotOne ? ", s != 1" : "") << (tNotOne ? ", t != 1" : "");
          }
    }
}

//===----------------------------------------------------------------------===//
// Random shapes
//===----------------------------------------------------------------------===//

class RandomShapes {
public:
  explicit RandomShapes(unsigned seed) : engine_(seed) {}
  int64_t below(int64_t n) {
    return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n));
  }
  Extents extents(int64_t smallest, int64_t maxRank = 4) {
    Extents result;
    for (int64_t rank = below(maxRank + 1); rank > 0; --rank)
      result.push_back(smallest + below(4 - smallest));
    return result;
  }
  /// The same with some extents made `?`, or unranked.
  Shape erase(const Extents &extents, bool mayUnrank) {
    if (mayUnrank && below(4) == 0)
      return Shape::unranked();
    Extents erased = extents;
    for (int64_t &extent : erased)
      if (below(2))
        extent = kAny;
    return shapeOf(erased);
  }
  template <typename List> void shuffle(List &list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1],
                list[static_cast<size_t>(below(static_cast<int64_t>(i)))]);
  }

private:
  std::mt19937_64 engine_;
};

TEST(Property, bcast5_randomShapesInRandomOrders) {
  for (unsigned seed = 0; seed < 20000; ++seed) {
    RandomShapes random(seed);
    std::vector<Shape> shapes;
    for (int64_t n = 1 + random.below(5); n > 0; --n)
      shapes.push_back(random.below(8) ? shapeOf(random.extents(kAny))
                                       : Shape::unranked());
    std::vector<ShapeView> views(shapes.begin(), shapes.end());
    Broadcast first = broadcast(views);
    random.shuffle(views);
    Broadcast second = broadcast(views);
    ASSERT_EQ(first.answer.truth(), second.answer.truth()) << "seed " << seed;
    ASSERT_EQ(first.constraints.size(), second.constraints.size());
    if (first.error)
      ASSERT_EQ(first.error->axis, second.error->axis) << "seed " << seed;
    else
      ASSERT_EQ(first.inferred, second.inferred) << "seed " << seed;
  }
}

TEST(Property, bcast7_erasingNeverRefutesWhatRuns) {
  size_t legal = 0;
  for (unsigned seed = 0; seed < 40000; ++seed) {
    RandomShapes random(seed);
    std::vector<Extents> concrete;
    std::vector<ExtentSpan> spans;
    for (int64_t n = 1 + random.below(3); n > 0; --n)
      concrete.push_back(random.extents(0, 3));
    for (const Extents &extents : concrete)
      spans.push_back({extents.data(), static_cast<int64_t>(extents.size())});
    Extents result(
        static_cast<size_t>(broadcastRank(spans.data(), spans.size())));
    if (!broadcastSpans(spans.data(), spans.size(), result.data()))
      continue;
    ++legal;
    bool mayUnrank = random.below(2);
    std::vector<Shape> erased;
    Reading reading;
    for (const Extents &extents : concrete)
      erased.push_back(random.erase(extents, mayUnrank));
    std::vector<ShapeView> views(erased.begin(), erased.end());
    Broadcast given = broadcast(views);
    ASSERT_FALSE(given.answer.isRefuted()) << "seed " << seed;
    ASSERT_TRUE(describes(given.refined(), result)) << "seed " << seed;
    // Every constraint holds on what runs.
    for (const ShapeConstraint &constraint : given.constraints) {
      if (constraint.kind == ShapeConstraint::Kind::Shapes)
        continue;
      auto valueOf = [&](const Side &side) {
        return concrete[static_cast<size_t>(side.party)]
                       [static_cast<size_t>(side.axis)];
      };
      int64_t a = valueOf(constraint.a), b = valueOf(constraint.b);
      ASSERT_TRUE(
          a == b || a == 1 ||
          (b == 1 && constraint.kind == ShapeConstraint::Kind::Compatible));
    }
    VerifyOptions map;
    map.unrankedOperands = UnrankedOperands::Unknown;
    Shape declared = random.erase(result, true);
    ASSERT_FALSE(verifyBroadcast(views, declared, staticProver(), map).error)
        << "seed " << seed;
    if (!mayUnrank)
      ASSERT_FALSE(verifyBroadcast(views, declared).error) << "seed " << seed;
  }
  EXPECT_GT(legal, 10000u);
}

} // namespace

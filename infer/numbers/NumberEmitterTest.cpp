//===- NumberEmitterTest.cpp - guards against mathematical integers -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random conditions on numbers near the ends of 64 bits: the code that is
// emitted for one is true only where it holds of mathematical integers, and
// wherever it holds of small ones.
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberEmitter.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/NumberText.h"
#include "test/lib/numbers/NumberWordsTest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/TypeSwitch.h"

#include <functional>

using namespace broadloom;
using namespace broadloom::infer;
using llvm::DynamicAPInt;

namespace {

/// A mathematical number with its meaning; `fits` is set to false where a part
/// of it is no word.
struct Exact {
  Number number;
  std::function<DynamicAPInt(const Point &, bool &fits)> at;
};
struct ExactCondition {
  ConditionId id;
  std::function<bool(const Point &, bool &fits)> at;
};

class EmittedTest : public WordsTest {
protected:
  EmittedTest() { context.loadDialect<mlir::arith::ArithDialect>(); }

  static DynamicAPInt check(DynamicAPInt value, bool &fits) {
    fits &= value >= std::numeric_limits<int64_t>::min() &&
            value <= std::numeric_limits<int64_t>::max();
    return value;
  }

  Exact makeNumber(int depth) {
    if (depth == 0) {
      if (pick(3) == 0) {
        int64_t value = pick(2) ? pick(5) : pickWord() / 4;
        hasLargeConstant |= std::abs(value) > kSmall;
        return {Number(value),
                [=](const Point &, bool &) { return DynamicAPInt(value); }};
      }
      int i = pick(kLeaves);
      return {leaves[i],
              [=](const Point &p, bool &) { return DynamicAPInt(p[i]); }};
    }
    Exact a = makeNumber(depth - 1), b = makeNumber(pick(depth));
    auto f = a.at, g = b.at;
    int64_t by = 1 + pick(5);
    switch (pick(8)) {
    case 0:
    case 1:
      return {orUnknown(numbers, add(numbers, a.number, b.number)),
              [=](const Point &p, bool &fits) {
                return check(f(p, fits) + g(p, fits), fits);
              }};
    case 2:
      return {orUnknown(numbers, subtract(numbers, a.number, b.number)),
              [=](const Point &p, bool &fits) {
                return check(f(p, fits) - g(p, fits), fits);
              }};
    case 3:
    case 4:
      return {orUnknown(numbers, multiply(numbers, a.number, b.number)),
              [=](const Point &p, bool &fits) {
                return check(f(p, fits) * g(p, fits), fits);
              }};
    case 5:
      return {minimum(numbers, a.number, b.number),
              [=](const Point &p, bool &fits) {
                return std::min(f(p, fits), g(p, fits));
              }};
    case 6:
      return {maximum(numbers, a.number, b.number),
              [=](const Point &p, bool &fits) {
                return std::max(f(p, fits), g(p, fits));
              }};
    default:
      return {divide(numbers, a.number, Number(by)),
              [=](const Point &p, bool &fits) {
                return llvm::floorDiv(f(p, fits), DynamicAPInt(by));
              }};
    }
  }

  ExactCondition makeCondition(int depth) {
    Exact a = makeNumber(pick(3)), b = makeNumber(pick(3));
    auto f = a.at, g = b.at;
    ExactCondition made;
    if (pick(2))
      made = {equal(numbers, a.number, b.number),
              [=](const Point &p, bool &fits) {
                DynamicAPInt x = f(p, fits), y = g(p, fits);
                return x == y;
              }};
    else
      made = {lessThan(numbers, a.number, b.number),
              [=](const Point &p, bool &fits) {
                DynamicAPInt x = f(p, fits), y = g(p, fits);
                return x < y;
              }};
    if (depth == 0)
      return made;
    ExactCondition other = makeCondition(depth - 1);
    auto x = made.at, y = other.at;
    switch (pick(4)) {
    case 0:
      return {numbers.both(made.id, other.id), [=](const Point &p, bool &fits) {
                bool left = x(p, fits), right = y(p, fits);
                return left && right;
              }};
    case 1:
      return {numbers.either(made.id, other.id),
              [=](const Point &p, bool &fits) {
                bool left = x(p, fits), right = y(p, fits);
                return left || right;
              }};
    case 2:
      return {numbers.negate(made.id),
              [=](const Point &p, bool &fits) { return !x(p, fits); }};
    default:
      return made;
    }
  }

  /// Emits a condition into `block`, of which the leaves become arguments; null
  /// where it cannot be emitted.
  mlir::Value emit(ConditionId id, mlir::Block &block);

  /// Whatever is emitted for a condition holds of small extents and of small
  /// words from `leastWord` on.
  void expectOfSmall(ConditionId id, int64_t leastWord);

  /// Of numbers up to this, nothing that is made here overflows.
  static constexpr int64_t kSmall = 8;
  bool hasLargeConstant = false;
  mlir::MLIRContext context;
};

/// Runs a block of `arith` on words of 64 bits.
class Machine {
public:
  explicit Machine(mlir::Block &block, const Point &point) {
    for (auto [argument, value] : llvm::zip_equal(block.getArguments(), point))
      values[argument] = value;
    for (mlir::Operation &op : block)
      run(&op);
  }
  int64_t get(mlir::Value value) const { return values.lookup(value); }

private:
  void run(mlir::Operation *op) {
    using namespace mlir::arith;
    auto x = [&](unsigned i) { return values.lookup(op->getOperand(i)); };
    auto u = [&](unsigned i) { return uint64_t(x(i)); };
    auto set = [&](int64_t value) { values[op->getResult(0)] = value; };
    llvm::TypeSwitch<mlir::Operation *>(op)
        .Case([&](ConstantOp constant) {
          auto value = mlir::cast<mlir::IntegerAttr>(constant.getValue());
          set(value.getType().isInteger(1) ? !value.getValue().isZero()
                                           : value.getInt());
        })
        .Case([&](AddIOp) { set(int64_t(u(0) + u(1))); })
        .Case([&](SubIOp) { set(int64_t(u(0) - u(1))); })
        .Case([&](MulIOp) { set(int64_t(u(0) * u(1))); })
        .Case([&](AndIOp) { set(x(0) & x(1)); })
        .Case([&](OrIOp) { set(x(0) | x(1)); })
        .Case([&](XOrIOp) { set(x(0) ^ x(1)); })
        .Case([&](MinSIOp) { set(std::min(x(0), x(1))); })
        .Case([&](MaxSIOp) { set(std::max(x(0), x(1))); })
        .Case([&](DivSIOp) { set(divide(x(0), x(1))); })
        .Case([&](RemSIOp) {
          set(int64_t(u(0) - uint64_t(divide(x(0), x(1))) * u(1)));
        })
        .Case([&](ShRSIOp) { set(x(0) >> x(1)); })
        .Case([&](IndexCastOp) { set(x(0)); })
        .Case([&](SelectOp) { set(x(0) ? x(1) : x(2)); })
        .Case([&](MulSIExtendedOp wide) {
          __int128 product = static_cast<__int128>(x(0)) * x(1);
          values[wide.getLow()] = int64_t(product);
          values[wide.getHigh()] = int64_t(product >> 64);
        })
        .Case([&](CmpIOp compare) {
          set(applyCmpPredicate(compare.getPredicate(), llvm::APInt(64, u(0)),
                                llvm::APInt(64, u(1))));
        })
        .Default([](mlir::Operation *other) {
          FAIL() << "no rule for " << other->getName().getStringRef().str();
        });
  }
  /// Toward 0; what would trap must not be emitted.
  static int64_t divide(int64_t a, int64_t b) {
    bool traps =
        b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min());
    EXPECT_FALSE(traps);
    return traps ? 0 : a / b;
  }

  llvm::DenseMap<mlir::Value, int64_t> values;
};

mlir::Value EmittedTest::emit(ConditionId id, mlir::Block &block) {
  mlir::OpBuilder builder(&context);
  mlir::Location loc = builder.getUnknownLoc();
  for (int i = 0; i < kLeaves; ++i)
    block.addArgument(builder.getIndexType(), loc);
  builder.setInsertionPointToStart(&block);
  auto getLeaf = [&](int i) { return block.getArgument(i); };
  NumberEmitter emitter(
      builder, loc, numbers,
      [&](SymbolId symbol) -> mlir::Value { return getLeaf(int(symbol)); },
      [](SymbolId) { return true; },
      [&](AtomId atom) -> mlir::Value {
        for (int i = kExtents; i < kLeaves; ++i)
          if (leaves[i].terms[0].atoms[0] == atom)
            return getLeaf(i);
        return {};
      });
  return emitter.canEmitCondition(id) ? emitter.emitCondition(id)
                                      : mlir::Value();
}

void EmittedTest::expectOfSmall(ConditionId id, int64_t leastWord) {
  mlir::Block block;
  mlir::Value holds = emit(id, block);
  ASSERT_TRUE(holds);
  for (int i = 0; i < 10; ++i) {
    Point point = pickPoint();
    for (int leaf = 0; leaf < kLeaves; ++leaf)
      point[leaf] = pick(kSmall) + (leaf < kExtents ? 0 : leastWord);
    ASSERT_TRUE(Machine(block, point).get(holds))
        << describe(numbers, id) << " at " << toText(point);
  }
}

TEST_F(EmittedTest, rt13_guardsAreTrueOnlyOfMathematicalIntegers) {
  int passed = 0, overflowed = 0;
  for (int round = 0; round < 4000; ++round) {
    hasLargeConstant = false;
    ExactCondition made = makeCondition(pick(3));
    mlir::Block block;
    mlir::Value holds = emit(made.id, block);
    if (!holds)
      continue;
    for (int i = 0; i < 30; ++i) {
      Point point = pickPoint();
      bool isSmall = !hasLargeConstant && pick(2);
      for (int leaf = 0; isSmall && leaf < kLeaves; ++leaf)
        point[leaf] = pick(kSmall) - (leaf < kExtents ? 0 : 3);
      bool fits = true;
      bool expected = made.at(point, fits);
      bool got = Machine(block, point).get(holds) != 0;
      passed += got;
      overflowed += !fits;
      auto where = [&] {
        return "round " + std::to_string(round) + ": " +
               describe(numbers, made.id) + " at " + toText(point);
      };
      ASSERT_FALSE(got && !expected) << where();
      ASSERT_FALSE(isSmall && expected && !got) << where();
    }
  }
  EXPECT_GT(passed, 5000);
  EXPECT_GT(overflowed, 5000);
}

TEST_F(EmittedTest, rt13_aLargeLimitBesideSmallNumbersIsNoOverflow) {
  // Such as 2 * e0 * e1 + 2^63 - 2 >= e0, whose left side is no word.
  for (int round = 0; round < 200; ++round) {
    Number sum;
    for (int term = 0; term < 4; ++term)
      sum = *add(numbers, sum,
                 *multiply(numbers,
                           *multiply(numbers, leaves[pick(kExtents)],
                                     leaves[pick(kExtents)]),
                           Number(pick(7) - 3)));
    ConditionId fits = atMost(numbers, sum, Number(Bounds::kNone - 1));
    ASSERT_NO_FATAL_FAILURE(expectOfSmall(fits, /*leastWord=*/0)) << round;
  }
}

TEST_F(EmittedTest, ext5_whatFitsIsComputable) {
  // Sums of words, as of what a remainder gives; a guard may have found that
  // they are not negative.
  for (int round = 0; round < 400; ++round) {
    Numbers::Scope scope(numbers);
    bool areNatural = round % 2;
    for (int leaf = kExtents; areNatural && leaf < kLeaves; ++leaf)
      assume(numbers, atMost(numbers, Number(0), leaves[leaf]));
    Number sum(pick(5));
    for (int term = 0, count = 1 + pick(2); term < count; ++term)
      sum =
          *add(numbers, sum,
               *multiply(numbers, leaves[pick(kLeaves)], Number(1 + pick(3))));
    ConditionId fits = isComputable(numbers, sum);
    ASSERT_NO_FATAL_FAILURE(expectOfSmall(fits, areNatural ? 0 : -3)) << round;
  }
}

} // namespace

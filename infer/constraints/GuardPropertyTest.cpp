//===- GuardPropertyTest.cpp - guards reject what constraints refuse ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random constraints, turned into guards, on all extents from 0 to 3: a call
// must get past the guards if and only if every constraint holds for it. What
// was proved, merged, simplified or moved to the entry must not show.
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "infer/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>

using namespace mlir;
namespace loom = broadloom::loom;

namespace {

using Extents = std::vector<int64_t>;
constexpr int64_t kAny = -1;
constexpr int64_t kLargest = 3;

/// NumPy's definition, on numbers.
std::optional<Extents> broadcastNumbers(const std::vector<Extents> &shapes) {
  Extents result;
  for (const Extents &shape : shapes)
    result.resize(std::max(result.size(), shape.size()), 1);
  for (const Extents &shape : shapes)
    for (size_t i = 1; i <= shape.size(); ++i) {
      int64_t &extent = result[result.size() - i];
      int64_t next = shape[shape.size() - i];
      if (extent != 1 && next != 1 && extent != next)
        return std::nullopt;
      if (extent == 1)
        extent = next;
    }
  return result;
}

std::string write(const Extents &extents, const char *separator) {
  std::string text;
  for (int64_t extent : extents) {
    if (!text.empty())
      text += separator;
    text += extent == kAny ? "?" : std::to_string(extent);
  }
  return text;
}

/// Shapes are numbered, those of arguments first.
struct Step {
  bool isResult = false;
  /// What is broadcast, into a further shape; or the one shape compared.
  std::vector<size_t> shapes;
  Extents declared;
};

struct Program {
  std::vector<Extents> arguments;
  std::vector<Step> steps;

  bool accepts(std::vector<Extents> shapes) const {
    for (const Step &step : steps) {
      if (step.isResult) {
        const Extents &actual = shapes[step.shapes.front()];
        if (actual.size() != step.declared.size())
          return false;
        for (auto [extent, declared] : llvm::zip_equal(actual, step.declared))
          if (declared != kAny && extent != declared)
            return false;
        continue;
      }
      std::vector<Extents> operands;
      for (size_t shape : step.shapes)
        operands.push_back(shapes[shape]);
      std::optional<Extents> result = broadcastNumbers(operands);
      if (!result)
        return false;
      shapes.push_back(*result);
    }
    return true;
  }

  std::string print(bool unranked) const {
    std::string text = "func.func @f(";
    std::vector<std::string> types;
    for (auto [i, extents] : llvm::enumerate(arguments)) {
      std::string type = write(extents, "x");
      type = unranked ? "*x" : type.empty() ? type : type + "x";
      text +=
          (i ? ", %a" : "%a") + std::to_string(i) + ": tensor<" + type + "f32>";
      types.push_back(unranked ? "!loom.shape<*>"
                               : "!loom.shape<[" + write(extents, ", ") + "]>");
    }
    text += ") {\n";
    std::vector<size_t> ranks;
    for (auto [i, extents] : llvm::enumerate(arguments)) {
      std::string type = write(extents, "x");
      type = unranked ? "*x" : type.empty() ? type : type + "x";
      text += "%s" + std::to_string(i) + " = loom.shape_of %a" +
              std::to_string(i) + " : tensor<" + type + "f32> -> " + types[i] +
              "\n";
      ranks.push_back(extents.size());
    }
    for (const Step &step : steps) {
      std::string operands, operandTypes;
      size_t rank = 0;
      for (size_t shape : step.shapes) {
        operands += (operands.empty() ? "%s" : ", %s") + std::to_string(shape);
        operandTypes += (operandTypes.empty() ? "" : ", ") + types[shape];
        rank = std::max(rank, ranks[shape]);
      }
      if (step.isResult) {
        std::string declared = write(step.declared, "x");
        text += "loom.constrain_result \"test.op\", " + operands +
                " is tensor<" + (declared.empty() ? "" : declared + "x") +
                "f32> : " + operandTypes + "\n";
        continue;
      }
      std::string type =
          unranked ? "!loom.shape<*>"
                   : "!loom.shape<[" + write(Extents(rank, kAny), ", ") + "]>";
      text += "loom.constrain_broadcast \"test.op\", " + operands + " : " +
              operandTypes + "\n%s" + std::to_string(types.size()) +
              " = loom.broadcast " + operands + " : (" + operandTypes +
              ") -> " + type + "\n";
      types.push_back(type);
      ranks.push_back(rank);
    }
    return text + "return\n}\n";
  }
};

Program makeProgram(std::mt19937 &random) {
  auto below = [&](int64_t n) {
    return std::uniform_int_distribution<int64_t>(0, n - 1)(random);
  };
  auto makeExtents = [&](int64_t rank) {
    Extents extents;
    for (int64_t i = 0; i < rank; ++i)
      extents.push_back(below(3) ? kAny : below(kLargest + 1));
    return extents;
  };
  Program program;
  for (int64_t i = 0, count = 2 + below(2); i < count; ++i)
    program.arguments.push_back(makeExtents(below(3)));
  size_t numShapes = program.arguments.size();
  for (int64_t i = 0, count = 1 + below(5); i < count; ++i) {
    Step step;
    step.isResult = below(4) == 0;
    for (int64_t k = 0, n = step.isResult ? 1 : 2 + below(2); k < n; ++k)
      step.shapes.push_back(below(numShapes));
    if (step.isResult)
      step.declared = makeExtents(below(6) ? 2 : 1);
    else
      ++numShapes;
    program.steps.push_back(step);
  }
  return program;
}

/// Runs the guards of a function on the shapes of its arguments.
class Interpreter {
public:
  explicit Interpreter(std::vector<Extents> arguments)
      : arguments(std::move(arguments)) {}

  bool accepts(func::FuncOp func) {
    for (Operation &op : func.getBody().front())
      if (!run(&op))
        return false;
    return true;
  }

private:
  bool run(Operation *op) {
    auto number = [&](unsigned i) { return numbers.at(op->getOperand(i)); };
    auto set = [&](int64_t value) { numbers[op->getResult(0)] = value; };
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      set(cast<IntegerAttr>(constant.getValue()).getInt());
    else if (auto dim = dyn_cast<tensor::DimOp>(op))
      set(shapeOf(dim.getSource())[number(1)]);
    else if (isa<arith::CmpIOp>(op))
      set(number(0) == number(1));
    else if (isa<arith::OrIOp>(op))
      set(number(0) | number(1));
    else if (isa<arith::SelectOp>(op))
      set(number(0) ? number(1) : number(2));
    else if (auto shape = dyn_cast<loom::ShapeOfOp>(op))
      shapes[shape] = shapeOf(shape.getTensor());
    else if (isa<loom::BroadcastOp>(op))
      shapes[op->getResult(0)] =
          broadcastNumbers(operandShapes(op)).value_or(Extents());
    else if (auto rank = dyn_cast<loom::RankOp>(op))
      set(shapes.at(rank.getShape()).size());
    else if (auto extent = dyn_cast<loom::ExtentOp>(op))
      set(extentOf(shapes.at(extent.getShape()),
                   static_cast<int64_t>(extent.getAxis())));
    else if (isa<loom::RequireOp>(op))
      return number(0);
    else if (isa<loom::RequireBroadcastOp>(op))
      return broadcastNumbers(operandShapes(op)).has_value();
    else
      EXPECT_TRUE(isa<func::ReturnOp>(op))
          << op->getName().getStringRef().str();
    return true;
  }

  const Extents &shapeOf(Value tensor) const {
    return arguments[cast<BlockArgument>(tensor).getArgNumber()];
  }
  std::vector<Extents> operandShapes(Operation *op) const {
    std::vector<Extents> result;
    for (Value shape : op->getOperands())
      result.push_back(shapes.at(shape));
    return result;
  }
  static int64_t extentOf(const Extents &shape, int64_t axis) {
    if (axis < 0)
      axis += shape.size();
    return axis < 0 ? 1 : shape[axis];
  }

  std::vector<Extents> arguments;
  llvm::DenseMap<Value, int64_t> numbers;
  llvm::DenseMap<Value, Extents> shapes;
};

class GuardProperty : public ::testing::TestWithParam<bool> {
protected:
  GuardProperty() {
    context.loadDialect<loom::LoomDialect, func::FuncDialect,
                        arith::ArithDialect, tensor::TensorDialect>();
  }

  void check(const Program &program) {
    bool unranked = GetParam();
    std::string source = program.print(unranked);
    SCOPED_TRACE(source);
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    ParserConfig config(&context);
    auto module = parseSourceString<ModuleOp>(source, config);
    ASSERT_TRUE(module);
    auto func = *module->getOps<func::FuncOp>().begin();
    bool refuted = failed(broadloom::infer::insertGuards(func));
    bool anyAccepted = false, anyRefused = false;
    std::vector<Extents> reading = program.arguments;
    forEachReading(reading, 0, 0, [&] {
      bool wanted = program.accepts(reading);
      (wanted ? anyAccepted : anyRefused) = true;
      // ext-2: an error is one for every call.
      bool accepted = !refuted && Interpreter(reading).accepts(func);
      EXPECT_EQ(accepted, wanted);
    });
    numGuarded += anyAccepted && anyRefused;
    numRefuted += refuted;
  }

  void forEachReading(std::vector<Extents> &shapes, size_t i, size_t axis,
                      const std::function<void()> &visit) {
    if (i == shapes.size())
      return visit();
    if (axis == shapes[i].size())
      return forEachReading(shapes, i + 1, 0, visit);
    int64_t written = shapes[i][axis];
    for (int64_t n = 0; n <= kLargest; ++n)
      if (written == kAny || written == n) {
        shapes[i][axis] = n;
        forEachReading(shapes, i, axis + 1, visit);
      }
    shapes[i][axis] = written;
  }

  MLIRContext context;
  /// Programs that accept some calls and refuse others, and those in error.
  int numGuarded = 0, numRefuted = 0;
};

TEST_P(GuardProperty, rt2_guardsRejectExactlyWhatConstraintsRefuse) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000 && !HasFailure(); ++i)
    check(makeProgram(random));
  EXPECT_GT(numGuarded, 100);
  EXPECT_GT(numRefuted, 10);
}

INSTANTIATE_TEST_SUITE_P(Ranked, GuardProperty, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Unranked, GuardProperty, ::testing::Values(true));

} // namespace

//===- ProgramWriter.cpp - shape functions for run time -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ProgramWriter.h"

#include "dialect/LoomShapeOps.h"
#include "infer/functions/OperandGroups.h"
#include "infer/functions/ProgramCodes.h"
#include "infer/functions/ProgramWords.h"
#include "infer/numbers/IntegerArithmetic.h"
#include "shape/FunctionMessages.h"
#include "shape/FunctionProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

using Code = FunctionCode;

namespace {

class ProgramWriter : ProgramWords {
public:
  using ProgramWords::ProgramWords;

  std::optional<ProgramText> write(const ShapeFunction &function,
                                   const ProgramInputs &inputs) {
    std::optional<SmallVector<size_t>> groups =
        getOperandGroups(function, request);
    if (!groups)
      return std::nullopt;
    made.code.assign(kProgramHeader, 0);
    shape::FuncOp op = function.op;
    Block &body = op.getBody().front();
    std::vector<int64_t> main;
    // The operands, as the function's parameters.
    size_t next = 0;
    for (auto [parameter, size, isList] :
         llvm::zip(body.getArguments(), *groups, function.isList)) {
      if (!isList) {
        writeOperand(main, request.operands[next], inputs.operands[next],
                     getSlot(parameter));
        ++next;
        continue;
      }
      SmallVector<int64_t> members;
      for (size_t i = 0; i < size; ++i, ++next) {
        members.push_back(makeSlot());
        writeOperand(main, request.operands[next], inputs.operands[next],
                     members.back());
      }
      append(main, Code::MakeOperands, members, {getSlot(parameter)});
    }
    // Copies the returned values to the results.
    SmallVector<int64_t> given;
    for (size_t i = 0; i < function.resultOf.size(); ++i)
      given.push_back(makeSlot());
    SmallVector<int64_t> parameters = getSlots(body.getArguments());
    int64_t block = writeBlock(body);
    SmallVector<int64_t> immediates = {block};
    llvm::append_range(immediates, parameters);
    append(main, Code::Call, parameters, given, immediates);
    for (auto [slot, result, type] :
         llvm::zip(given, function.resultOf, op.getResultTypes()))
      if (isa<shape::ShapeType, shape::ValueShapeType>(type)) {
        bool isGiven = result < inputs.results.size();
        SmallVector<int64_t> numbers = {result,
                                        isGiven ? inputs.results[result] : -1};
        if (options.isAddition)
          numbers.push_back(1);
        append(main, Code::Result, {slot}, {}, numbers);
      }
    append(main, Code::Yield, {}, {});
    made.code[0] = numSlots;
    made.code[1] = made.code.size();
    llvm::append_range(made.code, main);
    return std::move(made);
  }

private:
  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  /// Returns the position at which the block begins.
  int64_t writeBlock(Block &block) {
    std::vector<int64_t> words;
    for (Operation &op : block) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        append(words, Code::Yield, getSlots(op.getOperands()), {});
      else
        writeOperation(words, &op);
    }
    auto begin = static_cast<int64_t>(made.code.size());
    llvm::append_range(made.code, words);
    return begin;
  }

  int64_t writeRegion(Region &region) {
    return region.empty() ? -1 : writeBlock(region.front());
  }

  int64_t writeFunction(shape::FuncOp function) {
    if (auto it = functions.find(function); it != functions.end())
      return it->second;
    int64_t begin = writeBlock(function.getBody().front());
    return functions[function] = begin;
  }

  void writeLoop(std::vector<int64_t> &words, Operation *op, Code code,
                 Block &body) {
    SmallVector<int64_t> immediates = {writeBlock(body)};
    llvm::append_range(immediates, getSlots(body.getArguments()));
    append(words, code, getSlots(op->getOperands()), getSlots(op->getResults()),
           immediates);
  }

  void writeCall(std::vector<int64_t> &words, loom::ApplyOp op) {
    shape::FuncOp callee = library.getCallee(op);
    SmallVector<int64_t> immediates = {writeFunction(callee)};
    llvm::append_range(immediates,
                       getSlots(callee.getBody().front().getArguments()));
    append(words, Code::Call, getSlots(op.getArguments()),
           getSlots(op.getResults()), immediates);
  }

  /// Marks operations on conditions as logic.
  void writePlain(std::vector<int64_t> &words, Operation *op, int64_t code) {
    bool isLogic =
        op->getNumOperands() == 2 && op->getOperand(0).getType().isInteger(1);
    bool hasLogic = llvm::is_contained(
        {Code::And, Code::Or, Code::Xor, Code::Equal, Code::NotEqual},
        static_cast<Code>(code % kUnsignedCode));
    if (isLogic && !hasLogic)
      return writeUnknown(words, op->getResult(0));
    SmallVector<int64_t> immediates;
    if (isLogic)
      immediates.push_back(1);
    append(words, code, getSlots(op->getOperands()), getSlots(op->getResults()),
           immediates);
  }

  void writeOperation(std::vector<int64_t> &words, Operation *op) {
    auto operands = [&] { return getSlots(op->getOperands()); };
    auto results = [&] { return getSlots(op->getResults()); };
    llvm::TypeSwitch<Operation *>(op)
        .Case<loom::AttributeOp, loom::AttributeIsOp, loom::RegionYieldsOp,
              loom::TypeOp, arith::ConstantOp, index::ConstantOp,
              index::BoolConstantOp, shape::ConstShapeOp, shape::ConstSizeOp,
              shape::ConstWitnessOp>([&](auto it) { writeStatic(words, it); })
        .Case([&](loom::ApplyOp it) { writeCall(words, it); })
        .Case([&](arith::CmpIOp it) {
          writePlain(words, it, getComparisonCode(it.getPredicate()));
        })
        .Case([&](index::CmpOp it) {
          writePlain(words, it, getComparisonCode(getPredicate(it)));
        })
        .Case([&](loom::ExtentsOp it) {
          append(words, Code::Extents, operands(), results(),
                 {getText(it.getMessage())});
        })
        .Case([&](loom::ConstraintOp it) {
          append(words, Code::Constrain, operands(), {},
                 {getText(it.getMessage())});
        })
        .Case([&](shape::CstrRequireOp it) {
          append(words, Code::Constrain, operands(), {},
                 {getText(StringRef(escapeTemplate(it.getMsg().str())))});
          append(words, Code::Copy, operands(), results());
        })
        .Case([&](shape::CstrEqOp it) {
          std::string text = describeUnequalShapes(it->getNumOperands());
          append(words, Code::Same, operands(), results(),
                 {getText(StringRef(text))});
        })
        .Case([&](shape::IsBroadcastableOp) {
          append(words, Code::Broadcasts, operands(), results(), {kNoText, 0});
        })
        .Case([&](shape::CstrBroadcastableOp) {
          append(words, Code::Broadcasts, operands(), results(), {kNoText});
        })
        .Case([&](shape::BroadcastOp it) {
          append(words, Code::Broadcast, operands(), results(),
                 {getTextIfAny(it.getError())});
        })
        .Case([&](shape::MeetOp it) {
          std::optional<std::string> text;
          if (it.getError())
            text = escapeTemplate(it.getError()->str());
          append(words, Code::Meet, operands(), results(),
                 {text ? getText(StringRef(*text)) : kNoText});
        })
        .Case([&](tensor::FromElementsOp it) {
          append(words,
                 loom::isOperandList(it.getType()) ? Code::MakeOperands
                                                   : Code::MakeList,
                 operands(), results());
        })
        .Case([&](loom::DataExtentOp) {
          made.hasData = true;
          append(words, Code::DataExtent, operands(), results());
        })
        .Case([&](loom::DataOp it) {
          made.hasData = true;
          writeUnknown(words, it.getValue());
        })
        .Case([&](scf::IfOp it) {
          SmallVector<int64_t> blocks = {writeRegion(it.getThenRegion()),
                                         writeRegion(it.getElseRegion())};
          append(words, Code::If, operands(), results(), blocks);
        })
        .Case([&](scf::ForOp it) {
          writeLoop(words, it, Code::For, *it.getBody());
        })
        .Case([&](shape::ReduceOp it) {
          writeLoop(words, it, Code::Reduce, it.getRegion().front());
        })
        .Case([&](shape::AssumingOp it) {
          int64_t block = writeRegion(it.getDoRegion());
          append(words, Code::Call, {}, results(), {block});
        })
        .Default([&](Operation *it) {
          // `shape.any` without operands is unknown.
          bool hasNothing = isa<shape::AnyOp>(it) && it->getNumOperands() == 0;
          if (auto code = getPlainCode(it); code && !hasNothing)
            return writePlain(words, it, *code);
          for (Value result : it->getResults())
            writeUnknown(words, result);
        });
  }

  llvm::DenseMap<Operation *, int64_t> functions;
};

} // namespace

static const ShapeFunction *findFunction(const ShapeLibrary &library,
                                         StringRef operation,
                                         const EvaluationOptions &options) {
  const ShapeFunction *function = options.isAddition
                                      ? library.lookupAddition(operation)
                                      : library.lookupOrDerive(operation);
  return function && function->op ? function : nullptr;
}

std::optional<ProgramText>
infer::writeProgram(const ShapeLibrary &library, const Request &request,
                    const ProgramInputs &inputs,
                    const EvaluationOptions &options) {
  const ShapeFunction *function =
      findFunction(library, request.operation, options);
  if (!function)
    return std::nullopt;
  return ProgramWriter(library, request, options).write(*function, inputs);
}

bool infer::readsElements(const ShapeLibrary &library, const Request &request,
                          const EvaluationOptions &options) {
  const ShapeFunction *function =
      findFunction(library, request.operation, options);
  if (!function)
    return false;
  llvm::SmallSetVector<Operation *, 8> reached;
  reached.insert(function->op);
  bool reads = false;
  for (size_t i = 0; i < reached.size(); ++i)
    reached[i]->walk([&](Operation *op) {
      reads |= isa<shape::ValueAsShapeOp>(op);
      if (shape::FuncOp callee = library.getCallee(op))
        reached.insert(callee);
    });
  return reads;
}

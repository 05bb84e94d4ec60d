//===- ProgramWriter.cpp - shape functions for run time -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ProgramWriter.h"

#include "dialect/LoomShapeOps.h"
#include "infer/functions/Evaluator.h"
#include "infer/functions/OperandGroups.h"
#include "shape/FunctionProgram.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

using Code = FunctionCode;

/// What operations without regions and attributes of their own become. The
/// names of `arith` and `index` differ in the endings.
static std::optional<int64_t> getPlainCode(StringRef name) {
  static const llvm::StringMap<Code> codes = {
      {"shape.shape_of", Code::ShapeOf},
      {"shape.value_as_shape", Code::ElementsOf},
      {"loom.element_type", Code::TypeOf},
      {"loom.encoding", Code::EncodingOf},
      {"loom.is_scalar", Code::IsScalar},
      {"shape.with_shape", Code::WithShape},
      {"loom.dim", Code::Dim},
      {"add", Code::Add},
      {"sub", Code::Sub},
      {"mul", Code::Mul},
      {"div", Code::Div},
      {"shape.div", Code::FloorDiv},
      {"ceildiv", Code::CeilDiv},
      {"floordiv", Code::FloorDiv},
      {"rem", Code::Rem},
      {"max", Code::Max},
      {"min", Code::Min},
      {"shl", Code::ShiftLeft},
      {"shr", Code::ShiftRight},
      {"and", Code::And},
      {"or", Code::Or},
      {"xor", Code::Xor},
      {"arith.select", Code::Select},
      {"arith.index_cast", Code::Copy},
      {"tensor.cast", Code::Copy},
      {"shape.index_to_size", Code::Copy},
      {"shape.size_to_index", Code::Copy},
      {"shape.to_extent_tensor", Code::Copy},
      {"shape.from_extent_tensor", Code::Copy},
      {"shape.assuming_all", Code::All},
      {"shape.rank", Code::Rank},
      {"shape.num_elements", Code::Count},
      {"shape.get_extent", Code::Extent},
      {"shape.from_extents", Code::MakeList},
      {"shape.concat", Code::Concat},
      {"shape.split_at", Code::Split},
      {"shape.shape_eq", Code::Same},
      {"loom.same_type", Code::Same},
      {"loom.same_encoding", Code::Same},
      {"shape.any", Code::Any},
      {"tensor.dim", Code::Length},
      {"tensor.extract", Code::Element},
  };
  auto find = [&](StringRef key) -> std::optional<int64_t> {
    auto it = codes.find(key);
    return it == codes.end() ? std::nullopt
                             : std::optional(static_cast<int64_t>(it->second));
  };
  if (auto code = find(name))
    return code;
  auto [dialect, plain] = name.split('.');
  if (dialect != "arith" && dialect != "index" && dialect != "shape")
    return std::nullopt;
  // `addi`, `divsi`, `ceildivui` and `divs`, `ceildivu`: those without a sign
  // come first, so that `divs` is no other operation than `div`.
  if (dialect == "arith")
    plain.consume_back("i");
  if (auto code = find(plain))
    return code;
  bool isUnsigned = plain.ends_with("u");
  if (!isUnsigned && !plain.ends_with("s"))
    return std::nullopt;
  std::optional<int64_t> code = find(plain.drop_back());
  // A shift to the right takes no notice of signs here.
  if (code && isUnsigned && *code != static_cast<int64_t>(Code::ShiftRight))
    *code += kUnsignedCode;
  return code;
}

namespace {

class ProgramWriter {
public:
  ProgramWriter(const ShapeLibrary &library, const Request &request,
                const EvaluationOptions &options)
      : library(library), request(request), options(options), numbers(symbols) {
  }

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
        members.push_back(numSlots++);
        writeOperand(main, request.operands[next], inputs.operands[next],
                     members.back());
      }
      append(main, Code::MakeOperands, members, {getSlot(parameter)});
    }
    // What it gives goes to the results.
    SmallVector<int64_t> given;
    for (size_t i = 0; i < function.resultOf.size(); ++i)
      given.push_back(numSlots++);
    SmallVector<int64_t> parameters = getSlots(body.getArguments());
    int64_t block = writeBlock(body);
    SmallVector<int64_t> immediates = {block};
    llvm::append_range(immediates, parameters);
    append(main, Code::Call, parameters, given, immediates);
    for (auto [slot, result, type] :
         llvm::zip(given, function.resultOf, op.getResultTypes()))
      if (isa<shape::ShapeType, shape::ValueShapeType>(type))
        append(main, Code::Result, {slot}, {},
               {result,
                result < inputs.results.size() ? inputs.results[result] : -1});
    append(main, Code::Yield, {}, {});
    made.code[0] = numSlots;
    made.code[1] = made.code.size();
    llvm::append_range(made.code, main);
    return std::move(made);
  }

private:
  //===--------------------------------------------------------------------===//
  // Words
  //===--------------------------------------------------------------------===//

  void append(std::vector<int64_t> &words, int64_t code,
              ArrayRef<int64_t> operands, ArrayRef<int64_t> results,
              ArrayRef<int64_t> immediates = {}) {
    words.push_back(code);
    words.push_back(4 + operands.size() + results.size() + immediates.size());
    words.push_back(operands.size());
    llvm::append_range(words, operands);
    words.push_back(results.size());
    llvm::append_range(words, results);
    llvm::append_range(words, immediates);
  }
  void append(std::vector<int64_t> &words, Code code,
              ArrayRef<int64_t> operands, ArrayRef<int64_t> results,
              ArrayRef<int64_t> immediates = {}) {
    append(words, static_cast<int64_t>(code), operands, results, immediates);
  }

  int64_t getSlot(Value value) {
    auto [it, isNew] = slots.try_emplace(value, numSlots);
    numSlots += isNew;
    return it->second;
  }
  SmallVector<int64_t> getSlots(ValueRange values) {
    SmallVector<int64_t> all;
    for (Value value : values)
      all.push_back(getSlot(value));
    return all;
  }

  int64_t getText(StringRef text) {
    auto [it, isNew] = textOf.try_emplace(text, made.texts.size());
    if (isNew)
      made.texts.push_back(text.str());
    return it->second;
  }
  template <typename T> int64_t getTextOf(T what) {
    if (!what)
      return -1;
    std::string text;
    llvm::raw_string_ostream stream(text);
    if constexpr (std::is_same_v<T, Attribute>)
      if (isa<UnitAttr>(what))
        return getText("none");
    stream << what;
    return getText(text);
  }

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  void writeOperand(std::vector<int64_t> &words, const Operand &operand,
                    int64_t input, int64_t slot) {
    SmallVector<int64_t> immediates = {input, getTextOf(operand.elementType),
                                       getTextOf(operand.encoding),
                                       operand.isScalar()};
    immediates.push_back(operand.shape.isRanked());
    if (operand.shape.isRanked()) {
      immediates.push_back(operand.shape.rank());
      for (Extent extent : operand.shape)
        immediates.push_back(extent.isFixed() ? extent.value() : -1);
    }
    std::optional<SmallVector<int64_t>> elements = getConstant(operand);
    immediates.push_back(elements.has_value());
    if (elements) {
      immediates.push_back(elements->size());
      llvm::append_range(immediates, *elements);
    }
    append(words, Code::Operand, {}, {slot}, immediates);
  }

  /// The elements of a constant, or of what is known as numbers.
  std::optional<SmallVector<int64_t>> getConstant(const Operand &operand) {
    SmallVector<int64_t> elements;
    if (operand.value) {
      for (const Integer &integer : *operand.value) {
        if (!integer.getNumber())
          return std::nullopt;
        elements.push_back(*integer.getNumber());
      }
      return elements;
    }
    Outcome ignored;
    Evaluator evaluator(&library, request, options, numbers, ignored);
    std::optional<ShapeDatum> list = evaluator.readIntegers(operand.constant);
    if (!list)
      return std::nullopt;
    for (const Number &number : list->extents)
      elements.push_back(number.constant);
    return elements;
  }

  static FunctionCode getConstantCode(Type type) {
    return type.isInteger(1) || isa<shape::WitnessType>(type) ? Code::Condition
                                                              : Code::Number;
  }

  void writeUnknown(std::vector<int64_t> &words, Value value) {
    Type type = value.getType();
    int64_t kind = isa<shape::ValueShapeType>(type)                       ? 2
                   : loom::isOperandList(type)                            ? 3
                   : isa<loom::ElementTypeType, loom::EncodingType>(type) ? 4
                   : isa<shape::ShapeType, RankedTensorType>(type)        ? 1
                                                                          : 0;
    append(words, Code::Unknown, {}, {getSlot(value)}, {kind});
  }

  void writeDatum(std::vector<int64_t> &words, Value value,
                  const Datum &datum) {
    int64_t slot = getSlot(value);
    if (auto *number = std::get_if<Number>(&datum);
        number && number->isConstant())
      return append(words, Code::Number, {}, {slot}, {number->constant});
    if (auto *statement = std::get_if<Statement>(&datum);
        statement && (statement->condition == Numbers::kTrue ||
                      statement->condition == Numbers::kFalse))
      return append(words, Code::Condition, {}, {slot},
                    {statement->condition == Numbers::kTrue});
    if (auto *type = std::get_if<Type>(&datum))
      return append(words, Code::Text, {}, {slot}, {getTextOf(*type)});
    if (auto *encoding = std::get_if<Attribute>(&datum))
      return append(words, Code::Text, {}, {slot}, {getTextOf(*encoding)});
    if (auto *shape = std::get_if<std::shared_ptr<const ShapeDatum>>(&datum);
        shape && (*shape)->isRanked) {
      SmallVector<int64_t> list;
      for (const Number &number : (*shape)->extents)
        list.push_back(number.constant);
      if (llvm::all_of((*shape)->extents,
                       [](const Number &n) { return n.isConstant(); }))
        return append(words, Code::List, {}, {slot}, list);
    }
    if (auto *operand =
            std::get_if<std::shared_ptr<const OperandDatum>>(&datum))
      return writeDatum(words, **operand, slot);
    if (auto *list = std::get_if<std::shared_ptr<const ListDatum>>(&datum);
        list && (*list)->isKnown) {
      SmallVector<int64_t> members;
      for (const OperandDatum &operand : (*list)->operands) {
        members.push_back(numSlots++);
        writeDatum(words, operand, members.back());
      }
      return append(words, Code::MakeOperands, members, {slot});
    }
    writeUnknown(words, value);
  }

  void writeDatum(std::vector<int64_t> &words, const OperandDatum &datum,
                  int64_t slot) {
    Operand operand;
    operand.elementType = datum.elementType;
    operand.encoding = datum.encoding;
    operand.constant = datum.constant;
    if (datum.isScalar)
      operand.type = datum.elementType;
    if (datum.shape.isRanked) {
      operand.shape = Shape();
      for (const Number &extent : datum.shape.extents)
        operand.shape.push_back(
            extent.isConstant() ? Extent::fixed(extent.constant) : Extent());
    }
    writeOperand(words, operand, -1, slot);
  }

  /// What depends on the operation's attributes, types and regions alone.
  void writeStatic(std::vector<int64_t> &words, Operation *op) {
    Outcome outcome;
    Evaluator evaluator(&library, request, options, numbers, outcome);
    if (!evaluator.evaluateAlone(op)) {
      std::string text = outcome.error ? outcome.error->message
                         : outcome.constraints.empty()
                             ? std::string("it has no answer")
                             : outcome.constraints.front().message;
      return append(words, Code::Fail, {}, {}, {getText(text)});
    }
    for (Value result : op->getResults())
      if (const Datum *datum = evaluator.find(result))
        writeDatum(words, result, *datum);
      else
        writeUnknown(words, result);
  }

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  /// Where the block begins.
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

  void writeComparison(std::vector<int64_t> &words, Operation *op,
                       StringRef predicate) {
    int64_t code =
        static_cast<int64_t>(llvm::StringSwitch<Code>(predicate)
                                 .Case("eq", Code::Equal)
                                 .Case("ne", Code::NotEqual)
                                 .Cases({"slt", "ult"}, Code::Less)
                                 .Cases({"sle", "ule"}, Code::AtMost)
                                 .Cases({"sgt", "ugt"}, Code::Greater)
                                 .Default(Code::AtLeast));
    if (predicate.starts_with("u"))
      code += kUnsignedCode;
    writePlain(words, op, code);
  }

  /// On conditions, logic is marked as such.
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

  int64_t getTextIfAny(std::optional<StringRef> text) {
    return text ? getText(*text) : kNoText;
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
          writeComparison(words, it,
                          arith::stringifyCmpIPredicate(it.getPredicate()));
        })
        .Case([&](index::CmpOp it) {
          writeComparison(words, it,
                          index::stringifyIndexCmpPredicate(it.getPred()));
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
          std::string text = "shapes ";
          size_t count = it->getNumOperands();
          for (size_t i = 0; i < count; ++i)
            text += (i == 0           ? ""
                     : i + 1 == count ? " and "
                                      : ", ") +
                    ("{" + std::to_string(i) + "}");
          append(words, Code::Same, operands(), results(),
                 {getText(StringRef(text + " must be equal"))});
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
          if (auto code = getPlainCode(it->getName().getStringRef()))
            return writePlain(words, it, *code);
          for (Value result : it->getResults())
            writeUnknown(words, result);
        });
  }

  const ShapeLibrary &library;
  const Request &request;
  const EvaluationOptions &options;
  Symbols symbols;
  Numbers numbers;
  ProgramText made;
  llvm::DenseMap<Value, int64_t> slots;
  llvm::DenseMap<Operation *, int64_t> functions;
  llvm::StringMap<int64_t> textOf;
  int64_t numSlots = 0;
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

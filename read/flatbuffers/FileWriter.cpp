//===- FileWriter.cpp - tables of a TOSA file that is written -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/FileWriter.h"
#include "read/flatbuffers/WriteFile.h"
#include "runtime/memory/Space.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace broadloom::read;

std::string FileWriter::getName(Value value) {
  std::string &name = names[value];
  if (name.empty())
    name = (isa<BlockArgument>(value) ? "input_" : "value_") +
           std::to_string(numNames++);
  return name;
}

FileWriter::Names FileWriter::getNames(ValueRange values) {
  Names written;
  for (Value value : values)
    written.push_back(builder.CreateString(getName(value)));
  return written;
}

std::string FileWriter::nameRegion(Operation *op, unsigned index) {
  bool isLoop = isa<tosa::WhileOp>(op);
  const char *kinds[2][2] = {{"then_", "else_"}, {"cond_", "body_"}};
  return kinds[isLoop][index] + std::to_string(numNames++);
}

FileWriter::Offset FileWriter::writeTensor(StringRef name, Type type,
                                           DType element,
                                           const std::vector<uint8_t> &data,
                                           StringRef variable) {
  auto text = builder.CreateString(name.str());
  flatbuffers::Offset<Text> variableName;
  if (!variable.empty())
    variableName = builder.CreateString(variable.str());
  auto ranked = dyn_cast<RankedTensorType>(type);
  std::vector<int32_t> extents;
  if (ranked)
    for (int64_t extent : ranked.getShape())
      extents.push_back(ShapedType::isDynamic(extent) ? -1 : int32_t(extent));
  auto shape = builder.CreateVector(extents);
  flatbuffers::Offset<Bytes> bytes;
  if (!data.empty()) {
    builder.ForceVectorAlignment(data.size(), 1, 8);
    bytes = builder.CreateVector(data);
  }
  auto start = builder.StartTable();
  builder.AddOffset(slot(0), text);
  builder.AddOffset(slot(1), shape);
  builder.AddElement<uint32_t>(slot(2), uint32_t(element), 0);
  if (!data.empty())
    builder.AddOffset(slot(3), bytes);
  builder.AddElement<uint8_t>(slot(4), !variable.empty(), 0);
  builder.AddElement<uint8_t>(slot(5), !ranked, 0);
  if (!variable.empty())
    builder.AddOffset(slot(6), variableName);
  return Offset(builder.EndTable(start));
}

/// Whether a file can have a tensor of `type`, of elements `element`.
static LogicalResult checkType(Location loc, Type type, DType element) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor || element == DType::Unknown)
    return emitError(loc) << "has a value of type " << type
                          << ", which a TOSA file has not";
  if (!tensor.hasRank())
    return success();
  if (tensor.getRank() > kMaxAxes)
    return emitError(loc) << "has a value of type " << type << ", which has "
                          << tensor.getRank()
                          << " axes; a TOSA file has at most " << kMaxAxes;
  for (int64_t extent : tensor.getShape())
    if (!ShapedType::isDynamic(extent) && !llvm::isInt<32>(extent))
      return emitError(loc) << "has the extent " << extent
                            << ", which does not fit the 32 bits of a TOSA "
                               "file";
  return success();
}

FailureOr<std::vector<uint8_t>>
FileWriter::getData(Location loc, Attribute value, StringRef ifMissing) {
  // A constant of one value takes little memory and has any size.
  if (auto elements = dyn_cast<ElementsAttr>(value)) {
    ArrayRef<int64_t> shape = elements.getShapedType().getShape();
    int64_t bytes =
        countBytes(shape.data(), int64_t(shape.size()),
                   std::max(getBits(elements.getElementType()) / 8, 1u));
    if (bytes < 0 || bytes > kMaxBytes - numBytes)
      return emitError(loc) << "has a constant of type "
                            << elements.getShapedType() << ", with which the "
                            << "constants take more than the " << kMaxBytes
                            << " bytes of a TOSA file";
    numBytes += bytes;
  }
  std::optional<std::vector<uint8_t>> data = writeConstant(value);
  if (!data)
    return emitError(loc) << ifMissing;
  return std::move(*data);
}

LogicalResult FileWriter::addValue(Value value, Lists &lists, Attribute data) {
  Type type = value.getType();
  auto shape = dyn_cast<tosa::shapeType>(type);
  auto tensor = dyn_cast<TensorType>(type);
  DType element = tensor ? getDType(tensor.getElementType()) : DType::Unknown;
  if (!shape && failed(checkType(value.getLoc(), type, element)))
    return failure();
  std::vector<uint8_t> bytes;
  if (data) {
    FailureOr<std::vector<uint8_t>> written =
        getData(value.getLoc(), data,
                "has a constant whose value is not in the program");
    if (failed(written))
      return failure();
    bytes = std::move(*written);
  }
  if (!shape) {
    lists.tensors.push_back(writeTensor(getName(value), type, element, bytes));
    return success();
  }
  auto name = builder.CreateString(getName(value));
  flatbuffers::Offset<Bytes> vector;
  if (!bytes.empty()) {
    builder.ForceVectorAlignment(bytes.size(), 1, 8);
    vector = builder.CreateVector(bytes);
  }
  auto start = builder.StartTable();
  builder.AddOffset(slot(0), name);
  builder.AddElement<uint32_t>(slot(1), shape.getRank(), 0);
  if (!bytes.empty())
    builder.AddOffset(slot(2), vector);
  lists.shapes.push_back(Offset(builder.EndTable(start)));
  return success();
}

FailureOr<std::string> FileWriter::addVariable(Operation *user, StringAttr name,
                                               Lists &lists) {
  auto variable = dyn_cast_or_null<tosa::VariableOp>(
      SymbolTable::lookupSymbolIn(module, name));
  if (!variable)
    return user->emitOpError("names the variable '")
           << name.getValue() << "', which is not there";
  std::string text = ("variable_" + name.getValue()).str();
  if (!lists.variables.try_emplace(name, true).second)
    return text;
  DType element = getDType(variable.getType());
  RankedTensorType type = tosa::getVariableType(variable);
  if (failed(checkType(variable.getLoc(), type, element)))
    return failure();
  std::vector<uint8_t> data;
  if (std::optional<Attribute> initial = variable.getInitialValue()) {
    FailureOr<std::vector<uint8_t>> written =
        getData(variable.getLoc(), *initial,
                "has a first value that is not in the program");
    if (failed(written))
      return failure();
    data = std::move(*written);
  }
  lists.tensors.push_back(
      writeTensor(text, type, element, data, name.getValue()));
  return text;
}

LogicalResult FileWriter::writeOperator(Operation *op, Lists &lists) {
  // A tensor that is a constant of another dialect is written as a constant.
  StringRef kind = op->getName().getStringRef();
  bool isConstant =
      kind == "tosa.const" ||
      (kind == "arith.constant" && isa<TensorType>(op->getResult(0).getType()));
  if (isConstant)
    kind = "tosa.const";
  auto forms = getOperationForms();
  const auto *form = llvm::find_if(forms, [&](const OperationForm &form) {
    return form.name && kind == ("tosa." + StringRef(form.name)).str();
  });
  if (form == forms.end())
    return op->emitOpError("is no operation that a TOSA file has");
  uint32_t number = form - forms.begin();
  isNewer |= kind.ends_with("_shape") && kind != "tosa.const_shape";
  isNewer |= kind.contains("block_scaled") || kind == "tosa.dim";

  Attribute data =
      isConstant ? op->getAttr(kind == op->getName().getStringRef() ? "values"
                                                                    : "value")
      : kind == "tosa.const_shape" ? op->getAttr("values")
                                   : Attribute();
  for (Value result : op->getResults())
    if (failed(addValue(result, lists, data)))
      return failure();
  SmallVector<std::string> graphs;
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    graphs.push_back(nameRegion(op, i));
  Names inputs = getNames(op->getOperands());
  Names outputs = getNames(op->getResults());
  if (auto name = op->getAttrOfType<StringAttr>("name");
      name && isa<tosa::VariableReadOp, tosa::VariableWriteOp>(op)) {
    FailureOr<std::string> variable = addVariable(op, name, lists);
    if (failed(variable))
      return failure();
    Names &list = isa<tosa::VariableReadOp>(op) ? inputs : outputs;
    list.push_back(builder.CreateString(*variable));
  }
  FailureOr<Offset> attribute = writeAttribute(op, *form, graphs);
  if (failed(attribute))
    return failure();
  auto inputList = builder.CreateVector(inputs);
  auto outputList = builder.CreateVector(outputs);
  auto start = builder.StartTable();
  builder.AddElement<uint32_t>(slot(0), number, 0);
  builder.AddElement<uint8_t>(slot(1), number, 0);
  builder.AddOffset(slot(2), *attribute);
  builder.AddOffset(slot(3), inputList);
  builder.AddOffset(slot(4), outputList);
  lists.operators.push_back(Offset(builder.EndTable(start)));
  for (auto [region, name] : llvm::zip(op->getRegions(), graphs))
    if (failed(writeRegion(region, name)))
      return failure();
  return success();
}

LogicalResult FileWriter::writeRegion(Region &region, StringRef name) {
  // The outer region comes first in the list.
  size_t number = regions.size();
  regions.emplace_back();
  Block &block = region.front();
  Lists lists;
  for (Value argument : block.getArguments())
    if (failed(addValue(argument, lists)))
      return failure();
  for (Operation &op : block.without_terminator())
    if (failed(writeOperator(&op, lists)))
      return failure();
  auto text = builder.CreateString(name.str());
  auto operators = builder.CreateVector(lists.operators);
  auto tensors = builder.CreateVector(lists.tensors);
  auto shapes = builder.CreateVector(lists.shapes);
  auto inputs = builder.CreateVector(getNames(block.getArguments()));
  auto outputs =
      builder.CreateVector(getNames(block.getTerminator()->getOperands()));
  auto start = builder.StartTable();
  builder.AddOffset(slot(0), text);
  builder.AddOffset(slot(1), operators);
  builder.AddOffset(slot(2), tensors);
  builder.AddOffset(slot(3), inputs);
  builder.AddOffset(slot(4), outputs);
  builder.AddOffset(slot(5), shapes);
  Offset written(builder.EndTable(start));
  auto blocks = builder.CreateVector(&written, 1);
  start = builder.StartTable();
  builder.AddOffset(slot(0), text);
  builder.AddOffset(slot(1), blocks);
  regions[number] = Offset(builder.EndTable(start));
  return success();
}

LogicalResult FileWriter::write(ModuleOp program, Operation *function) {
  module = program;
  Region &body = function->getRegion(0);
  if (!llvm::hasSingleElement(body))
    return function->emitOpError("has more than one block");
  return writeRegion(body, "main");
}

std::string FileWriter::finish() {
  auto all = builder.CreateVector(regions);
  auto start = builder.StartTable();
  builder.AddElement<int32_t>(slot(0), 1, -1);
  builder.AddElement<int32_t>(slot(1), isNewer ? 1 : 0, -1);
  builder.AddElement<int32_t>(slot(2), 0, -1);
  builder.AddElement<uint8_t>(slot(3), isNewer, 1);
  Offset version(builder.EndTable(start));
  start = builder.StartTable();
  builder.AddOffset(slot(0), version);
  builder.AddOffset(slot(1), all);
  builder.Finish(Offset(builder.EndTable(start)), kIdentifier);
  return std::string(reinterpret_cast<const char *>(builder.GetBufferPointer()),
                     builder.GetSize());
}

LogicalResult broadloom::read::writeTosaFile(ModuleOp module,
                                             std::string &output) {
  SmallVector<func::FuncOp> functions;
  for (Operation &op : *module.getBody()) {
    if (auto function = dyn_cast<func::FuncOp>(op))
      functions.push_back(function);
    else if (!isa<tosa::VariableOp>(op))
      return op.emitOpError("is no operation that a TOSA file has");
  }
  if (functions.size() != 1 || functions.front().isExternal())
    return emitError(module.getLoc())
           << "has " << functions.size()
           << " functions, and a TOSA file holds one, with its body";
  closeRegions(module);
  FileWriter writer;
  if (failed(writer.write(module, functions.front())))
    return failure();
  output = writer.finish();
  return success();
}

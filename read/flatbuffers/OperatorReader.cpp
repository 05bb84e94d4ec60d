//===- OperatorReader.cpp - the operators of a TOSA file ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/GraphReader.h"
#include "read/versions/OldText.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom::read;
using llvm::Expected;

/// Operators that need more than their OperationForm.
static constexpr StringRef kConst = "const", kConstShape = "const_shape",
                           kIf = "cond_if", kLoop = "while_loop",
                           kVariable = "variable", kRead = "variable_read",
                           kWrite = "variable_write";

static StringRef getFirst(const List<Text> *names) {
  return names && names->size() != 0 ? toRef(names->Get(0)) : StringRef();
}

Expected<Attribute> GraphReader::readCharged(const TensorTable &tensor,
                                             RankedTensorType type) {
  Expected<ArrayRef<uint8_t>> data = findData(tensor, file.contents);
  if (!data)
    return data.takeError();
  if (llvm::Error error = charge(data->size()))
    return std::move(error);
  return readConstant(tensor, type, file);
}

llvm::Error GraphReader::readConst(Scope &scope, const OperatorTable &op,
                                   OperationState &state) {
  const TensorTable *tensor = scope.tensors.lookup(getFirst(op.outputs()));
  auto type = state.types.size() == 1
                  ? dyn_cast<RankedTensorType>(state.types.front())
                  : RankedTensorType();
  if (!tensor || !type)
    return makeError("needs one result, a tensor with a rank");
  Expected<Attribute> value = readCharged(*tensor, type);
  if (!value)
    return makeError("tensor '", toRef(tensor->name()), "' ",
                     llvm::toString(value.takeError()));
  state.addAttribute("values", *value);
  return llvm::Error::success();
}

llvm::Error GraphReader::readConstShape(Scope &scope, const OperatorTable &op,
                                        OperationState &state) {
  const ShapeTable *shape = scope.shapes.lookup(getFirst(op.outputs()));
  if (!shape || state.types.size() != 1)
    return makeError("needs one result, a shape");
  if (llvm::Error error = charge(shape->data() ? shape->data()->size() : 0))
    return error;
  Expected<SmallVector<int64_t>> numbers = readShape(*shape);
  if (!numbers)
    return makeError("shape '", toRef(shape->name()), "' ",
                     llvm::toString(numbers.takeError()));
  state.addAttribute("values", scope.builder.getIndexTensorAttr(*numbers));
  return llvm::Error::success();
}

llvm::Error GraphReader::readVariable(Scope &scope, const OperatorTable &op,
                                      bool isRead, OperationState &state) {
  // The variable is the input of a read, and the first input or the output of a
  // write.
  const TensorTable *variable = nullptr;
  StringRef value;
  for (const List<Text> *names : {op.inputs(), op.outputs()})
    for (unsigned i = 0; names && i < names->size(); ++i) {
      const TensorTable *tensor = scope.tensors.lookup(toRef(names->Get(i)));
      if (tensor && tensor->isVariable())
        variable = tensor;
      else
        value = toRef(names->Get(i));
    }
  if (!variable)
    return makeError("names no variable");
  state.addAttribute(
      "name", scope.builder.getStringAttr(toRef(variable->variableName())));
  if (isRead)
    return llvm::Error::success();
  state.types.clear();
  Value written = scope.values.lookup(value);
  if (!written)
    return makeError("uses '", value, "', which nothing computes");
  state.addOperands(written);
  return llvm::Error::success();
}

llvm::Error GraphReader::declareVariables(const GraphTable &graph) {
  llvm::StringSet<> declared;
  const BlockTable &block = *graph.regions()->Get(0)->blocks()->Get(0);
  for (unsigned i = 0; block.tensors() && i < block.tensors()->size(); ++i) {
    const TensorTable &tensor = *block.tensors()->Get(i);
    StringRef name = toRef(tensor.variableName());
    if (!tensor.isVariable() || !declared.insert(name).second)
      continue;
    Expected<TensorType> type = readType(tensor, context);
    if (!type)
      return makeError("variable '", name, "' ",
                       llvm::toString(type.takeError()));
    auto ranked = dyn_cast<RankedTensorType>(*type);
    if (!ranked)
      return makeError("variable '", name, "' has no rank");
    OperationState state(UnknownLoc::get(context), "tosa.variable");
    state.addAttribute("sym_name", builder.getStringAttr(name));
    SmallVector<int64_t> extents(ranked.getShape());
    // In this attribute an open extent is -1.
    std::replace(extents.begin(), extents.end(), ShapedType::kDynamic,
                 int64_t(-1));
    state.addAttribute("var_shape", builder.getIndexTensorAttr(extents));
    state.addAttribute("type", TypeAttr::get(ranked.getElementType()));
    if ((tensor.data() && tensor.data()->size() != 0) || tensor.offset() > 1) {
      Expected<Attribute> value = readCharged(tensor, ranked);
      if (!value)
        return makeError("variable '", name, "' ",
                         llvm::toString(value.takeError()));
      state.addAttribute("initial_value", *value);
    }
    builder.create(state);
  }
  return llvm::Error::success();
}

llvm::Error GraphReader::readRegions(Scope &scope, const OperatorTable &op,
                                     Operation *made) {
  for (unsigned i : {0u, 1u})
    if (llvm::Error error = readRegion(toRef(op.attribute()->get<Text>(i)),
                                       made->getRegion(i), made->getLoc()))
      return error;
  return llvm::Error::success();
}

/// The number of an operation by its name.
static uint32_t getNumber(StringRef name) {
  auto forms = getOperationForms();
  return llvm::find_if(forms,
                       [&](const OperationForm &form) {
                         return form.name && name == form.name;
                       }) -
         forms.begin();
}

/// A program may have a shift of rank 0, a TOSA file may not.
static llvm::Error checkShift(const OperationState &state) {
  if (state.name.getStringRef() != tosa::MulOp::getOperationName() ||
      state.operands.size() != 3)
    return llvm::Error::success();
  auto type = dyn_cast<RankedTensorType>(state.operands.back().getType());
  if (!type || type.getRank() == 1)
    return llvm::Error::success();
  return makeError("has a shift with ", type.getRank(),
                   " axes; in a TOSA file, a shift must have 1");
}

llvm::Error GraphReader::readOperator(Scope &scope, unsigned number) {
  const OperatorTable &op = *scope.block->operators()->Get(number);
  uint32_t kind = op.op();
  // Attributes are numbered as operations are. Some writers write reads and
  // writes of variables as `identity` with their attribute.
  if (kind == getNumber("identity") &&
      (op.attributeType() == getNumber(kRead) ||
       op.attributeType() == getNumber(kWrite)))
    kind = op.attributeType();
  else if (op.attribute() && op.attributeType() != kind)
    return makeError("has the attribute of operation ",
                     unsigned(op.attributeType()));
  if (kind >= getOperationForms().size() || !getOperationForms()[kind].name)
    return makeError("is no operation of TOSA 1.0 or 1.1");
  const OperationForm &form = getOperationForms()[kind];
  StringRef name = form.name;
  if (name == kVariable)
    return llvm::Error::success();

  // Operations that MLIR 22 lacks are converted by the rules for texts of newer
  // versions.
  std::string full = ("tosa." + name).str();
  if (!RegisteredOperationName::lookup(full, context))
    full = (read::kNamespace + "." + name).str();
  OperationState state(getLocation(scope, number), full);
  auto types = getTypes(scope, op.outputs());
  if (!types)
    return types.takeError();
  state.addTypes(*types);
  bool isVariable = name == kRead || name == kWrite;
  llvm::Error error = llvm::Error::success();
  if (name == kConst)
    error = readConst(scope, op, state);
  else if (name == kConstShape)
    error = readConstShape(scope, op, state);
  else if (isVariable)
    error = readVariable(scope, op, name == kRead, state);
  if (error)
    return error;
  if (!isVariable) {
    auto operands = getValues(scope, op.inputs());
    if (!operands)
      return operands.takeError();
    state.addOperands(*operands);
  }
  if (llvm::Error wrong = checkShift(state))
    return wrong;
  Type element = state.operands.empty()
                     ? Type()
                     : getElementTypeOrSelf(state.operands.front().getType());
  auto fields = readFields(form, op.attribute(), element, context);
  if (!fields)
    return fields.takeError();
  state.attributes.append(fields->begin(), fields->end());
  bool hasRegions = name == kIf || name == kLoop;
  if (hasRegions) {
    state.addRegion();
    state.addRegion();
  }
  Operation *made = scope.builder.create(state);
  if (hasRegions)
    if (llvm::Error inner = readRegions(scope, op, made))
      return inner;
  if (made->getNumResults() != 0)
    for (auto [i, value] : llvm::enumerate(made->getResults()))
      scope.values[toRef(op.outputs()->Get(i))] = value;
  return llvm::Error::success();
}

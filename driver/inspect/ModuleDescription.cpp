//===- ModuleDescription.cpp - what is in a program -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/ModuleDescription.h"

#include "dialect/ArgumentName.h"
#include "dialect/LocationText.h"
#include "driver/inspect/Signatures.h"
#include "infer/functions/Library.h"
#include "infer/functions/Origin.h"
#include "shape/TakesText.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace broadloom;

const char *broadloom::formName(InspectedFile::Form form) {
  switch (form) {
  case InspectedFile::Form::Text:
    return "text";
  case InspectedFile::Form::Bytecode:
    return "bytecode";
  case InspectedFile::Form::TosaFile:
    return "TOSA file";
  case InspectedFile::Form::Object:
    return "object file";
  case InspectedFile::Form::SharedLibrary:
    return "shared library";
  }
  return "";
}

std::string InspectedValue::shape() const {
  return isRanked ? joinExtents(extents) : "*";
}

std::string InspectedValue::text() const {
  bool isTensor =
      !elementType.empty() && StringRef(type).starts_with("tensor<");
  return namedText(name, isTensor ? tensorText(shape(), elementType) : type);
}

/// The producer of the bytecode. Bytecode begins with a magic number of four
/// bytes, a version as a variable-length integer (the lowest set bit of its
/// first byte gives its length), and the producer, which ends with 0.
static std::string readProducer(StringRef bytecode) {
  bytecode = bytecode.drop_front(4);
  if (bytecode.empty())
    return "";
  size_t bytes = 1 + llvm::countr_zero<uint8_t>(bytecode.front());
  bytecode = bytecode.drop_front(std::min(bytes, bytecode.size()));
  size_t end = bytecode.find('\0');
  return end == StringRef::npos ? "" : bytecode.take_front(end).str();
}

/// The attribute with long texts cut, nested ones too.
static Attribute shortenTexts(Attribute attribute) {
  constexpr size_t longest = 128, kept = 64;
  AttrTypeReplacer replacer;
  replacer.addReplacement([](StringAttr text) -> std::optional<Attribute> {
    StringRef value = text.getValue();
    if (value.size() <= longest)
      return std::nullopt;
    return StringAttr::get(text.getContext(), value.take_front(kept) + "... (" +
                                                  std::to_string(value.size()) +
                                                  " bytes)");
  });
  return replacer.replace(attribute);
}

/// The printed attribute, without long texts and long lists of elements.
static std::string printShort(Attribute attribute) {
  attribute = shortenTexts(attribute);
  AsmState state(
      attribute.getContext(),
      OpPrintingFlags().elideLargeElementsAttrs(16).elideLargeResourceString(
          64));
  std::string text;
  llvm::raw_string_ostream stream(text);
  attribute.print(stream, state);
  return text;
}

static AttributeTexts printAll(ArrayRef<NamedAttribute> attributes) {
  AttributeTexts texts;
  for (NamedAttribute attribute : attributes)
    texts.emplace_back(attribute.getName().str(),
                       printShort(attribute.getValue()));
  return texts;
}

namespace {

class OperationCounter {
public:
  void add(Operation *op) { ++counts[op->getName().getStringRef()]; }

  /// The most frequent first, equally frequent ones by name.
  OperationCounts take() {
    OperationCounts sorted;
    for (const auto &entry : counts)
      sorted.emplace_back(entry.first().str(), entry.second);
    llvm::sort(sorted, [](const auto &a, const auto &b) {
      return std::make_tuple(b.second, a.first) <
             std::make_tuple(a.second, b.first);
    });
    return sorted;
  }

private:
  llvm::StringMap<size_t> counts;
};

} // namespace

static InspectedValue inspectValue(Type type, DictionaryAttr attributes) {
  InspectedValue value;
  llvm::raw_string_ostream(value.type) << type;
  loom::ExtentsAttr extents;
  if (attributes) {
    value.attributes = printAll(attributes.getValue());
    extents = attributes.getAs<loom::ExtentsAttr>(loom::ExtentsAttr::kKey);
  }
  std::optional<TensorSignature> signature = getTensorSignature(type, extents);
  if (!signature)
    return value;
  value.elementType = broadloomElementTypeName(signature->elementType);
  value.isRanked = signature->shape.isRanked();
  for (size_t axis : llvm::seq(signature->shape.rank()))
    value.extents.push_back(
        extentText(signature->shape, signature->names, axis));
  return value;
}

/// The nodes whose names and locations importers give to operations. A node may
/// have become several operations, of which the last one gives its results.
static std::vector<InspectedNode> inspectNodes(FunctionOpInterface function) {
  llvm::MapVector<std::pair<StringRef, Location>, Operation *> last;
  function->walk([&](Operation *op) {
    StringRef origin = infer::getOrigin(op);
    if (origin != infer::getOperationKey(op) && op->getNumResults() != 0)
      last[{origin, op->getLoc()}] = op;
  });
  std::vector<InspectedNode> nodes;
  for (const auto &[key, op] : last) {
    InspectedNode &node = nodes.emplace_back();
    node.operation = key.first.str();
    node.location = getFileLocationText(key.second);
    for (Type type : op->getResultTypes())
      llvm::raw_string_ostream(node.results.emplace_back()) << type;
  }
  return nodes;
}

static InspectedFunction inspectFunction(FunctionOpInterface function) {
  InspectedFunction result;
  result.name = function.getName().str();
  result.isPublic = SymbolTable::getSymbolVisibility(function) ==
                    SymbolTable::Visibility::Public;
  result.hasBody = !function.isExternal();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    result.arguments.push_back(inspectValue(type, function.getArgAttrDict(i)));
    if (result.hasBody)
      result.arguments.back().name =
          loom::getArgumentName(function.getArgument(i));
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    result.results.push_back(inspectValue(type, function.getResultAttrDict(i)));
  result.attributes = printAll(
      llvm::to_vector(function->getDiscardableAttrDictionary().getValue()));
  OperationCounter counter;
  function->walk([&](Operation *op) {
    if (op != function)
      counter.add(op);
  });
  result.operations = counter.take();
  result.nodes = inspectNodes(function);
  return result;
}

void broadloom::inspectModule(ModuleOp module, llvm::MemoryBufferRef source,
                              read::ProgramForm form, InspectedFile &file) {
  switch (form) {
  case read::ProgramForm::Text:
    file.form = InspectedFile::Form::Text;
    break;
  case read::ProgramForm::Bytecode:
    file.form = InspectedFile::Form::Bytecode;
    file.producer = readProducer(source.getBuffer());
    break;
  case read::ProgramForm::TosaFile:
    file.form = InspectedFile::Form::TosaFile;
    break;
  }
  file.attributes = printAll(module->getDiscardableAttrDictionary().getValue());
  OperationCounter counter;
  for (Operation &op : *module.getBody())
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      file.functions.push_back(inspectFunction(function));
    else
      op.walk([&](Operation *inner) { counter.add(inner); });
  file.operations = counter.take();
}

std::vector<InspectedFunction> broadloom::inspectInterface(ModuleOp module) {
  std::vector<InspectedFunction> functions;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    InspectedFunction all = inspectFunction(function);
    if (all.isPublic && all.hasBody)
      functions.push_back(std::move(all));
  }
  return functions;
}

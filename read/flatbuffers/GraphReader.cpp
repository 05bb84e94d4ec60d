//===- GraphReader.cpp - the blocks of a TOSA file ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/GraphReader.h"
#include "dialect/LocationText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <queue>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;
using llvm::Expected;

static constexpr unsigned kMaxDepth = 100;
/// The text of an error that has been reported, of an operator in a region.
static constexpr char kReported[] = "reported";

/// The elements of a list that may be absent.
template <typename T>
static SmallVector<const T *> toVector(const List<T> *list) {
  SmallVector<const T *> elements;
  for (unsigned i = 0; list && i < list->size(); ++i)
    elements.push_back(list->Get(i));
  return elements;
}

GraphReader::GraphReader(const SourceFile &file, StringRef name,
                         MLIRContext *context)
    : file(file), fileName(name), context(context), builder(context),
      bytesLeft(kRepeats * file.contents.size()) {}

llvm::Error GraphReader::charge(uint64_t bytes) {
  if (bytes > bytesLeft)
    return makeError("makes the file be read more than ", kRepeats,
                     " times the ", file.contents.size(),
                     " bytes that it has; its constants, names and regions "
                     "must be used less often");
  bytesLeft -= bytes;
  return llvm::Error::success();
}

/// The bytes of a list of names, with one for each element.
static uint64_t countBlockBytes(const List<Text> *names) {
  uint64_t bytes = 0;
  for (unsigned i = 0; names && i < names->size(); ++i)
    bytes += 1 + names->Get(i)->size();
  return bytes;
}

/// The bytes of lists and texts in an operator's attribute.
static uint64_t countFields(const OperatorTable &op) {
  uint64_t bytes = 0;
  auto forms = getOperationForms();
  if (!op.attribute() || op.op() >= forms.size())
    return 0;
  for (unsigned i = 0; i < kMaxFields; ++i) {
    const Field &field = forms[op.op()].fields[i];
    bool isList = llvm::is_contained({FieldKind::Ints, FieldKind::NarrowInts,
                                      FieldKind::Element, FieldKind::Bytes,
                                      FieldKind::Text, FieldKind::Graph},
                                     field.kind);
    // All lists begin with their size.
    const Bytes *list =
        field.name && isList ? op.attribute()->get<Bytes>(i) : nullptr;
    bytes += list ? list->size() : 0;
  }
  return bytes;
}

/// The bytes of the entries of a block, each as often as it is listed.
static uint64_t countBlockBytes(const BlockTable &block, StringRef name) {
  uint64_t bytes =
      countBlockBytes(block.inputs()) + countBlockBytes(block.outputs());
  for (unsigned i = 0; block.tensors() && i < block.tensors()->size(); ++i)
    bytes += 1 + toRef(block.tensors()->Get(i)->name()).size();
  for (unsigned i = 0; block.shapes() && i < block.shapes()->size(); ++i)
    bytes += 1 + toRef(block.shapes()->Get(i)->name()).size();
  // The location of each operator has the block's name.
  for (const OperatorTable *op : toVector(block.operators()))
    bytes += 1 + name.size() + countBlockBytes(op->inputs()) +
             countBlockBytes(op->outputs()) + countFields(*op);
  return bytes;
}

LogicalResult GraphReader::fail(StringRef text) {
  return emitError(makeNumberedLocation(UnknownLoc::get(context), fileName))
         << text;
}

LogicalResult GraphReader::fail(const Scope &scope, llvm::Error error) {
  std::string text = (fileName + ": block '" + scope.name + "'").str();
  return emitError(makeNumberedLocation(UnknownLoc::get(context), text))
         << llvm::toString(std::move(error));
}

/// The name of an operator, `'tosa.add'`, or its number if it has none.
static std::string getName(uint32_t op) {
  auto forms = getOperationForms();
  if (op < forms.size() && forms[op].name)
    return "'tosa." + std::string(forms[op].name) + "'";
  return "operation " + std::to_string(op);
}

Location GraphReader::getLocation(const Scope &scope, unsigned number) {
  const OperatorTable &op = *scope.block->operators()->Get(number);
  std::string text = (fileName + ": operator " + std::to_string(number) +
                      " of '" + scope.name + "', " + getName(op.op()))
                         .str();
  Location named = UnknownLoc::get(context);
  if (op.outputs() && op.outputs()->size() != 0)
    named = NameLoc::get(StringAttr::get(context, toRef(op.outputs()->Get(0))));
  return makeNumberedLocation(named, text);
}

LogicalResult GraphReader::fail(const Scope &scope, unsigned number,
                                llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  if (text == kReported)
    return failure();
  return emitError(getLocation(scope, number)) << text;
}

LogicalResult GraphReader::checkVersion(const GraphTable &graph) {
  int32_t major = graph.version()->major(), minor = graph.version()->minor();
  if (major != 1 || (minor != 0 && minor != 1))
    return fail("is of TOSA " + std::to_string(major) + "." +
                std::to_string(minor) + "; 1.0 and 1.1 are read");
  // Bit 1 stands for block-scaled types, which are reported separately.
  uint64_t features =
      graph.compatibility() ? graph.compatibility()->features() : 0;
  if (features & ~uint64_t(2))
    return fail("needs features of a newer reader (" +
                std::to_string(features) + ")");
  return success();
}

LogicalResult GraphReader::indexRegions(const GraphTable &graph) {
  SmallVector<const RegionTable *> regions = toVector(graph.regions());
  if (regions.empty())
    return fail("has no region");
  for (const RegionTable *region : regions) {
    std::string name = toRef(region->name()).str();
    if (!region->blocks() || region->blocks()->size() != 1)
      return fail(
          "region '" + name + "' has " +
          std::to_string(region->blocks() ? region->blocks()->size() : 0) +
          " blocks, expected 1");
    const BlockTable *block = region->blocks()->Get(0);
    if (!blocks.try_emplace(name, block).second)
      return fail("has two regions of the name '" + name + "'");
    limit += kRepeats * (block->operators() ? block->operators()->size() : 0);
  }
  for (const RegionTable *region : regions) {
    const BlockTable *block = region->blocks()->Get(0);
    blocks.try_emplace(toRef(block->name()), block);
  }
  return success();
}

LogicalResult GraphReader::index(Scope &scope) {
  if (llvm::Error error = charge(countBlockBytes(*scope.block, scope.name)))
    return fail(scope, std::move(error));
  for (const TensorTable *tensor : toVector(scope.block->tensors()))
    if (!scope.tensors.try_emplace(toRef(tensor->name()), tensor).second)
      return fail(scope, makeError("has two tensors of the name '",
                                   toRef(tensor->name()), "'"));
  for (const ShapeTable *shape : toVector(scope.block->shapes()))
    if (scope.tensors.contains(toRef(shape->name())) ||
        !scope.shapes.try_emplace(toRef(shape->name()), shape).second)
      return fail(scope, makeError("has two shapes or tensors of the name '",
                                   toRef(shape->name()), "'"));
  return success();
}

Expected<Type> GraphReader::getType(const Scope &scope, StringRef name) {
  const TensorTable *listed = scope.tensors.lookup(name);
  if (listed && listed->shape())
    if (llvm::Error error = charge(listed->shape()->size()))
      return std::move(error);
  if (auto shape = scope.shapes.find(name); shape != scope.shapes.end()) {
    if (shape->second->rank() > kMaxNumbers)
      return makeError("shape '", name, "' has ", shape->second->rank(),
                       " numbers, more than ", kMaxNumbers);
    return tosa::shapeType::get(context, shape->second->rank());
  }
  auto tensor = scope.tensors.find(name);
  if (tensor == scope.tensors.end())
    return makeError("names '", name, "', of which there is no tensor");
  Expected<TensorType> type = readType(*tensor->second, context);
  if (!type)
    return makeError("tensor '", name, "' ", llvm::toString(type.takeError()));
  return *type;
}

Expected<SmallVector<Type>> GraphReader::getTypes(const Scope &scope,
                                                  const List<Text> *names) {
  SmallVector<Type> types;
  for (const Text *name : toVector(names)) {
    Expected<Type> type = getType(scope, toRef(name));
    if (!type)
      return type.takeError();
    types.push_back(*type);
  }
  return types;
}

Expected<SmallVector<Value>> GraphReader::getValues(const Scope &scope,
                                                    const List<Text> *names) {
  SmallVector<Value> values;
  for (const Text *name : toVector(names)) {
    Value value = scope.values.lookup(toRef(name));
    if (!value)
      return makeError("uses '", toRef(name), "', which nothing computes");
    values.push_back(value);
  }
  return values;
}

FailureOr<SmallVector<unsigned>> GraphReader::sort(const Scope &scope) {
  SmallVector<const OperatorTable *> operators =
      toVector(scope.block->operators());
  llvm::StringMap<unsigned> producers;
  for (auto [i, op] : llvm::enumerate(operators))
    for (const Text *name : toVector(op->outputs())) {
      // A write to a variable has the variable as its output.
      auto tensor = scope.tensors.find(toRef(name));
      if (tensor != scope.tensors.end() && tensor->second->isVariable())
        continue;
      if (scope.values.contains(toRef(name)) ||
          !producers.try_emplace(toRef(name), i).second)
        return fail(
            scope, i,
            makeError("makes '", toRef(name), "', which is there already"));
    }
  // The number of producers of each operator's inputs that are not in the order
  // yet.
  SmallVector<unsigned> waitsFor(operators.size(), 0);
  std::vector<SmallVector<unsigned, 2>> users(operators.size());
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (auto [i, op] : llvm::enumerate(operators)) {
    for (const Text *name : toVector(op->inputs()))
      if (auto producer = producers.find(toRef(name));
          producer != producers.end()) {
        users[producer->second].push_back(i);
        ++waitsFor[i];
      }
    if (waitsFor[i] == 0)
      ready.push(i);
  }
  SmallVector<unsigned> order;
  while (!ready.empty()) {
    unsigned next = ready.top();
    ready.pop();
    order.push_back(next);
    for (unsigned user : users[next])
      if (--waitsFor[user] == 0)
        ready.push(user);
  }
  if (order.size() == operators.size())
    return order;
  const unsigned *left =
      llvm::find_if(waitsFor, [](unsigned count) { return count != 0; });
  return fail(scope, left - waitsFor.begin(),
              makeError("uses what it computes itself"));
}

LogicalResult GraphReader::readBlock(Scope &scope, StringRef terminator) {
  FailureOr<SmallVector<unsigned>> order = sort(scope);
  if (failed(order))
    return failure();
  numRead += order->size();
  if (numRead > limit)
    return fail(scope, makeError("is used so often that the program would have "
                                 "more than ",
                                 limit, " operations"));
  for (unsigned number : *order)
    if (llvm::Error error = readOperator(scope, number))
      return fail(scope, number, std::move(error));
  auto results = getValues(scope, scope.block->outputs());
  if (!results)
    return fail(scope, results.takeError());
  OperationState state(UnknownLoc::get(context), terminator, *results, {});
  scope.builder.create(state);
  return success();
}

OwningOpRef<ModuleOp> GraphReader::read(const GraphTable &graph) {
  if (failed(checkVersion(graph)) || failed(indexRegions(graph)))
    return nullptr;
  module = ModuleOp::create(
      makeNumberedLocation(UnknownLoc::get(context), fileName));
  builder.setInsertionPointToEnd(module->getBody());
  // The first region is the program; its name does not matter.
  const RegionTable &main = *graph.regions()->Get(0);
  Scope scope{main.blocks()->Get(0), toRef(main.name()), builder, {}, {}, {}};
  if (failed(index(scope)))
    return nullptr;
  auto arguments = getTypes(scope, scope.block->inputs());
  if (!arguments)
    return (void)fail(scope, arguments.takeError()), nullptr;
  auto results = getTypes(scope, scope.block->outputs());
  if (!results)
    return (void)fail(scope, results.takeError()), nullptr;
  if (llvm::Error error = declareVariables(graph))
    return (void)fail(scope, std::move(error)), nullptr;
  auto function =
      func::FuncOp::create(builder, UnknownLoc::get(context),
                           scope.name.empty() ? StringRef("main") : scope.name,
                           builder.getFunctionType(*arguments, *results));
  Block *entry = function.addEntryBlock();
  for (auto [name, argument] :
       llvm::zip(toVector(scope.block->inputs()), entry->getArguments()))
    if (!scope.values.try_emplace(toRef(name), argument).second)
      return (void)fail(scope, makeError("has two inputs of the name '",
                                         toRef(name), "'")),
             nullptr;
  scope.builder.setInsertionPointToEnd(entry);
  open.push_back(scope.name);
  if (failed(readBlock(scope, "func.return")))
    return nullptr;
  return std::move(module);
}

const BlockTable *GraphReader::findBlock(StringRef graph) const {
  return blocks.lookup(graph);
}

llvm::Error GraphReader::readRegion(StringRef graph, Region &region,
                                    Location loc) {
  const BlockTable *block = findBlock(graph);
  if (!block)
    return makeError("names the region '", graph, "', which is not there");
  if (llvm::is_contained(open, graph))
    return makeError("names the region '", graph, "', which it is in");
  if (open.size() >= kMaxDepth)
    return makeError("stands in ", kMaxDepth, " regions");
  Scope scope{block, graph, builder, {}, {}, {}};
  if (failed(index(scope)))
    return makeError(kReported);
  auto arguments = getTypes(scope, block->inputs());
  if (!arguments)
    return arguments.takeError();
  Block *entry = builder.createBlock(
      &region, {}, *arguments, SmallVector<Location>(arguments->size(), loc));
  for (auto [name, argument] :
       llvm::zip(toVector(block->inputs()), entry->getArguments()))
    if (!scope.values.try_emplace(toRef(name), argument).second)
      return makeError("names the region '", graph,
                       "', which has two inputs of the name '", toRef(name),
                       "'");
  scope.builder.setInsertionPointToEnd(entry);
  open.push_back(graph);
  LogicalResult result = readBlock(scope, "tosa.yield");
  open.pop_back();
  if (failed(result))
    return makeError(kReported);
  return llvm::Error::success();
}

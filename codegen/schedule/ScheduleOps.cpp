//===- ScheduleOps.cpp - edits of loop nests as operations ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// With assertions, headers of the transform dialect call functions that an MLIR
// without assertions does not have.
#ifndef NDEBUG
#define NDEBUG
#endif

#include "codegen/schedule/ScheduleOps.h"

#include "codegen/schedule/LoopEdit.h"
#include "codegen/schedule/NamedLoops.h"
#include "codegen/schedule/ScheduleTree.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

#define GET_OP_CLASSES
#include "codegen/schedule/ScheduleOps.cpp.inc"

namespace {

class ScheduleExtension
    : public transform::TransformDialectExtension<ScheduleExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ScheduleExtension)

  void init() {
    declareDependentDialect<scf::SCFDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "codegen/schedule/ScheduleOps.cpp.inc"
        >();
  }
};

} // namespace

void codegen::registerSchedules(DialectRegistry &registry) {
  registry.addExtensions<ScheduleExtension>();
}

bool codegen::isScheduleOp(Operation *op) {
  return isa<
#define GET_OP_LIST
#include "codegen/schedule/ScheduleOps.cpp.inc"
      >(op);
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static Type getLoopType(MLIRContext *context) {
  return transform::OperationType::get(context, "scf.for");
}

/// `@function NUMBER : COUNT`.
ParseResult ScheduleNestOp::parse(OpAsmParser &parser, OperationState &result) {
  FlatSymbolRefAttr function;
  IntegerAttr number;
  int64_t count = 0;
  if (parser.parseAttribute(function, "function", result.attributes) ||
      parser.parseAttribute(number, parser.getBuilder().getI64Type(), "number",
                            result.attributes) ||
      parser.parseColon())
    return failure();
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseInteger(count) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  constexpr int64_t kMostLoops = 64;
  if (count < 1 || count > kMostLoops)
    return parser.emitError(place)
           << "a nest has from 1 to " << kMostLoops << " loops, not " << count;
  result.types.append(count, getLoopType(parser.getContext()));
  return success();
}

void ScheduleNestOp::print(OpAsmPrinter &printer) {
  printer << " @" << getFunction() << ' ' << getNumber() << " : "
          << getNumResults();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getFunctionAttrName(), getNumberAttrName()});
}

/// `%i, %j WORD [NUMBERS]`, with `ofEach` results for each loop.
static ParseResult parseLoops(OpAsmParser &parser, OperationState &result,
                              StringRef word, StringRef name, size_t ofEach) {
  SmallVector<OpAsmParser::UnresolvedOperand> loops;
  Attribute numbers;
  Type type = getLoopType(parser.getContext());
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseOperandList(loops) || parser.parseKeyword(word))
    return failure();
  numbers = DenseI64ArrayAttr::parse(parser, Type());
  if (!numbers || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  result.addAttribute(name, numbers);
  SmallVector<Type> types(loops.size(), type);
  result.types.append(ofEach * loops.size(), type);
  return parser.resolveOperands(loops, types, place, result.operands);
}

static void printLoops(OpAsmPrinter &printer, Operation *op, StringRef word,
                       StringRef name) {
  printer << ' ' << op->getOperands() << ' ' << word << ' ';
  cast<DenseI64ArrayAttr>(op->getAttr(name)).print(printer);
  printer.printOptionalAttrDict(op->getAttrs(), {name});
}

ParseResult ScheduleInterchangeOp::parse(OpAsmParser &parser,
                                         OperationState &result) {
  return parseLoops(parser, result, "to", "order", 1);
}

void ScheduleInterchangeOp::print(OpAsmPrinter &printer) {
  printLoops(printer, *this, "to", "order");
}

ParseResult ScheduleTileOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseLoops(parser, result, "by", "sizes", 2);
}

void ScheduleTileOp::print(OpAsmPrinter &printer) {
  printLoops(printer, *this, "by", "sizes");
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static LogicalResult verifyCounts(Operation *op, size_t numbers,
                                  size_t ofEach) {
  size_t loops = op->getNumOperands();
  if (loops == 0)
    return op->emitOpError("has no loops");
  if (numbers != loops)
    return op->emitOpError("has ")
           << numbers << " numbers for " << loops << " loops";
  if (op->getNumResults() != ofEach * loops)
    return op->emitOpError("has ")
           << op->getNumResults() << " results, but makes " << ofEach * loops
           << " loops";
  return success();
}

LogicalResult ScheduleNestOp::verify() {
  return getNumResults() != 0 ? success() : emitOpError("has no loops");
}

LogicalResult ScheduleInterchangeOp::verify() {
  ArrayRef<int64_t> order = getOrder();
  if (failed(verifyCounts(*this, order.size(), 1)))
    return failure();
  SmallVector<bool> seen(order.size());
  for (int64_t number : order) {
    if (number < 0 || size_t(number) >= order.size())
      return emitOpError("has no loop ")
             << number << "; the loops are numbered from 0 to "
             << order.size() - 1;
    if (std::exchange(seen[number], true))
      return emitOpError("has loop ") << number << " twice";
  }
  return success();
}

LogicalResult ScheduleTileOp::verify() {
  for (int64_t size : getSizes())
    if (size < 1)
      return emitOpError("has a tile of ")
             << size << " iterations; a tile has at least 1";
  return verifyCounts(*this, getSizes().size(), 2);
}

static LogicalResult verifyFactor(Operation *op, int64_t factor) {
  constexpr int64_t kMost = 1024;
  if (factor < 2 || factor > kMost)
    return op->emitOpError("runs ")
           << factor << " iterations in one; this is from 2 to " << kMost;
  return success();
}

LogicalResult ScheduleUnrollOp::verify() {
  return verifyFactor(*this, getFactor());
}

LogicalResult ScheduleUnrollAndJamOp::verify() {
  if (getNumOperands() < 2)
    return emitOpError("has no loop inside, where copies are jammed");
  return verifyFactor(*this, getFactor());
}

/// Sums of bounds and such numbers are far from leaving 64 bits.
static LogicalResult verifyOffset(Operation *op, int64_t number,
                                  StringRef what) {
  constexpr int64_t kMost = int64_t(1) << 20;
  if (number < -kMost || number > kMost || number == 0)
    return op->emitOpError(what) << " by " << number << "; this is from 1 to "
                                 << kMost << ", of either sign";
  return success();
}

LogicalResult ScheduleShiftOp::verify() {
  return verifyOffset(*this, getOffset(), "shifts");
}

LogicalResult ScheduleSkewOp::verify() {
  return verifyOffset(*this, getFactor(), "skews");
}

LogicalResult ScheduleVectorizeOp::verify() {
  constexpr int64_t kMost = 64;
  int64_t lanes = getLanes();
  if (lanes < 2 || lanes > kMost || !llvm::isPowerOf2_64(lanes))
    return emitOpError("has vectors of ")
           << lanes << " elements; this is a power of 2 from 2 to " << kMost;
  return success();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

static void
addEffects(Operation *op,
           SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  // Handles of loops that an edit leaves stay what they are; those of others
  // have no loop any more, which is an error of the edit that uses them.
  transform::onlyReadsHandle(op->getOpOperands(), effects);
  transform::producesHandle(op->getOpResults(), effects);
  if (op->getNumOperands() == 0)
    transform::onlyReadsPayload(effects);
  else
    transform::modifiesPayload(effects);
}

#define BROADLOOM_EFFECTS(OP)                                                  \
  void OP::getEffects(                                                         \
      SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {               \
    addEffects(*this, effects);                                                \
  }
BROADLOOM_EFFECTS(ScheduleNestOp)
BROADLOOM_EFFECTS(ScheduleLoopOp)
BROADLOOM_EFFECTS(ScheduleInterchangeOp)
BROADLOOM_EFFECTS(ScheduleTileOp)
BROADLOOM_EFFECTS(ScheduleReverseOp)
BROADLOOM_EFFECTS(ScheduleUnrollOp)
BROADLOOM_EFFECTS(ScheduleUnrollAndJamOp)
BROADLOOM_EFFECTS(ScheduleDistributeOp)
BROADLOOM_EFFECTS(ScheduleFuseOp)
BROADLOOM_EFFECTS(ScheduleShiftOp)
BROADLOOM_EFFECTS(ScheduleSkewOp)
BROADLOOM_EFFECTS(ScheduleParallelizeOp)
BROADLOOM_EFFECTS(ScheduleVectorizeOp)
BROADLOOM_EFFECTS(SchedulePackOp)
#undef BROADLOOM_EFFECTS

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

using Result = DiagnosedSilenceableFailure;

static void notify(transform::TransformState &state, Operation *op,
                   func::FuncOp edited) {
  if (auto *listener = state.getExtension<StepListener>())
    listener->notify(op, edited);
}

/// Runs one edit of the loops of the operands.
static Result apply(transform::TransformOpInterface op,
                    transform::TransformRewriter &rewriter,
                    transform::TransformResults &results,
                    transform::TransformState &state,
                    llvm::function_ref<Loops(LoopEdit &, Loops)> run) {
  Loops loops;
  for (Value handle : op->getOperands()) {
    SmallVector<Operation *> payload(state.getPayloadOps(handle));
    if (payload.size() != 1 || !isa<scf::ForOp>(payload.front())) {
      DiagnosedDefiniteFailure failed = op.emitDefiniteFailure(
          "a loop is gone, because an edit has made others of it");
      failed.attachNote(handle.getLoc()) << "the loop";
      return failed;
    }
    loops.push_back(cast<scf::ForOp>(payload.front()));
  }
  LoopEdit edit(rewriter);
  // How a loop runs may be said of one that runs on threads.
  bool mayEdit = isa<ScheduleParallelizeOp, ScheduleVectorizeOp>(*op) ||
                 llvm::all_of(loops, [&](scf::ForOp loop) {
                   return edit.checkIsUnmarked(loop);
                 });
  Loops made = mayEdit ? run(edit, loops) : Loops();
  if (made.empty()) {
    DiagnosedDefiniteFailure failed = op.emitDefiniteFailure(edit.because);
    if (edit.culprit)
      failed.attachNote(edit.culprit->getLoc()) << "of the program";
    return failed;
  }
  for (auto [result, loop] : llvm::zip_equal(op->getOpResults(), made))
    results.set(result, {loop.getOperation()});
  notify(state, op, made.front()->getParentOfType<func::FuncOp>());
  return Result::success();
}

#define BROADLOOM_EDIT(OP, MADE)                                               \
  Result OP::apply(transform::TransformRewriter &rewriter,                     \
                   transform::TransformResults &results,                       \
                   transform::TransformState &state) {                         \
    return ::apply(*this, rewriter, results, state,                            \
                   [&](LoopEdit &edit, Loops loops) { return MADE; });         \
  }
BROADLOOM_EDIT(ScheduleInterchangeOp, edit.interchange(loops, getOrder()))
BROADLOOM_EDIT(ScheduleTileOp, edit.tile(loops, getSizes()))
BROADLOOM_EDIT(ScheduleReverseOp, edit.reverse(loops[0]))
BROADLOOM_EDIT(ScheduleUnrollOp, edit.unroll(loops[0], getFactor()))
BROADLOOM_EDIT(ScheduleUnrollAndJamOp, edit.unrollAndJam(loops, getFactor()))
BROADLOOM_EDIT(ScheduleDistributeOp, edit.distribute(loops[0], getStatement()))
BROADLOOM_EDIT(ScheduleFuseOp, edit.fuse(loops[0], loops[1]))
BROADLOOM_EDIT(ScheduleShiftOp, edit.shift(loops[0], getOffset()))
BROADLOOM_EDIT(ScheduleSkewOp, edit.skew(loops[0], loops[1], getFactor()))
BROADLOOM_EDIT(ScheduleParallelizeOp, edit.parallelize(loops[0], getLoc()))
BROADLOOM_EDIT(ScheduleVectorizeOp, edit.vectorize(loops[0], getLanes()))
BROADLOOM_EDIT(SchedulePackOp, edit.pack(loops[0], getMemory()))
#undef BROADLOOM_EDIT

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

Result ScheduleNestOp::apply(transform::TransformRewriter &,
                             transform::TransformResults &results,
                             transform::TransformState &state) {
  NamedLoops named(state.getTopLevel(), getFunction());
  Loops loops = named.getNest(getNumber(), getNumResults());
  if (loops.empty())
    return emitDefiniteFailure(named.because);
  for (auto [result, loop] :
       llvm::zip_equal(getOperation()->getOpResults(), loops))
    results.set(result, {loop.getOperation()});
  notify(state, *this, nullptr);
  return Result::success();
}

Result ScheduleLoopOp::apply(transform::TransformRewriter &,
                             transform::TransformResults &results,
                             transform::TransformState &state) {
  NamedLoops named(state.getTopLevel(), getFunction());
  scf::ForOp loop = named.getLoop(getName());
  if (!loop)
    return emitDefiniteFailure(named.because);
  results.set(getOperation()->getOpResult(0), {loop.getOperation()});
  notify(state, *this, nullptr);
  return Result::success();
}

//===- ScalarJit.cpp - runs scalar bodies, for tests ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/scalar/ScalarJit.h"

#include "codegen/target/CodeTarget.h"

#include "dialect/BroadcastableOpInterface.h"
#include "scalar/LookupFunctions.h"
#include "scalar/MathExpansion.h"
#include "scalar/RareCases.h"
#include "scalar/TosaModels.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::scalar;

struct ScalarJit::Impl {
  explicit Impl(MathUnit unit) : unit(unit) {}

  MathUnit unit;
  std::vector<ScalarCase> cases;
  std::unique_ptr<MLIRContext> context;
  std::unique_ptr<ExecutionEngine> engine;
  std::vector<std::vector<unsigned>> operandBytes;
  std::vector<unsigned> resultBytes;

  LogicalResult compile();
  LogicalResult emitKernel(ModuleOp target, unsigned number, Operation *op);
};

/// The host's.
static MathUnit getHostMathUnit() {
  return llvm::cantFail(codegen::CodeTarget::getHost()).getMathUnit();
}

ScalarJit::ScalarJit() : ScalarJit(getHostMathUnit()) {}
ScalarJit::ScalarJit(MathUnit unit) : impl(std::make_unique<Impl>(unit)) {}
ScalarJit::~ScalarJit() = default;

unsigned ScalarJit::add(ScalarCase scalarCase) {
  impl->cases.push_back(std::move(scalarCase));
  return impl->cases.size() - 1;
}

/// A function whose one operation besides a constant is the case's.
static std::string printCase(const ScalarCase &c, unsigned number) {
  std::string parameters, names, types, constant;
  for (unsigned i = 0; i < c.operands.size(); ++i) {
    std::string type = "tensor<" + c.operands[i] + ">";
    std::string separator = i ? ", " : "";
    std::string name = "%a" + std::to_string(i);
    parameters += separator + name + ": " + type;
    if (int(i) == c.constantOperand) {
      constant = "%c = \"tosa.const\"() {values = dense<" +
                 std::to_string(c.constant) + "> : " + type + "} : () -> " +
                 type + "\n";
      name = "%c";
    }
    names += separator + name;
    types += separator + type;
  }
  std::string result = "tensor<" + c.result + ">";
  return "func.func @case" + std::to_string(number) + "(" + parameters +
         ") -> " + result + " {\n" + constant + "%r = \"" + c.operation +
         "\"(" + names + ") " + c.attributes + " : (" + types + ") -> " +
         result + "\nreturn %r : " + result + "\n}\n";
}

/// Bytes of one element in an array; i1 takes one.
static unsigned getElementBytes(Type type) {
  return type.isIndex() ? 8 : (type.getIntOrFloatBitWidth() + 7) / 8;
}

/// The type that elements of `type` have in memory: f8 and i1 are i8.
static Type getMemoryType(Type type) {
  Builder builder(type.getContext());
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return width <= 8 || !isa<FloatType>(type)
             ? builder.getIntegerType(std::max(8u, width))
             : type;
}

/// From what is in memory to a scalar, and back.
static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (from.isIndex() || type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (isa<FloatType>(from) || isa<FloatType>(type))
    return arith::BitcastOp::create(builder, loc, type, value);
  if (type.isInteger(1))
    return arith::TruncIOp::create(builder, loc, type, value);
  return arith::ExtUIOp::create(builder, loc, type, value);
}

/// Emits `void @kernelN(inputs..., output, n)`: a loop over the scalar body.
LogicalResult ScalarJit::Impl::emitKernel(ModuleOp target, unsigned number,
                                          Operation *op) {
  auto elementwise = dyn_cast<BroadcastableOpInterface>(op);
  if (!elementwise || failed(elementwise.verifyElementwise()))
    return failure();
  Location loc = op->getLoc();
  OpBuilder builder = OpBuilder::atBlockEnd(target.getBody());
  Type pointer = LLVM::LLVMPointerType::get(context.get());
  Type i64 = builder.getI64Type();
  SmallVector<Type> parameters(op->getNumOperands() + 1, pointer);
  parameters.push_back(i64);
  auto kernel = LLVM::LLVMFuncOp::create(
      builder, loc, "kernel" + std::to_string(number),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context.get()),
                                  parameters));
  for (unsigned i = 0; i <= op->getNumOperands(); ++i)
    kernel.setArgAttr(i, "llvm.noalias", builder.getUnitAttr());
  Block *entry = kernel.addEntryBlock(builder);
  Block *loop = builder.createBlock(&kernel.getBody());
  Block *exit = builder.createBlock(&kernel.getBody());
  Value i = loop->addArgument(i64, loc);

  builder.setInsertionPointToEnd(entry);
  Value zero = LLVM::ConstantOp::create(builder, loc, i64, 0);
  Value one = LLVM::ConstantOp::create(builder, loc, i64, 1);
  LLVM::BrOp::create(builder, loc, ValueRange(zero), loop);

  builder.setInsertionPointToEnd(loop);
  SmallVector<Value> scalars;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    Type type = getScalarType(getElementTypeOrSelf(operand.getType()));
    Type memory = getMemoryType(type);
    operandBytes[number].push_back(getElementBytes(type));
    Value address =
        LLVM::GEPOp::create(builder, loc, pointer, memory,
                            entry->getArgument(index), ValueRange(i));
    Value loaded = LLVM::LoadOp::create(builder, loc, memory, address);
    scalars.push_back(convert(builder, loc, loaded, type));
  }
  FailureOr<Value> result = elementwise.buildScalarBody(builder, loc, scalars);
  if (failed(result))
    return failure();
  Type type = result->getType(), memory = getMemoryType(type);
  if (type != getScalarType(getElementTypeOrSelf(op->getResult(0).getType())))
    return op->emitOpError("has a body of type ") << type;
  resultBytes[number] = getElementBytes(type);
  Value address = LLVM::GEPOp::create(builder, loc, pointer, memory,
                                      entry->getArgument(op->getNumOperands()),
                                      ValueRange(i));
  LLVM::StoreOp::create(builder, loc, convert(builder, loc, *result, memory),
                        address);
  Value next = LLVM::AddOp::create(builder, loc, i, one);
  Value more =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next,
                           entry->getArgument(op->getNumOperands() + 1));
  LLVM::CondBrOp::create(builder, loc, more, loop, ValueRange(next), exit,
                         ValueRange());
  builder.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return success();
}

LogicalResult ScalarJit::Impl::compile() {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, LLVM::LLVMDialect, tosa::TosaDialect>();
  registerTosaBroadcastableModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();

  std::string text;
  for (unsigned i = 0; i < cases.size(); ++i)
    text += printCase(cases[i], i);
  auto source = parseSourceString<ModuleOp>(
      text, ParserConfig(context.get(), /*verifyAfterParse=*/false));
  if (!source)
    return failure();
  operandBytes.resize(cases.size());
  resultBytes.resize(cases.size());
  OwningOpRef<ModuleOp> target =
      ModuleOp::create(UnknownLoc::get(context.get()));
  for (auto [number, function] :
       llvm::enumerate(source->getOps<func::FuncOp>())) {
    Operation *op = function.front().getTerminator()->getPrevNode();
    if (failed(emitKernel(*target, number, op)))
      return failure();
  }

  expandMath(*target, unit);
  PassManager passes(context.get());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertMathToLibmPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  if (failed(passes.run(*target)))
    return failure();

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto machine = llvm::cantFail(
      llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost())
          .createTargetMachine());
  auto optimize = makeOptimizingTransformer(2, 0, machine.get());
  auto prepare = [&](llvm::Module *module) {
    defineLookups(*module, /*hasVectors=*/false);
    defineRareCases(*module, /*hasVectors=*/false);
    return optimize(module);
  };
  ExecutionEngineOptions options;
  options.transformer = prepare;
  auto made = ExecutionEngine::create(*target, options);
  if (!made) {
    llvm::errs() << llvm::toString(made.takeError()) << "\n";
    return failure();
  }
  engine = std::move(*made);
  return success();
}

std::string ScalarJit::compile() {
  return succeeded(impl->compile()) ? "" : "the cases do not compile";
}

Column ScalarJit::run(unsigned number,
                      const std::vector<Column> &operands) const {
  size_t rows = 0;
  for (const Column &column : operands)
    rows = std::max(rows, column.size());
  std::vector<std::vector<char>> buffers;
  for (auto [i, bytes] : llvm::enumerate(impl->operandBytes[number])) {
    std::vector<char> &buffer = buffers.emplace_back(rows * bytes);
    // Bits of an element are its low bytes: this runs on little-endian hosts.
    for (size_t row = 0; row < operands[i].size(); ++row)
      std::memcpy(&buffer[row * bytes], &operands[i][row], bytes);
  }
  unsigned bytes = impl->resultBytes[number];
  buffers.emplace_back(rows * bytes);

  std::vector<char *> pointers;
  for (std::vector<char> &buffer : buffers)
    pointers.push_back(buffer.data());
  std::vector<void *> arguments;
  for (char *&pointer : pointers)
    arguments.push_back(&pointer);
  arguments.push_back(&rows);
  llvm::cantFail(
      impl->engine->invokePacked("kernel" + std::to_string(number), arguments));

  Column result(rows);
  for (size_t row = 0; row < rows; ++row)
    std::memcpy(&result[row], &buffers.back()[row * bytes], bytes);
  return result;
}

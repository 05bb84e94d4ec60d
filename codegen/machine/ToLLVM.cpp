//===- ToLLVM.cpp - one conversion to the LLVM dialect --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/abi/FunctionTable.h"
#include "codegen/machine/BooleanLoads.h"
#include "codegen/machine/ExternalCalls.h"
#include "codegen/machine/LoopAnnotation.h"
#include "codegen/machine/MemoryPatterns.h"
#include "codegen/machine/StackSlots.h"
#include "codegen/machine/ViewPatterns.h"
#include "dialect/LoomDialect.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/RegionUtils.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMBODIESTOLLVM
#define GEN_PASS_DEF_LOOMTOLLVM
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;

namespace {

/// The C library's functions that a module calls, by name: MLIR's lookup
/// searches the module from its beginning.
class LibmFunctions {
public:
  explicit LibmFunctions(ModuleOp module) : module(module) {}

  LLVM::LLVMFuncOp get(OpBuilder &b, StringRef symbol, Type type,
                       unsigned operands) {
    LLVM::LLVMFuncOp &callee = functions[symbol];
    if (!callee)
      callee = module.lookupSymbol<LLVM::LLVMFuncOp>(symbol);
    if (callee)
      return callee;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> types(operands, type);
    callee = LLVM::LLVMFuncOp::create(b, module.getLoc(), symbol,
                                      LLVM::LLVMFunctionType::get(type, types));
    // The result depends on the operands alone: no errno, no rounding mode.
    SmallVector<LLVM::ModRefInfo> nothing(6, LLVM::ModRefInfo::NoModRef);
    callee.setMemoryEffectsAttr(
        LLVM::MemoryEffectsAttr::get(b.getContext(), nothing));
    callee.setNoUnwind(true);
    callee.setWillReturn(true);
    return callee;
  }

private:
  ModuleOp module;
  llvm::StringMap<LLVM::LLVMFuncOp> functions;
};

/// A math operation as a call of the C library's function of that name; in
/// loops, LLVM replaces it by the vector version (codegen/math/VectorMath).
template <typename Op> struct CallLibm : ConvertOpToLLVMPattern<Op> {
  CallLibm(const LLVMTypeConverter &converter, LibmFunctions &functions,
           StringRef name)
      : ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/10),
        functions(functions), name(name) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!type.isF32() && !type.isF64())
      return failure();
    std::string symbol = (name + (type.isF32() ? "f" : "")).str();
    LLVM::LLVMFuncOp callee =
        functions.get(rewriter, symbol, type, adaptor.getOperands().size());
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, callee,
                                              adaptor.getOperands());
    return success();
  }
  LibmFunctions &functions;
  StringRef name;
};

/// A math operation that is an instruction on scalars and vectors; upstream
/// would split vectors and call the C library.
template <typename Op, typename Intrinsic>
struct UseInstruction : ConvertOpToLLVMPattern<Op> {
  explicit UseInstruction(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/10) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = op.getType(), element = getElementTypeOrSelf(type);
    auto vector = dyn_cast<VectorType>(type);
    if ((!element.isF32() && !element.isF64()) ||
        (vector && vector.getRank() != 1))
      return failure();
    rewriter.replaceOpWithNewOp<Intrinsic>(op, type, adaptor.getOperands());
    return success();
  }
};

void addLibmPatterns(const LLVMTypeConverter &converter,
                     LibmFunctions &functions, RewritePatternSet &patterns) {
#define MATH_FUNCTION(CLASS, NAME, ...)                                        \
  patterns.add<CallLibm<math::CLASS>>(converter, functions, NAME);
#include "scalar/MathFunctions.def"
}

void addInstructionPatterns(const LLVMTypeConverter &converter,
                            RewritePatternSet &patterns) {
#define MATH_INTRINSIC(CLASS, INTRINSIC)                                       \
  patterns.add<UseInstruction<math::CLASS, LLVM::INTRINSIC>>(converter);
#include "scalar/MathFunctions.def"
}

/// Converts vectors of bf16 in kernels, which are only moved, to vectors of
/// i16. Kernels are in the LLVM dialect before the conversion, which leaves
/// their types as they are.
void keepBitsOfBF16(ModuleOp module) {
  Type i16 = IntegerType::get(module.getContext(), 16);
  auto update = [&](Value value) {
    auto vector = dyn_cast<VectorType>(value.getType());
    if (vector && vector.getElementType().isBF16())
      value.setType(vector.clone(i16));
  };
  SmallVector<LLVM::BitcastOp> casts;
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), update);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), update);
    if (auto constant = dyn_cast<LLVM::ConstantOp>(op))
      if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
          dense && dense.getElementType().isBF16())
        constant.setValueAttr(dense.bitcast(i16));
    if (auto cast = dyn_cast<LLVM::BitcastOp>(op))
      casts.push_back(cast);
  });
  for (LLVM::BitcastOp cast : casts)
    if (cast.getArg().getType() == cast.getType()) {
      cast.replaceAllUsesWith(cast.getArg());
      cast.erase();
    }
}

/// The types that compiled code has in the LLVM dialect.
struct CodeTypes : LLVMTypeConverter {
  explicit CodeTypes(MLIRContext *context)
      : LLVMTypeConverter(context, LowerToLLVMOptions(context)) {
    addConversion([context](loom::ShapeType) -> Type {
      return LLVM::LLVMStructType::getLiteral(
          context,
          {IntegerType::get(context, 64), LLVM::LLVMPointerType::get(context)});
    });
    // bf16 becomes an integer type: LLVM converts its bfloat to float even for
    // copies, with calls of a function that few C libraries have.
    addConversion([context](BFloat16Type) -> Type {
      return IntegerType::get(context, 16);
    });
  }
};

/// Adds patterns for operations in functions. Those for memory that MLIR itself
/// allocates, and for assertions, declare functions in the module.
void addBodyPatterns(const LLVMTypeConverter &converter,
                     RewritePatternSet &patterns) {
  arith::populateExpandBFloat16Patterns(patterns);
  populateAffineToStdConversionPatterns(patterns);
  memref::populateExpandStridedMetadataPatterns(patterns);
  codegen::addViewPatterns(patterns);
  codegen::addBooleanLoads(converter, patterns);
  codegen::addMemoryPatterns(converter, patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
}

LogicalResult convert(Operation *op, const ConversionTarget &target,
                      const FrozenRewritePatternSet &patterns) {
  // Erases unreachable code after an infinite loop, which the conversion skips.
  IRRewriter rewriter(op->getContext());
  (void)eraseUnreachableBlocks(rewriter, op->getRegions());
  ConversionConfig config;
  config.foldingMode = DialectConversionFoldingMode::Never;
  return applyPartialConversion(op, target, patterns, config);
}

/// What loops hand on to branches is a property of these.
void takeAnnotations(Operation *op) {
  op->walk([](LLVM::BrOp branch) {
    if (Attribute annotation =
            branch->removeDiscardableAttr(codegen::kLoopAnnotation))
      branch.setLoopAnnotationAttr(cast<LLVM::LoopAnnotationAttr>(annotation));
  });
}

struct LoomBodiesToLLVMPass
    : codegen::impl::LoomBodiesToLLVMBase<LoomBodiesToLLVMPass> {
  LogicalResult initialize(MLIRContext *context) override {
    converter = std::make_shared<CodeTypes>(context);
    RewritePatternSet made(context);
    addBodyPatterns(*converter, made);
    patterns = std::move(made);
    return success();
  }

  void runOnOperation() override {
    LLVMConversionTarget target(getContext());
    target.addLegalDialect<func::FuncDialect, math::MathDialect>();
    // The address of a global is taken once the global is one of LLVM.
    target.addLegalOp<memref::GetGlobalOp>();
    target.addLegalOp<loom::ExternalCallOp, memref::AllocOp, memref::DeallocOp,
                      memref::CopyOp, memref::ReallocOp, cf::AssertOp,
                      vector::PrintOp, UnrealizedConversionCastOp>();
    if (failed(convert(getOperation(), target, patterns)))
      return signalPassFailure();
    takeAnnotations(getOperation());
  }

  /// Shared by the copies of the pass, of which each thread has one.
  std::shared_ptr<CodeTypes> converter;
  FrozenRewritePatternSet patterns;
};

struct LoomToLLVMPass : codegen::impl::LoomToLLVMBase<LoomToLLVMPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    CodeTypes converter(context);
    RewritePatternSet patterns(context);
    addBodyPatterns(converter, patterns);
    codegen::addExternalCallPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateMathToLibmConversionPatterns(patterns);
    LibmFunctions functions(getOperation());
    addLibmPatterns(converter, functions, patterns);
    addInstructionPatterns(converter, patterns);
    SymbolTableCollection symbols;
    populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);

    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    target.addDynamicallyLegalOp<UnrealizedConversionCastOp>(
        [](Operation *) { return true; });
    if (failed(convert(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    SmallVector<UnrealizedConversionCastOp> casts;
    getOperation().walk(
        [&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts);
    takeAnnotations(getOperation());
    keepBitsOfBF16(getOperation());
    codegen::defineBlocks(getOperation());
    codegen::takeStackSlotsOnce(getOperation());
    codegen::buildFunctionTable(getOperation());
  }
};

} // namespace

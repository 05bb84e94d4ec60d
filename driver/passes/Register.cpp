//===- Register.cpp - all dialects, models and passes ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Register.h"
#include "codegen/Passes.h"
#include "codegen/machine/MachineCode.h"
#include "codegen/schedule/ScheduleOps.h"
#include "dialect/LoomDialect.h"
#include "driver/passes/Pipeline.h"
#include "infer/Passes.h"
#include "infer/functions/Passes.h"
#include "legalize/Passes.h"
#include "lower/Passes.h"
#include "lower/fuse/Passes.h"
#include "read/tflite/TfliteDialect.h"
#include "scalar/TosaModels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/IRDL/IR/IRDL.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MLProgram/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

void broadloom::registerAllDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  DLTIDialect, func::FuncDialect, index::IndexDialect,
                  irdl::IRDLDialect, LLVM::LLVMDialect, linalg::LinalgDialect,
                  math::MathDialect, memref::MemRefDialect,
                  ml_program::MLProgramDialect, scf::SCFDialect,
                  shape::ShapeDialect, tensor::TensorDialect, tosa::TosaDialect,
                  vector::VectorDialect, loom::LoomDialect>();
  // A tool of TensorFlow that loads this project as a plugin has the whole
  // dialect, and two dialects of one name are a fatal error.
  StringRef tflite = read::TfliteDialect::getDialectNamespace();
  if (!registry.getDialectAllocator(tflite))
    registry.insert<read::TfliteDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  ml_program::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  registerTosaBroadcastableModels(registry);
  codegen::registerBufferizationModels(registry);
  codegen::registerSchedules(registry);
  codegen::registerLLVMTranslations(registry);
}

void broadloom::registerAllPasses() {
  codegen::registerLoomCodegenPasses();
  infer::registerLoomInferPasses();
  infer::registerLoomShapeFunctionPasses();
  legalize::registerLoomLegalizePasses();
  lower::registerLoomLowerPasses();
  lower::registerLoomFusePasses();
  registerPipelines();
}

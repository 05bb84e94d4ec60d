//===- ConvertModel.h - models that other programs read ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_CONVERTMODEL_H
#define BROADLOOM_DRIVER_CONVERTMODEL_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace broadloom {

/// A kind of models that another program converts.
struct ModelKind;

/// The kind of a model by what it contains, of TensorFlow Lite, torch.export or
/// ONNX; null where `contents` are none.
const ModelKind *findModelKind(llvm::StringRef contents);

/// What `contents` are that was given as a program by mistake, and what to do;
/// empty where they may be one.
llvm::StringRef findMistake(llvm::StringRef contents);

/// What a file of this name is by its ending, such as "an ONNX model"; empty
/// where that is MLIR text or says nothing.
llvm::StringRef findFormOfName(llvm::StringRef name);

/// The program that a converter makes of a model. The converter is looked for
/// in PATH, or is what a variable of the environment names
/// (docs/program-formats.md).
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
convertModel(const ModelKind &kind, const llvm::MemoryBuffer &model);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_CONVERTMODEL_H

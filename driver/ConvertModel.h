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

/// Why `contents` cannot be a program, and what to do instead; empty if they
/// may be one.
llvm::StringRef findMistake(llvm::StringRef contents);

/// The format that the ending of a file's name stands for, such as "an ONNX
/// model"; empty for MLIR text and for other endings.
llvm::StringRef findFormOfName(llvm::StringRef name);

/// The program that a converter makes of a model. An environment variable may
/// name the converter; otherwise it is the one beside this program, or that in
/// PATH (docs/program-formats.md).
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
convertModel(const ModelKind &kind, const llvm::MemoryBuffer &model);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_CONVERTMODEL_H

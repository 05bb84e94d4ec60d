//===- ConvertTflite.h - TensorFlow Lite models -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_CONVERTTFLITE_H
#define BROADLOOM_DRIVER_CONVERTTFLITE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace broadloom {

/// Whether `contents` begins as a TensorFlow Lite model does.
bool isTflite(llvm::StringRef contents);

/// The program in TOSA that the program `tosa-converter-for-tflite` makes of a
/// model, under the model's name. The converter is looked for in PATH, or is
/// what the environment's BROADLOOM_TFLITE_CONVERTER says.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
convertTflite(const llvm::MemoryBuffer &model);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_CONVERTTFLITE_H

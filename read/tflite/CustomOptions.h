//===- CustomOptions.h - options of custom operations -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_TFLITE_CUSTOMOPTIONS_H
#define BROADLOOM_READ_TFLITE_CUSTOMOPTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::read {

/// A converter of TensorFlow Lite models leaves the options of a custom
/// operation as bytes, in `implementation_attrs`. This adds them to each
/// `tosa.custom` of the domain "TFL" as attributes with names: the entries of a
/// FlexBuffer map, and the fields of the structures that pools and transposed
/// convolutions have. Numbers are i64, f64 and i1, lists of numbers are arrays.
/// Bytes that are neither, and attributes that exist, stay as they are.
void readCustomOptions(mlir::ModuleOp module);

} // namespace broadloom::read

#endif // BROADLOOM_READ_TFLITE_CUSTOMOPTIONS_H

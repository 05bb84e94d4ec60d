// RUN: broadloom-opt %s --loom-expand-conversions | FileCheck %s
// RUN: broadloom compile %s --emit=llvm -o - | FileCheck %s --check-prefix=LLVM

// Between floats that the conversion to LLVM knows nothing of, outside kernels
// too: an index decides which element is converted here.
// LLVM-NOT: unrealized_conversion_cast
// LLVM-NOT: arith.

// CHECK-LABEL: func.func @widen
// CHECK-NOT: arith.extf %{{.*}} : bf16
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK: return
func.func @widen(%x: tensor<?xbf16>, %i: index) -> tensor<1xf64> {
  %0 = tensor.extract %x[%i] : tensor<?xbf16>
  %1 = arith.extf %0 : bf16 to f64
  %2 = tensor.from_elements %1 : tensor<1xf64>
  return %2 : tensor<1xf64>
}

// CHECK-LABEL: func.func @narrow
// CHECK-NOT: arith.truncf %{{.*}} to bf16
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
// CHECK: return
func.func @narrow(%x: tensor<?xf64>, %i: index) -> tensor<1xbf16> {
  %0 = tensor.extract %x[%i] : tensor<?xf64>
  %1 = arith.truncf %0 : f64 to bf16
  %2 = tensor.from_elements %1 : tensor<1xbf16>
  return %2 : tensor<1xbf16>
}

// CHECK-LABEL: func.func @small
// CHECK-NOT: : f8E5M2 to f16
// CHECK-NOT: to f8E4M3FN
// CHECK: arith.bitcast %{{.*}} : i8 to f8E4M3FN
// CHECK: return
func.func @small(%x: tensor<?xf8E5M2>, %i: index) -> tensor<1xf8E4M3FN> {
  %0 = tensor.extract %x[%i] : tensor<?xf8E5M2>
  %1 = arith.extf %0 : f8E5M2 to f16
  %2 = arith.truncf %1 : f16 to f8E4M3FN
  %3 = tensor.from_elements %2 : tensor<1xf8E4M3FN>
  return %3 : tensor<1xf8E4M3FN>
}

// One rounding, not by way of f32 (el-7); an i1 with a sign is 0 or -1.
// CHECK-LABEL: func.func @integers
// CHECK: arith.sitofp %{{.*}} : i32 to f64
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
// CHECK: arith.extsi %{{.*}} : i1 to i8
// CHECK: arith.sitofp %{{.*}} : i8 to f32
// CHECK: arith.bitcast %{{.*}} : i8 to f8E5M2
func.func @integers(%x: i32, %y: i1) -> (tensor<1xbf16>, tensor<1xf8E5M2>) {
  %0 = arith.sitofp %x : i32 to bf16
  %1 = arith.sitofp %y : i1 to f8E5M2
  %2 = tensor.from_elements %0 : tensor<1xbf16>
  %3 = tensor.from_elements %1 : tensor<1xf8E5M2>
  return %2, %3 : tensor<1xbf16>, tensor<1xf8E5M2>
}

// Floats of 8 bits have no arithmetic.
// CHECK-LABEL: func.func @computed
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.bitcast %{{.*}} : i8 to f8E5M2
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
func.func @computed(%x: f8E5M2, %y: f8E5M2) -> (f8E5M2, i1) {
  %0 = arith.addf %x, %y : f8E5M2
  %1 = arith.cmpf olt, %0, %x : f8E5M2
  return %0, %1 : f8E5M2, i1
}

// f16 and f32 have instructions.
// CHECK-LABEL: func.func @kept
// CHECK: arith.extf %{{.*}} : f16 to f64
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @kept(%x: tensor<?xf16>, %i: index) -> tensor<1xf32> {
  %0 = tensor.extract %x[%i] : tensor<?xf16>
  %1 = arith.extf %0 : f16 to f64
  %2 = arith.truncf %1 : f64 to f32
  %3 = tensor.from_elements %2 : tensor<1xf32>
  return %3 : tensor<1xf32>
}

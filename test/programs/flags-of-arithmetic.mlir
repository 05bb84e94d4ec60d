// RUN: broadloom run %s --function=differences "--input=3xf32=inf 1 nan" | FileCheck %s --check-prefix=FAST
// RUN: broadloom run %s --function=differences "--input=3xf32=inf 1 nan" --strategy=rfc | FileCheck %s --check-prefix=FAST
// RUN: broadloom run %s --function=quotients --input=i32=7 --input=i32=2 | FileCheck %s --check-prefix=EXACT
// RUN: broadloom run %s --function=nearest "--input=2xf32=1.00390625 1.0117188" | FileCheck %s --check-prefix=NEAREST
// RUN: broadloom run %s --function=nearest "--input=2xf32=1.00390625 1.0117188" --strategy=rfc | FileCheck %s --check-prefix=NEAREST
// RUN: not broadloom run %S/Inputs/rounds-up.mlir --input=f64=0.1 2>&1 | FileCheck %s --check-prefix=ROUNDED

// el-11 and rt-13: what a program allows the compiler to assume of its numbers
// changes no result. A rounding that is none of el-7 is refused.

// FAST: [nan 0. nan]
// FAST-NEXT: [nan 0. nan]
// FAST-NEXT: nan
func.func @differences(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, f32) {
  %a = arith.subf %x, %x fastmath<nnan,ninf> : tensor<3xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%x : tensor<3xf32>) {
  ^bb0(%e: f32, %o: f32):
    %d = arith.subf %e, %o fastmath<fast> : f32
    linalg.yield %d : f32
  } -> tensor<3xf32>
  %c0 = arith.constant 0 : index
  %e = tensor.extract %x[%c0] : tensor<3xf32>
  %c = arith.subf %e, %e fastmath<fast> : f32
  return %a, %b, %c : tensor<3xf32>, tensor<3xf32>, f32
}

// Of these, LLVM would make a product that is right for multiples alone.
// EXACT: 2
// EXACT-NEXT: 2
func.func @quotients(%x: i32, %y: i32) -> (i32, i32) {
  %c3 = arith.constant 3 : i32
  %a = arith.divsi %x, %c3 exact : i32
  %b = arith.divui %x, %c3 exact : i32
  return %a, %b : i32, i32
}

// The default mode may be named.
// NEAREST: [1. 1.016]
// NEAREST-NEXT: 1.
func.func @nearest(%x: tensor<2xf32>) -> (tensor<2xbf16>, bf16) {
  %a = arith.truncf %x to_nearest_even : tensor<2xf32> to tensor<2xbf16>
  %c0 = arith.constant 0 : index
  %e = tensor.extract %x[%c0] : tensor<2xf32>
  %b = arith.truncf %e to_nearest_even : f32 to bf16
  return %a, %b : tensor<2xbf16>, bf16
}

// ROUNDED: rounds-up.mlir:2:8: note: arith.truncf: floats are rounded to the nearest, half to even; leave out the rounding mode

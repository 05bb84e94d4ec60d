// RUN: broadloom run %s --function=differences "--input=3xf32=inf 1 nan" | FileCheck %s --check-prefix=FAST
// RUN: broadloom run %s --function=differences "--input=3xf32=inf 1 nan" --strategy=rfc | FileCheck %s --check-prefix=FAST
// RUN: broadloom run %s --function=quotients --input=i32=7 --input=i32=2 | FileCheck %s --check-prefix=EXACT
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

// EXACT: 3
// EXACT-NEXT: 1
func.func @quotients(%x: i32, %y: i32) -> (i32, i32) {
  %c2 = arith.constant 2 : i32
  %a = arith.divsi %x, %c2 exact : i32
  %b = arith.shrui %x, %c2 exact : i32
  return %a, %b : i32, i32
}

// ROUNDED: rounds-up.mlir:2:8: note: arith.truncf: floats are rounded to the nearest, half to even; leave out the rounding mode

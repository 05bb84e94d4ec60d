// Of two zeros, arith.maxnumf gives +0 and minnumf -0, whatever their order and
// whether they are constants; NaN is ignored (el-5).
// RUN: broadloom run %s --input="6xf32=-0 0 -0 nan -0 nan" --input="6xf32=0 -0 -0 -0 nan nan" | FileCheck %s
// RUN: broadloom run %s --strategy=rfc --input="6xf32=-0 0 -0 nan -0 nan" --input="6xf32=0 -0 -0 -0 nan nan" | FileCheck %s
// CHECK:      [ 0.  0. -0. -0. -0. nan]
// CHECK-NEXT: [-0. -0. -0. -0. -0. nan]
// CHECK-NEXT: 0.0
// CHECK-NEXT: -0.0
// The same in rows of a reduction, which are computed as vectors.
// RUN: broadloom run %s --function=rows --input="2x3xf32=-0 0 -0 -0 nan -0" | FileCheck %s --check-prefix=ROWS
// ROWS: [ 0. -0.]
// And of f16.
// RUN: broadloom run %s --function=half --input="3xf16=-0 nan -2" --input="3xf16=0 -0 nan" | FileCheck %s --check-prefix=HALF
// HALF: [ 0. -0. -2.]
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, f32, f32) {
  %n = arith.constant -0.0 : f32
  %z = arith.constant 0.0 : f32
  %0 = arith.maxnumf %a, %b : tensor<?xf32>
  %1 = arith.minnumf %a, %b : tensor<?xf32>
  %2 = arith.maxnumf %n, %z : f32
  %3 = arith.minnumf %z, %n : f32
  return %0, %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, f32, f32
}

func.func @rows(%a: tensor<?x3xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x3xf32>
  %n = arith.constant 0xFF800000 : f32
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%n : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce ins(%a : tensor<?x3xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
    (%x: f32, %acc: f32) {
      %s = arith.maxnumf %x, %acc : f32
      linalg.yield %s : f32
    }
  return %r : tensor<?xf32>
}

func.func @half(%a: tensor<?xf16>, %b: tensor<?xf16>) -> tensor<?xf16> {
  %0 = arith.maxnumf %a, %b : tensor<?xf16>
  return %0 : tensor<?xf16>
}

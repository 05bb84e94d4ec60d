// `broadloom check` tells which loop nests are contractions, and why other sums
// of products are none (mem-16).

// RUN: broadloom check %s | tr -s ' \n' ' ' | FileCheck %s

// CHECK: because each iteration writes elements of argument 'c'
// CHECK-SAME: it is a contraction, which kernels compute where the call has work enough and the sums overlap with no factor
// CHECK-SAME: it is a sum of products, but no contraction: 'arith.addf' has not the flags fastmath<reassoc,nsz,contract>, without which its values are those of the program's order
// CHECK-SAME: it is a sum of products, but no contraction: kernels have no sums of f16 of products of f16 and f16
// CHECK-SAME: it is a contraction, which kernels compute where the call has work enough and the sums overlap with no factor; one factor is gathered

func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        %x = affine.load %a[%i, %k] : memref<?x?xf32>
        %y = affine.load %b[%k, %j] : memref<?x?xf32>
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y fastmath<fast> : f32
        %s = arith.addf %z, %p fastmath<fast> : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @no_flags(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        %x = affine.load %a[%i, %k] : memref<?x?xf32>
        %y = affine.load %b[%k, %j] : memref<?x?xf32>
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @halves(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf16>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        %x = affine.load %a[%i, %k] : memref<?x?xf16>
        %y = affine.load %b[%k, %j] : memref<?x?xf16>
        %z = affine.load %c[%i, %j] : memref<?x?xf16>
        %p = arith.mulf %x, %y fastmath<fast> : f16
        %s = arith.addf %z, %p fastmath<fast> : f16
        affine.store %s, %c[%i, %j] : memref<?x?xf16>
      }
    }
  }
  return
}

func.func @windows(%a: memref<?x?xf32>, %b: memref<?x?x?xf32>, %c: memref<?x?xf32>, %n: index, %m: index, %t: index) {
  affine.for %i = 0 to %n {
    affine.for %f = 0 to %m {
      affine.for %j = 0 to 3 {
        affine.for %k = 0 to %m {
          %x = affine.load %a[%i * symbol(%t) + %j, %k] : memref<?x?xf32>
          %y = affine.load %b[%j, %k, %f] : memref<?x?x?xf32>
          %z = affine.load %c[%i, %f] : memref<?x?xf32>
          %p = arith.mulf %x, %y fastmath<fast> : f32
          %s = arith.addf %z, %p fastmath<fast> : f32
          affine.store %s, %c[%i, %f] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

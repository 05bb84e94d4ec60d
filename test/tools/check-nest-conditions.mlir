// What check says must hold of accesses in loops: for each innermost loop, with
// the branches around accesses, and without what follows from the rest (mem-2).
// RUN: broadloom check - < %s | FileCheck %s

// CHECK-LABEL: function least
// CHECK: 2 accesses are inside, where the loops run: argument 'n' <= 4{{ *$}}
func.func @least(%a: memref<4xf64>, %b: memref<8xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %b[%i] : memref<8xf64>
    affine.store %x, %a[%i] : memref<4xf64>
  }
  return
}

// CHECK-LABEL: function rows
// CHECK: 3 accesses are inside, where the loops run: argument 'n' + 2 <= axis 0 of argument 'a'{{ *$}}
func.func @rows(%a: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i + 1] : memref<?xf64>
    %y = affine.load %a[%i + 2] : memref<?xf64>
    %z = arith.addf %x, %y : f64
    affine.store %z, %a[%i] : memref<?xf64>
  }
  return
}

// A call with one iteration does not get to the access.
// CHECK-LABEL: function branch
// CHECK: 1 access is inside, where the loops run: (argument 'n' <= 1 or argument 'n' + 1 <=
func.func @branch(%a: memref<?xf64>, %n: index, %x: f64) {
  affine.for %i = 0 to %n {
    affine.if affine_set<(d) : (d - 1 >= 0)>(%i) {
      affine.store %x, %a[%i + 1] : memref<?xf64>
    }
  }
  return
}

// CHECK-LABEL: function inner
// CHECK: 1 access in the loop at <stdin>:[[# @LINE + 5]]:3 is inside, where the loops run: argument 'n' <=
// CHECK-NEXT: axis 0 of argument 'a'{{ *$}}
// CHECK: 1 access in the loop at <stdin>:[[# @LINE + 5]]:5 is inside, where the loops run: argument 'm' <=
// CHECK-NEXT: axis 0 of argument 'b'{{ *$}}
func.func @inner(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %m: index, %x: f64) {
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf64>
    affine.for %j = 0 to %m {
      affine.store %x, %b[%j] : memref<?xf64>
    }
  }
  return
}

// A quotient is compared as a product.
// CHECK-LABEL: function half
// CHECK: 1 access is inside, where the loops run: 1 <= axis 0 of argument 'a'{{ *$}}
func.func @half(%a: memref<?xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %a, %c0 : memref<?xf64>
  affine.for %i = 0 to affine_map<()[s] -> (s floordiv 2 + 1)>()[%d] {
    affine.store %x, %a[%i] : memref<?xf64>
  }
  return
}

// Fills are loops when machine code is made, and one that another one overwrites is left out (eff-6).

// RUN: broadloom-opt %s --broadloom-compile -o /dev/null --mlir-print-ir-before=loom-share-nests 2>&1 | FileCheck %s

// CHECK-LABEL: func.func {{.*}}twice
// CHECK-NOT: memref.store %arg1
// CHECK: memref.store %arg2, %arg0
// CHECK-LABEL: func.func {{.*}}parts
// CHECK: memref.store %arg1
// CHECK: memref.store %arg2
func.func @twice(%a: memref<?xf64>, %x: f64, %y: f64) {
  linalg.fill ins(%x : f64) outs(%a : memref<?xf64>)
  linalg.fill ins(%y : f64) outs(%a : memref<?xf64>)
  return
}

func.func @parts(%a: memref<20xf64>, %x: f64, %y: f64) {
  linalg.fill ins(%x : f64) outs(%a : memref<20xf64>)
  %b = memref.subview %a[0] [10] [2] : memref<20xf64> to memref<10xf64, strided<[2]>>
  linalg.fill ins(%y : f64) outs(%b : memref<10xf64, strided<[2]>>)
  return
}

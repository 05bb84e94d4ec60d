// RUN: broadloom run %s --function=digits --input=i64=37 --input=i64=5 | FileCheck %s --check-prefix=DIGITS
// RUN: broadloom run %s --function=digits --input=i64=-1 --input=i64=5 | FileCheck %s --check-prefix=BEFORE
// RUN: not broadloom run %s --function=digits --input=i64=37 --input=i64=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: broadloom run %s --function=number --input=i64=2 --input=i64=1 --input=i64=7 --input=i64=5 | FileCheck %s --check-prefix=NUMBER
// RUN: broadloom run %s --function=element --input=2x3xf32=0,1,2,3,4,5 --input=i64=4 | FileCheck %s --check-prefix=ELEMENT

// RUN: broadloom run %s --function=each --input=2xi64=7,1 --input=2xi64=3,2 | FileCheck %s --check-prefix=EACH
// RUN: not broadloom run %s --function=each --input=2xi64=7,1 --input=2xi64=3,-2 2>&1 | FileCheck %s --check-prefix=BASIS

// Digits of an index to a basis, whose numbers are at least 1 (rt-11), and the
// index of such digits, which wraps (rt-13) whatever `disjoint` promises.

// DIGITS: 7
// DIGITS-NEXT: 2
// DIGITS-NEXT: 37
// DIGITS-NEXT: 2
// DIGITS-NEXT: 1
// DIGITS-NEXT: 2
// BEFORE: -1
// BEFORE-NEXT: 4
// BEFORE-NEXT: -1
// BEFORE-NEXT: -1
// BEFORE-NEXT: 2
// BEFORE-NEXT: 4
// ZERO: affine-indices.mlir:[[@LINE+3]]:10: 'affine.delinearize_index': number 1 of the basis is 0, expected at least 1
func.func @digits(%i: index, %n: index) -> (index, index, index, index, index, index) {
  %0:2 = affine.delinearize_index %i into (3, 5) : index, index
  %1:2 = affine.delinearize_index %0#1 into (3, %n) : index, index
  %2 = affine.delinearize_index %i into (100) : index
  %3:3 = affine.delinearize_index %i into (3, %n) : index, index, index
  %x = arith.addi %0#0, %1#0 : index
  %y = arith.subi %x, %1#0 : index
  return %y, %0#1, %2, %3#0, %3#1, %3#2 : index, index, index, index, index, index
}

// NUMBER: 42
// NUMBER-NEXT: 42
func.func @number(%a: index, %b: index, %c: index, %n: index) -> (index, index) {
  %0 = affine.linearize_index [%a, %b, %c] by (3, %n) : index
  %1 = affine.linearize_index disjoint [%a, %b, %c] by (9, 3, %n) : index
  return %0, %1 : index, index
}

// ELEMENT: 4
func.func @element(%t: tensor<?x3xf32>, %i: index) -> f32 {
  %0:2 = affine.delinearize_index %i into (3) : index, index
  %e = tensor.extract %t[%0#0, %0#1] : tensor<?x3xf32>
  return %e : f32
}

// EACH: [5 2]
// BASIS: 'loom.map': an element is divided by 0, or the least integer by -1, or has digits to a basis below 1
func.func @each(%a: tensor<?xindex>, %s: tensor<?xindex>) -> tensor<?xindex> {
  %r = loom.map (%x = %a : tensor<?xindex>, %y = %s : tensor<?xindex>) -> tensor<?xindex> {
    %d:2 = affine.delinearize_index %x into (%y) : index, index
    %l = affine.linearize_index [%d#1, %d#0] by (%y) : index
    loom.yield %l : index
  }
  return %r : tensor<?xindex>
}

// RUN: broadloom run %s --input="2x1xi1=1 0" --input=i1=0 | FileCheck %s
// RUN: not broadloom run %s --input="2x1xi1=1 0" --input=i1=1 2>&1 | FileCheck %s --check-prefix=TAKEN

// What is put into itself has one type as the whole and as the part; upstream's
// verifier compares its extents although the branch may not be taken.
// CHECK: [ True]
// CHECK-NEXT: [False]
func.func @main(%a: tensor<2x1xi1>, %taken: i1) -> tensor<?x?xi1> {
  %r = scf.if %taken -> tensor<?x?xi1> {
    // TAKEN: slices-of-oneself.mlir:[[#@LINE+1]]:{{.*}} 'tensor.insert_slice': the slice takes 2 elements of axis 0 from 1 on, but the extent is 2
    %inserted = tensor.insert_slice %a into %a[1, 0] [2, 1] [1, 1] : tensor<2x1xi1> into tensor<2x1xi1>
    %open = tensor.cast %inserted : tensor<2x1xi1> to tensor<?x?xi1>
    scf.yield %open : tensor<?x?xi1>
  } else {
    %open = tensor.cast %a : tensor<2x1xi1> to tensor<?x?xi1>
    scf.yield %open : tensor<?x?xi1>
  }
  return %r : tensor<?x?xi1>
}

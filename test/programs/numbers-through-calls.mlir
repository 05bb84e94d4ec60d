// RUN: broadloom shapes %s --function=twice --input=5x17 | FileCheck %s --check-prefix=TWICE
// RUN: broadloom shapes %s --function=twice --input=Nx17 | FileCheck %s --check-prefix=NAMED
// RUN: not broadloom shapes %s --function=twice --input=5x16 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not broadloom run %s --function=twice --input=5x16xi1=0 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: broadloom shapes %s --function=returned --input=2x3 | FileCheck %s --check-prefix=RETURNED
// RUN: broadloom shapes %s --function=returned --input=5x3 | FileCheck %s --check-prefix=SWAPPED
// RUN: broadloom shapes %s --function=mixed --input=7 --input=i64 | FileCheck %s --check-prefix=MIXED
// RUN: broadloom shapes %s --function=mixed --input=7 --input=i64=3 | FileCheck %s --check-prefix=TOLD
// RUN: broadloom-opt %s --broadloom-shapes | FileCheck %s --check-prefix=QUERIES

// abi-2: numbers that follow from shapes do so through calls, as arguments and
// as results; no query is left that nobody calls.

// QUERIES-DAG: func.func private @shapes_of_inner{{.*}}(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index) -> (index, index) attributes {loom.shape_query = {{.*}}taken_numbers = array<i32: 1>
// QUERIES-NOT: of = "inner"
// QUERIES-NOT: of = "splat", results = {{.*}}taken_numbers
func.func private @inner(%a: tensor<?x?xi1>, %n: index) -> tensor<?x?xi1> {
  %s = tensor.extract_slice %a[0, 12] [%n, 3] [1, 2] : tensor<?x?xi1> to tensor<?x3xi1>
  %r = tensor.cast %s : tensor<?x3xi1> to tensor<?x?xi1>
  return %r : tensor<?x?xi1>
}

func.func private @outer(%a: tensor<?x?xi1>, %n: index) -> tensor<?x?xi1> {
  %r = func.call @inner(%a, %n) : (tensor<?x?xi1>, index) -> tensor<?x?xi1>
  return %r : tensor<?x?xi1>
}

// TWICE: {{^}}4x3{{$}}
// NAMED: {{^}}(N-1)x3{{$}}
// NARROW: numbers-through-calls.mlir:[[# @LINE - 12]]:{{[0-9]+}}: 'tensor.extract_slice': the slice takes 3 elements of axis 1 from 12 on in steps of 2, but the extent is 16
func.func @twice(%a: tensor<?x?xi1>) -> tensor<?x?xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?x?xi1>
  %n = arith.subi %d, %c1 : index
  %r = func.call @outer(%a, %n) : (tensor<?x?xi1>, index) -> tensor<?x?xi1>
  return %r : tensor<?x?xi1>
}

func.func private @sizes(%a: tensor<?x?xf32>, %least: i32) -> (i1, index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %less = arith.cmpi slt, %m, %n : index
  %word = arith.index_cast %n : index to i32
  %sum = arith.addi %word, %least : i32
  return %less, %m, %sum : i1, index, i32
}

// RETURNED: {{^}}2x7{{$}}
// SWAPPED: {{^}}7x5{{$}}
func.func @returned(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %four = arith.constant 4 : i32
  %less, %m, %sum = func.call @sizes(%a, %four) : (tensor<?x?xf32>, i32) -> (i1, index, i32)
  %n = arith.index_cast %sum : i32 to index
  %x = arith.select %less, %m, %n : index
  %y = arith.select %less, %n, %m : index
  %r = tensor.generate %x, %y {
  ^bb0(%i: index, %j: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func private @rectangle(%m: index, %n: i64) -> tensor<?x?xf32> {
  %k = arith.index_cast %n : i64 to index
  %r = tensor.generate %m, %k {
  ^bb0(%i: index, %j: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// MIXED: {{^}}7x?{{$}}
// TOLD: {{^}}7x3{{$}}
func.func @mixed(%a: tensor<?xf32>, %n: tensor<i64>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %k = tensor.extract %n[] : tensor<i64>
  %r = func.call @rectangle(%m, %k) : (index, i64) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Nobody calls a query of it with numbers: it is not certain that main does.
func.func @splat(%a: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.splat %z[%n] : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @uncertain(%a: tensor<?xf32>, %c: i1, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.if %c -> tensor<?xf32> {
    %x = func.call @splat(%a, %n, %k) : (tensor<?xf32>, index, index) -> tensor<?xf32>
    %y = func.call @splat(%a, %k, %n) : (tensor<?xf32>, index, index) -> tensor<?xf32>
    %w = func.call @splat(%a, %n, %n) : (tensor<?xf32>, index, index) -> tensor<?xf32>
    scf.yield %x : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// RUN: broadloom-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @some_of_them
// CHECK: %{{.*}}:2 = loom.sort %arg0 into %arg1, %arg2 {axis = 1 : i64, descending} : (tensor<?x?xf32>, tensor<?x5xf32>, tensor<?x5xi64>) -> (tensor<?x5xf32>, tensor<?x5xi64>)
func.func @some_of_them(%x: tensor<?x?xf32>, %v: tensor<?x5xf32>, %p: tensor<?x5xi64>) -> (tensor<?x5xf32>, tensor<?x5xi64>) {
  %r:2 = loom.sort %x into %v, %p {axis = 1 : i64, descending} : (tensor<?x?xf32>, tensor<?x5xf32>, tensor<?x5xi64>) -> (tensor<?x5xf32>, tensor<?x5xi64>)
  return %r#0, %r#1 : tensor<?x5xf32>, tensor<?x5xi64>
}

// -----

func.func @axis(%x: tensor<4xf32>, %p: tensor<4xi64>) {
  // expected-error@+1 {{'loom.sort' op has axis 1, but the source has rank 1}}
  %r:2 = loom.sort %x into %x, %p {axis = 1 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>)
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>, %p: tensor<4xi64>) {
  // expected-error@+1 {{'loom.sort' op operand of type 'tensor<*xf32>'; it takes ranked tensors}}
  %r:2 = loom.sort %x into %x, %p {axis = 0 : i64} : (tensor<*xf32>, tensor<*xf32>, tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>)
  return
}

// -----

func.func @rank(%x: tensor<4xf32>, %v: tensor<4x1xf32>, %p: tensor<4xi64>) {
  // expected-error@+1 {{'loom.sort' op has a source of rank 1 and a destination of type 'tensor<4x1xf32>'; all have the source's rank}}
  %r:2 = loom.sort %x into %v, %p {axis = 0 : i64} : (tensor<4xf32>, tensor<4x1xf32>, tensor<4xi64>) -> (tensor<4x1xf32>, tensor<4xi64>)
  return
}

// -----

func.func @elements(%x: tensor<4xi7>, %p: tensor<4xi64>) {
  // expected-error@+1 {{'loom.sort' op does not order elements of type 'i7'}}
  %r:2 = loom.sort %x into %x, %p {axis = 0 : i64} : (tensor<4xi7>, tensor<4xi7>, tensor<4xi64>) -> (tensor<4xi7>, tensor<4xi64>)
  return
}

// -----

func.func @values(%x: tensor<4xf32>, %v: tensor<4xf16>, %p: tensor<4xi64>) {
  // expected-error@+1 {{'loom.sort' op has elements of type 'f32' and a destination for 'f16'}}
  %r:2 = loom.sort %x into %v, %p {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf16>, tensor<4xi64>) -> (tensor<4xf16>, tensor<4xi64>)
  return
}

// -----

func.func @indices(%x: tensor<4xf32>, %p: tensor<4xi32>) {
  // expected-error@+1 {{'loom.sort' op has indices of type 'i32'; they are i64}}
  %r:2 = loom.sort %x into %x, %p {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}

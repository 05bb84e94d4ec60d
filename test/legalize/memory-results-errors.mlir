// Arithmetic that gives memory is a cast of all elements, whose sizes may differ (mem-7).

// RUN: broadloom-opt %s --split-input-file --broadloom-prepare --convert-tosa-to-loom --verify-diagnostics

func.func @dynamic(%a: memref<?xi32>, %i: index, %x: index) {
  // expected-error @+2 {{the program has 1 operation that cannot be compiled}}
  // expected-note @+1 {{arith.index_cast: it gives memory whose elements have another type; load elements, and cast those}}
  %m = arith.index_cast %a : memref<?xi32> to memref<?xindex>
  memref.store %x, %m[%i] : memref<?xindex>
  return
}

// -----

func.func @static(%a: memref<10xi32>, %i: index) -> index {
  // expected-error @+2 {{the program has 1 operation that cannot be compiled}}
  // expected-note @+1 {{arith.index_castui: it gives memory whose elements have another type; load elements, and cast those}}
  %m = arith.index_castui %a : memref<10xi32> to memref<10xindex>
  %x = memref.load %m[%i] : memref<10xindex>
  return %x : index
}

// -----

func.func @narrow(%a: memref<?xindex>, %i: index, %x: i8) {
  // expected-error @+2 {{the program has 1 operation that cannot be compiled}}
  // expected-note @+1 {{arith.index_cast: it gives memory whose elements have another type; load elements, and cast those}}
  %m = arith.index_cast %a : memref<?xindex> to memref<?xi8>
  memref.store %x, %m[%i] : memref<?xi8>
  return
}

// A nest that is a contraction reads what was copied to memory of the function's
// own, and the copy is removed, where nothing else reads or writes that memory
// and nothing changes what was copied (mem-16).

// RUN: broadloom-opt %s --loom-raise-nests --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @redundant
// CHECK-SAME: %[[A:[^:]*]]: memref<64x64xf32>
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: scf.for
// CHECK: memref.reinterpret_cast %[[A]] to offset: [%{{.*}}]
// CHECK: loom.launch
// CHECK: } else {
// CHECK-COUNT-3: scf.for
// CHECK: memref.load %[[A]]
// CHECK-COUNT-1: memref.dealloc
// CHECK-NOT: memref.dealloc
func.func @redundant(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = memref.alloc() : memref<64x64xf32>
  %sums = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%m]
      %x = memref.load %a[%i, %at] : memref<64x64xf32>
      memref.store %x, %tile[%i, %j] : memref<64x64xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %tile[%i, %l] : memref<64x64xf32>
        %y = memref.load %b[%l, %j] : memref<64x64xf32>
        %z = memref.load %sums[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %sums[%i, %j] : memref<64x64xf32>
      }
    }
  }
  memref.dealloc %tile : memref<64x64xf32>
  memref.dealloc %sums : memref<64x64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @on_the_stack
// CHECK-NOT: memref.alloca
// CHECK: loom.launch
func.func @on_the_stack(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = memref.alloca() : memref<64x64xf32>
  %sums = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%m]
      %x = memref.load %a[%i, %at] : memref<64x64xf32>
      memref.store %x, %tile[%i, %j] : memref<64x64xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %tile[%i, %l] : memref<64x64xf32>
        %y = memref.load %b[%l, %j] : memref<64x64xf32>
        %z = memref.load %sums[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %sums[%i, %j] : memref<64x64xf32>
      }
    }
  }
  memref.dealloc %sums : memref<64x64xf32>
  return
}

// -----

// Memory that is left over is told of.
// CHECK-LABEL: func.func @never_freed
// CHECK: memref.alloc
// CHECK-NEXT: memref.alloc
// CHECK-NOT: scf.for
// CHECK: loom.launch
func.func @never_freed(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = memref.alloc() : memref<64x64xf32>
  %sums = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%m]
      %x = memref.load %a[%i, %at] : memref<64x64xf32>
      memref.store %x, %tile[%i, %j] : memref<64x64xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %tile[%i, %l] : memref<64x64xf32>
        %y = memref.load %b[%l, %j] : memref<64x64xf32>
        %z = memref.load %sums[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %sums[%i, %j] : memref<64x64xf32>
      }
    }
  }
  memref.dealloc %sums : memref<64x64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @changed_before
// CHECK: %[[TILE:.*]] = memref.alloc()
// CHECK: memref.store %{{.*}}, %[[TILE]]
// CHECK: loom.launch
func.func @changed_before(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = memref.alloc() : memref<64x64xf32>
  %sums = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%m]
      %x = memref.load %a[%i, %at] : memref<64x64xf32>
      memref.store %x, %tile[%i, %j] : memref<64x64xf32>
    }
  }
  %one = arith.constant 1.0 : f32
  memref.store %one, %a[%c0, %c0] : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %tile[%i, %l] : memref<64x64xf32>
        %y = memref.load %b[%l, %j] : memref<64x64xf32>
        %z = memref.load %sums[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %sums[%i, %j] : memref<64x64xf32>
      }
    }
  }
  memref.dealloc %tile : memref<64x64xf32>
  memref.dealloc %sums : memref<64x64xf32>
  return
}

// -----

// Arguments may be the same memory.
// CHECK-LABEL: func.func @changed_by_another_name
// CHECK: %[[TILE:.*]] = memref.alloc()
// CHECK: memref.store %{{.*}}, %[[TILE]]
// CHECK: loom.launch
func.func @changed_by_another_name(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = memref.alloc() : memref<64x64xf32>
  %sums = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%m]
      %x = memref.load %a[%i, %at] : memref<64x64xf32>
      memref.store %x, %tile[%i, %j] : memref<64x64xf32>
    }
  }
  %one = arith.constant 1.0 : f32
  memref.store %one, %b[%c0, %c0] : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %tile[%i, %l] : memref<64x64xf32>
        %y = memref.load %b[%l, %j] : memref<64x64xf32>
        %z = memref.load %sums[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %sums[%i, %j] : memref<64x64xf32>
      }
    }
  }
  memref.dealloc %tile : memref<64x64xf32>
  memref.dealloc %sums : memref<64x64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @written_elsewhere
// CHECK: %[[TILE:.*]] = memref.alloc()
// CHECK: memref.store %{{.*}}, %[[TILE]]
// CHECK: loom.launch
func.func @written_elsewhere(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = memref.alloc() : memref<64x64xf32>
  %sums = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%m]
      %x = memref.load %a[%i, %at] : memref<64x64xf32>
      memref.store %x, %tile[%i, %j] : memref<64x64xf32>
    }
  }
  %one = arith.constant 1.0 : f32
  memref.store %one, %tile[%c0, %c0] : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %tile[%i, %l] : memref<64x64xf32>
        %y = memref.load %b[%l, %j] : memref<64x64xf32>
        %z = memref.load %sums[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %sums[%i, %j] : memref<64x64xf32>
      }
    }
  }
  memref.dealloc %tile : memref<64x64xf32>
  memref.dealloc %sums : memref<64x64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @read_elsewhere
// CHECK: %[[TILE:.*]] = memref.alloc()
// CHECK: memref.store %{{.*}}, %[[TILE]]
// CHECK: loom.launch
func.func @read_elsewhere(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = memref.alloc() : memref<64x64xf32>
  %sums = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%m]
      %x = memref.load %a[%i, %at] : memref<64x64xf32>
      memref.store %x, %tile[%i, %j] : memref<64x64xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %tile[%i, %l] : memref<64x64xf32>
        %y = memref.load %b[%l, %j] : memref<64x64xf32>
        %z = memref.load %sums[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %sums[%i, %j] : memref<64x64xf32>
      }
    }
  }
  %last = memref.load %tile[%c0, %c0] : memref<64x64xf32>
  memref.store %last, %b[%c0, %c0] : memref<64x64xf32>
  memref.dealloc %tile : memref<64x64xf32>
  memref.dealloc %sums : memref<64x64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @more_than_was_copied
// CHECK: %[[TILE:.*]] = memref.alloc()
// CHECK: memref.store %{{.*}}, %[[TILE]]
// CHECK: loom.launch
func.func @more_than_was_copied(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = memref.alloc() : memref<64x64xf32>
  %sums = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%m]
      %x = memref.load %a[%i, %at] : memref<64x64xf32>
      memref.store %x, %tile[%i, %j] : memref<64x64xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %m step %c1 {
        %x = memref.load %tile[%i, %l] : memref<64x64xf32>
        %y = memref.load %b[%l, %j] : memref<64x64xf32>
        %z = memref.load %sums[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %sums[%i, %j] : memref<64x64xf32>
      }
    }
  }
  memref.dealloc %tile : memref<64x64xf32>
  memref.dealloc %sums : memref<64x64xf32>
  return
}

// -----

// A row that is copied to all rows is no factor: its nest is a product of a
// matrix and a row, whose loops are none of a contraction.
// CHECK-LABEL: func.func @no_contraction_of_it
// CHECK: %[[TILE:.*]] = memref.alloc()
// CHECK: memref.store %{{.*}}, %[[TILE]]
// CHECK: loom.launch
func.func @no_contraction_of_it(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = memref.alloc() : memref<64x64xf32>
  %sums = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%m]
      %x = memref.load %a[%c0, %at] : memref<64x64xf32>
      memref.store %x, %tile[%i, %j] : memref<64x64xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %tile[%i, %l] : memref<64x64xf32>
        %y = memref.load %b[%l, %j] : memref<64x64xf32>
        %z = memref.load %sums[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %sums[%i, %j] : memref<64x64xf32>
      }
    }
  }
  memref.dealloc %tile : memref<64x64xf32>
  memref.dealloc %sums : memref<64x64xf32>
  return
}

// -----

// CHECK-LABEL: func.func @call_between
// CHECK: %[[TILE:.*]] = memref.alloc()
// CHECK: memref.store %{{.*}}, %[[TILE]]
// CHECK: loom.launch
func.func @call_between(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = memref.alloc() : memref<64x64xf32>
  %sums = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%m]
      %x = memref.load %a[%i, %at] : memref<64x64xf32>
      memref.store %x, %tile[%i, %j] : memref<64x64xf32>
    }
  }
  func.call @other() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %tile[%i, %l] : memref<64x64xf32>
        %y = memref.load %b[%l, %j] : memref<64x64xf32>
        %z = memref.load %sums[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %sums[%i, %j] : memref<64x64xf32>
      }
    }
  }
  memref.dealloc %tile : memref<64x64xf32>
  memref.dealloc %sums : memref<64x64xf32>
  return
}
func.func private @other()

// -----

// Tiles of sums that are copied, added to and copied back are one contraction
// of what they were copied from; the loops as they stand run elsewhere.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: %[[A:[^:]*]]: memref<?x?xf32>, %{{[^:]*}}: memref<?x?xf32>, %[[C:[^:]*]]: memref<?x?xf32>
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK: memref.reinterpret_cast %[[A]]
// CHECK-NOT: scf.for
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %[[C]]
// CHECK-NOT: scf.for
// CHECK: loom.launch({{.*}}%[[SUMS]]
// CHECK-NOT: scf.for
// CHECK: } else {
// CHECK-COUNT-8: scf.for
// CHECK: memref.dealloc
func.func @sums(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %tile = memref.alloc() : memref<32x32xf32>
  scf.for %i = %c0 to %n step %c32 {
    %end = affine.min affine_map<(d0)[s0] -> (32, s0 - d0)>(%i)[%n]
    scf.for %x = %c0 to %end step %c1 {
      %at = arith.addi %i, %x : index
      scf.for %y = %c0 to %c32 step %c1 {
        %v = memref.load %c[%at, %y] : memref<?x?xf32>
        memref.store %v, %tile[%x, %y] : memref<32x32xf32>
      }
    }
    scf.for %x = %c0 to %end step %c1 {
      scf.for %y = %c0 to %c32 step %c1 {
        scf.for %k = %c0 to %m step %c1 {
          %at = arith.addi %i, %x : index
          %u = memref.load %a[%at, %k] : memref<?x?xf32>
          %v = memref.load %b[%k, %y] : memref<?x?xf32>
          %z = memref.load %tile[%x, %y] : memref<32x32xf32>
          %p = arith.mulf %u, %v {loom.fastmath = #arith.fastmath<fast>} : f32
          %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
          memref.store %s, %tile[%x, %y] : memref<32x32xf32>
        }
      }
    }
    scf.for %x = %c0 to %end step %c1 {
      %at = arith.addi %i, %x : index
      scf.for %y = %c0 to %c32 step %c1 {
        %v = memref.load %tile[%x, %y] : memref<32x32xf32>
        memref.store %v, %c[%at, %y] : memref<?x?xf32>
      }
    }
  }
  memref.dealloc %tile : memref<32x32xf32>
  return
}

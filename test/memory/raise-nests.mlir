// A nest that is a contraction has a version by a kernel, which runs where the
// sums are apart from the factors and there is work enough (mem-16).

// RUN: broadloom-opt %s --loom-raise-nests | FileCheck %s

// The loops are in any order. The flags let the sums begin with 0.
// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>, %[[M:.*]]: index, %[[N:.*]]: index, %[[K:.*]]: index
// CHECK: arith.cmpi sgt, %[[K]]
// CHECK: arith.cmpi sgt, %[[M]]
// CHECK: arith.cmpi sgt, %[[N]]
// CHECK: %[[LEAST:.*]] = arith.constant 16384
// CHECK: arith.cmpi sge, %{{.*}}, %[[LEAST]]
// CHECK: memref.extract_aligned_pointer_as_index %[[C]]
// CHECK: scf.if
// CHECK: %[[WEIGHT:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [%[[K]], %[[N]]], strides: [1, %{{.*}}]
// CHECK: %[[IMAGE:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%[[M]], %[[K]]], strides: [%{{.*}}, 1]
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: [%[[M]], %[[N]]], strides: [%{{.*}}, 1]
// CHECK: %[[MADE:.*]] = loom.launch(%[[IMAGE]], %[[WEIGHT]], %[[SUMS]])
// CHECK: arith.addf
// CHECK: memref.copy %[[MADE]], %[[SUMS]]
// CHECK-NEXT: loom.release %[[MADE]]
// CHECK-NEXT: } else {
// CHECK-COUNT-3: scf.for
// CHECK-NOT: loom.fastmath
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %n: index, %k: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %l = %c0 to %k step %c1 {
    scf.for %i = %c0 to %m step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %x = memref.load %a[%i, %l] : memref<?x?xf32>
        %y = memref.load %b[%j, %l] : memref<?x?xf32>
        %z = memref.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<contract>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<contract,reassoc,nsz>} : f32
        memref.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// A sum that begins with 0 needs one flag; the loop may carry it.
// CHECK-LABEL: func.func @carried
// CHECK: scf.if
// CHECK: loom.launch(%{{[^,]*}}, %{{[^,]*}}) slots
// CHECK: } else {
func.func @carried(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %n: index, %k: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %sum = scf.for %l = %c0 to %k step %c1 iter_args(%old = %zero) -> f32 {
        %x = memref.load %a[%i, %l] : memref<?x?xf32>
        %y = memref.load %b[%l, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<contract>} : f32
        %s = arith.addf %old, %p {loom.fastmath = #arith.fastmath<contract>} : f32
        scf.yield %s : f32
      }
      memref.store %sum, %c[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Integers need no flags; sums of a batch are products of matrices.
// CHECK-LABEL: func.func @integers
// CHECK: scf.if
// CHECK: loom.launch{{.*}} : (memref<?x?x?xi8, {{.*}}>, memref<?x?x?xi8, {{.*}}>, memref<?x?x?xi32, {{.*}}>) -> memref<?x?x?xi32>
func.func @integers(%a: memref<?x?x?xi8>, %b: memref<?x?x?xi8>, %c: memref<?x?x?xi32>, %h: index, %m: index, %n: index, %k: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %g = %c0 to %h step %c1 {
    scf.for %i = %c0 to %m step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        scf.for %l = %c0 to %k step %c1 {
          %x = memref.load %a[%g, %i, %l] : memref<?x?x?xi8>
          %y = memref.load %b[%g, %l, %j] : memref<?x?x?xi8>
          %z = memref.load %c[%g, %i, %j] : memref<?x?x?xi32>
          %u = arith.extsi %x : i8 to i32
          %v = arith.extsi %y : i8 to i32
          %p = arith.muli %u, %v : i32
          %s = arith.addi %z, %p : i32
          memref.store %s, %c[%g, %i, %j] : memref<?x?x?xi32>
        }
      }
    }
  }
  return
}

// A tile: a loop may begin elsewhere than at 0, and a subscript may have a
// number that is known in front. Operations that compute the same are equal.
// CHECK-LABEL: func.func @tile
// CHECK-SAME: %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>, %[[M:.*]]: index, %[[N:.*]]: index, %[[K:.*]]: index, %[[T:.*]]: index
// CHECK: %[[ROWS:.*]] = arith.subi %[[M]], %[[T]]
// CHECK: arith.cmpi slt, %[[T]], %[[M]]
// CHECK: arith.cmpi sgt, %[[ROWS]]
// CHECK: scf.if
// CHECK: %[[FIRST:.*]] = arith.addi %[[T]], %c0
// CHECK: %[[ROW:.*]] = arith.muli %[[FIRST]], %{{.*}}
// CHECK: memref.reinterpret_cast %[[B]] to offset: [%[[ROW]]], sizes: [%[[K]], %[[N]]]
// CHECK: %[[COLUMN:.*]] = affine.apply #{{.*}}()[%[[T]]]
// CHECK: %[[OFFSET:.*]] = arith.addi %{{.*}}, %[[COLUMN]]
// CHECK: memref.reinterpret_cast %[[A]] to offset: [%[[OFFSET]]], sizes: [%[[ROWS]], %[[K]]]
// CHECK: %[[LESS:.*]] = arith.subi %[[T]], %c1
// CHECK: %[[PLACE:.*]] = arith.muli %[[LESS]], %{{.*}}
// CHECK: memref.reinterpret_cast %[[C]] to offset: [%[[PLACE]]], sizes: [%[[ROWS]], %[[N]]]
// CHECK: loom.launch
func.func @tile(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %n: index, %k: index, %t: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %t to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %k step %c1 {
        %at = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1)>(%l, %t, %i)
        %x = memref.load %a[%i, %at] : memref<?x?xf32>
        %again = arith.addi %t, %l : index
        %y = memref.load %b[%again, %j] : memref<?x?xf32>
        %from = arith.subi %i, %c1 : index
        %z = memref.load %c[%from, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<contract>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<contract,reassoc,nsz>} : f32
        %to = arith.subi %i, %c1 {loom.origin = "affine.store"} : index
        memref.store %s, %c[%to, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// What is not indexed by single loops is gathered, with 0 where the condition
// does not hold. What the condition leaves out need not exist. Loops that the
// condition does not depend on are within it.
// CHECK-LABEL: func.func @windows
// CHECK-SAME: %[[A:.*]]: memref<?x?x?xf32>, %[[W:.*]]: memref<?x?x?xf32>, %[[R:.*]]: memref<?x?x?xf32>
// CHECK-DAG: memref.dim %[[W]], %{{.*}}
// CHECK-DAG: memref.dim %[[R]], %{{.*}}
// CHECK: scf.if
// CHECK: scf.for
// CHECK: %[[GATHERED:.*]] = loom.alloc
// CHECK-COUNT-3: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK: memref.load %[[A]]
// CHECK-NEXT: memref.store %{{.*}}, %[[GATHERED]]
// CHECK: } else {
// CHECK: scf.for
// CHECK: 0.000000e+00
// CHECK: memref.store %{{.*}}, %[[GATHERED]]
// CHECK: %[[DENSE:.*]] = loom.contiguous
// CHECK: %[[WEIGHT:.*]] = memref.collapse_shape %[[DENSE]] {{\[\[}}0, 1], [2]]
// CHECK: %[[IMAGE:.*]] = memref.reinterpret_cast %[[GATHERED]]
// CHECK: %[[MADE:.*]] = loom.launch(%[[IMAGE]], %[[WEIGHT]],
// CHECK: memref.copy %[[MADE]]
// CHECK: loom.release %[[DENSE]]
// CHECK: loom.release %[[GATHERED]]
// CHECK: } else {
// CHECK-COUNT-5: scf.for
func.func @windows(%a: memref<?x?x?xf32>, %w: memref<?x?x?xf32>, %r: memref<?x?x?xf32>, %n: index, %x: index, %o: index, %k: index, %c: index, %e: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %b = %c0 to %n step %c1 {
    scf.for %i = %c0 to %x step %c1 {
      scf.for %f = %c0 to %o step %c1 {
        scf.for %j = %c0 to %k step %c1 {
          scf.for %l = %c0 to %c step %c1 {
            %at = arith.addi %i, %j : index
            %in = arith.cmpi slt, %at, %e : index
            scf.if %in {
              %u = memref.load %a[%b, %at, %l] : memref<?x?x?xf32>
              %v = memref.load %w[%j, %l, %f] : memref<?x?x?xf32>
              %z = memref.load %r[%b, %i, %f] : memref<?x?x?xf32>
              %p = arith.mulf %u, %v {loom.fastmath = #arith.fastmath<fast>} : f32
              %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
              memref.store %s, %r[%b, %i, %f] : memref<?x?x?xf32>
            }
          }
        }
      }
    }
  }
  return
}

// Tiles are joined: the loop over the elements of a tile ends with the tile or
// with the last element. Bounds that are far away from 0 could overflow.
// CHECK-LABEL: func.func @tiles
// CHECK-SAME: %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>, %[[M:.*]]: index, %[[N:.*]]: index, %[[K:.*]]: index
// CHECK: arith.cmpi sle, %[[M]], %c2305843009213693952
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK: memref.reinterpret_cast %[[B]] to offset: [%{{.*}}], sizes: [%[[K]], %[[N]]]
// CHECK: loom.launch
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %c0 to %[[M]] step %c32
// CHECK-COUNT-4: scf.for
// CHECK-NOT: scf.for
func.func @tiles(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %n: index, %k: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %t = %c0 to %m step %c32 {
    scf.for %u = %c0 to %k step %c32 {
      %row = affine.min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%t)[%m]
      scf.for %i = %t to %row step %c1 {
        scf.for %j = %c0 to %n step %c1 {
          %left = arith.subi %k, %u : index
          %least = arith.minsi %c32, %left : index
          scf.for %l = %c0 to %least step %c1 {
            %at = arith.addi %u, %l : index
            %x = memref.load %a[%i, %at] : memref<?x?xf32>
            %y = memref.load %b[%at, %j] : memref<?x?xf32>
            %z = memref.load %c[%i, %j] : memref<?x?xf32>
            %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<contract>} : f32
            %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<contract,reassoc,nsz>} : f32
            memref.store %s, %c[%i, %j] : memref<?x?xf32>
          }
        }
      }
    }
  }
  return
}

// Without flags, with a sum that is a factor too, or with a check inside, the
// nest stays loops.
// CHECK-LABEL: func.func @no_flags
// CHECK-NOT: loom.launch
func.func @no_flags(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %a[%i, %l] : memref<?x?xf32>
        %y = memref.load %b[%l, %j] : memref<?x?xf32>
        %z = memref.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<contract>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<contract,reassoc>} : f32
        memref.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @sum_is_a_factor
// CHECK-NOT: loom.launch
func.func @sum_is_a_factor(%b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %x = memref.load %c[%i, %l] : memref<?x?xf32>
        %y = memref.load %b[%l, %j] : memref<?x?xf32>
        %z = memref.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @check_inside
// CHECK-NOT: loom.launch
func.func @check_inside(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %fine = arith.cmpi slt, %l, %n : index
        cf.assert %fine, "outside"
        %x = memref.load %a[%i, %l] : memref<?x?xf32>
        %y = memref.load %b[%l, %j] : memref<?x?xf32>
        %z = memref.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// A convolution by numbers reads its image in place, where its window has as many
// positions as the loops; else the image is gathered.
// CHECK-LABEL: func.func @in_place
// CHECK: %[[FITS:.*]] = arith.cmpi ult, %{{.*}}, %c2
// CHECK: arith.cmpi ult, %{{.*}}, %c1
// CHECK: %[[BOTH:.*]] = arith.andi %[[FITS]]
// CHECK: scf.if %[[BOTH]]
// CHECK: loom.launch{{.*}} strides = [2, 1], dilations = [1, 3], pads = [1, 1, 0, 0]>
// CHECK: } else {
// CHECK: loom.launch{{.*}} strides = [], dilations = [], pads = []>
func.func @in_place(%a: memref<?x?x?x?xf32>, %w: memref<?x?x?x?xf32>, %r: memref<?x?x?x?xf32>, %n: index, %h: index, %x: index, %o: index, %k: index, %m: index, %c: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %end = memref.dim %a, %c1 : memref<?x?x?x?xf32>
  scf.for %g = %c0 to %n step %c1 {
    scf.for %y = %c0 to %h step %c1 {
      scf.for %i = %c0 to %x step %c1 {
        scf.for %f = %c0 to %o step %c1 {
          scf.for %j = %c0 to %k step %c1 {
            scf.for %e = %c0 to %m step %c1 {
              scf.for %l = %c0 to %c step %c1 {
                %at = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 - 1)>(%y, %j)
                %to = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 3)>(%i, %e)
                %in = arith.cmpi ult, %at, %end : index
                scf.if %in {
                  %u = memref.load %a[%g, %at, %to, %l] : memref<?x?x?x?xf32>
                  %v = memref.load %w[%j, %e, %l, %f] : memref<?x?x?x?xf32>
                  %z = memref.load %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
                  %p = arith.mulf %u, %v {loom.fastmath = #arith.fastmath<fast>} : f32
                  %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
                  memref.store %s, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
                }
              }
            }
          }
        }
      }
    }
  }
  return
}

// Strides and dilations of the call are those of a window where they are 1.
// CHECK-LABEL: func.func @of_the_call
// CHECK-SAME: %[[IMAGE:[^:]*]]: memref<?x?x?x?xf32>
// CHECK-SAME: %[[S:[^:]*]]: index, %[[D:[^:]*]]: index, %[[P:[^:]*]]: index)
// CHECK: affine.apply #{{.*}}(%c0{{[^)]*}}, %c0{{[^)]*}})[%[[S]], %[[D]], %[[P]]]
// CHECK: affine.apply #{{.*}}(%c1{{[^)]*}}, %c0{{[^)]*}})[%[[S]], %[[D]], %[[P]]]
// CHECK: arith.cmpi eq, %{{.*}}, %c1
// CHECK: affine.apply #{{.*}}(%c0{{[^)]*}}, %c1{{[^)]*}})[%[[S]], %[[D]], %[[P]]]
// CHECK: arith.cmpi eq, %{{.*}}, %c1
// CHECK: loom.launch{{.*}} strides = [1, 1], dilations = [1, 1], pads = [0, 0, 0, 0]>
// CHECK: } else {
// CHECK: loom.launch{{.*}} strides = [], dilations = [], pads = []>
func.func @of_the_call(%a: memref<?x?x?x?xf32>, %w: memref<?x?x?x?xf32>, %r: memref<?x?x?x?xf32>, %n: index, %h: index, %x: index, %o: index, %k: index, %m: index, %c: index, %st: index, %di: index, %pa: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %g = %c0 to %n step %c1 {
    scf.for %y = %c0 to %h step %c1 {
      scf.for %i = %c0 to %x step %c1 {
        scf.for %f = %c0 to %o step %c1 {
          scf.for %j = %c0 to %k step %c1 {
            scf.for %e = %c0 to %m step %c1 {
              scf.for %l = %c0 to %c step %c1 {
                %at = affine.apply affine_map<(d0, d1)[s0, s1, s2] -> (d0 * s0 + d1 * s1 - s2)>(%y, %j)[%st, %di, %pa]
                %to = arith.addi %i, %e : index
                %u = memref.load %a[%g, %at, %to, %l] : memref<?x?x?x?xf32>
                %v = memref.load %w[%j, %e, %l, %f] : memref<?x?x?x?xf32>
                %z = memref.load %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
                %p = arith.mulf %u, %v {loom.fastmath = #arith.fastmath<fast>} : f32
                %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
                memref.store %s, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}

// A factor that is never 1 is no window's.
// CHECK-LABEL: func.func @never_one
// CHECK-NOT: strides = [1
// CHECK: loom.launch{{.*}} strides = [], dilations = [], pads = []>
// CHECK-NOT: strides = [1
func.func @never_one(%a: memref<?x?x?x?xf32>, %w: memref<?x?x?x?xf32>, %r: memref<?x?x?x?xf32>, %n: index, %h: index, %x: index, %o: index, %k: index, %m: index, %c: index, %st: index, %di: index, %pa: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %g = %c0 to %n step %c1 {
    scf.for %y = %c0 to %h step %c1 {
      scf.for %i = %c0 to %x step %c1 {
        scf.for %f = %c0 to %o step %c1 {
          scf.for %j = %c0 to %k step %c1 {
            scf.for %e = %c0 to %m step %c1 {
              scf.for %l = %c0 to %c step %c1 {
                %at = affine.apply affine_map<(d0, d1)[s0, s1, s2] -> (s0 - d0 + d1 - s2)>(%y, %j)[%st, %di, %pa]
                %to = arith.addi %i, %e : index
                %u = memref.load %a[%g, %at, %to, %l] : memref<?x?x?x?xf32>
                %v = memref.load %w[%j, %e, %l, %f] : memref<?x?x?x?xf32>
                %z = memref.load %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
                %p = arith.mulf %u, %v {loom.fastmath = #arith.fastmath<fast>} : f32
                %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<fast>} : f32
                memref.store %s, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}

// Sums that begin with 0 are added in the program's order, which is that of a
// window here.
// CHECK-LABEL: func.func @in_order
// CHECK: loom.launch{{.*}} dilations = [1, 1]
// CHECK: loom.launch{{.*}} dilations = [],
func.func @in_order(%a: memref<?x?x?x?xf32>, %w: memref<?x?x?x?xf32>, %r: memref<?x?x?x?xf32>, %n: index, %h: index, %x: index, %o: index, %k: index, %m: index, %c: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %g = %c0 to %n step %c1 {
    scf.for %y = %c0 to %h step %c1 {
      scf.for %i = %c0 to %x step %c1 {
        scf.for %f = %c0 to %o step %c1 {
          memref.store %zero, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
          scf.for %j = %c0 to %k step %c1 {
            scf.for %e = %c0 to %m step %c1 {
              scf.for %l = %c0 to %c step %c1 {
                %at = arith.addi %y, %j : index
                %to = arith.addi %i, %e : index
                %u = memref.load %a[%g, %at, %to, %l] : memref<?x?x?x?xf32>
                %v = memref.load %w[%j, %e, %l, %f] : memref<?x?x?x?xf32>
                %z = memref.load %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
                %p = arith.mulf %u, %v {loom.fastmath = #arith.fastmath<contract>} : f32
                %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<contract>} : f32
                memref.store %s, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}

// A window adds the channels of a step one behind the other: the image is gathered.
// CHECK-LABEL: func.func @channels_first
// CHECK-NOT: loom.launch{{.*}} dilations = [1, 1]
// CHECK: loom.launch{{.*}} dilations = [],
func.func @channels_first(%a: memref<?x?x?x?xf32>, %w: memref<?x?x?x?xf32>, %r: memref<?x?x?x?xf32>, %n: index, %h: index, %x: index, %o: index, %k: index, %m: index, %c: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %g = %c0 to %n step %c1 {
    scf.for %y = %c0 to %h step %c1 {
      scf.for %i = %c0 to %x step %c1 {
        scf.for %f = %c0 to %o step %c1 {
          memref.store %zero, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
          scf.for %j = %c0 to %k step %c1 {
            scf.for %l = %c0 to %c step %c1 {
              scf.for %e = %c0 to %m step %c1 {
                %at = arith.addi %y, %j : index
                %to = arith.addi %i, %e : index
                %u = memref.load %a[%g, %at, %to, %l] : memref<?x?x?x?xf32>
                %v = memref.load %w[%j, %e, %l, %f] : memref<?x?x?x?xf32>
                %z = memref.load %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
                %p = arith.mulf %u, %v {loom.fastmath = #arith.fastmath<contract>} : f32
                %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<contract>} : f32
                memref.store %s, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}

// A factor that is 0 under a condition is left out by a window, if that may be.
// The map has an operand that it does not depend on.
// CHECK-LABEL: func.func @zeros_left_out
// CHECK: loom.launch{{.*}} dilations = [1, 1], pads = [1, 1, 0, 0]
// CHECK: loom.launch{{.*}} dilations = [],
func.func @zeros_left_out(%a: memref<?x?x?x?xf32>, %w: memref<?x?x?x?xf32>, %r: memref<?x?x?x?xf32>, %n: index, %h: index, %x: index, %o: index, %k: index, %m: index, %c: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %end = memref.dim %a, %c1 : memref<?x?x?x?xf32>
  scf.for %g = %c0 to %n step %c1 {
    scf.for %y = %c0 to %h step %c1 {
      scf.for %i = %c0 to %x step %c1 {
        scf.for %f = %c0 to %o step %c1 {
          memref.store %zero, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
          scf.for %j = %c0 to %k step %c1 {
            scf.for %e = %c0 to %m step %c1 {
              scf.for %l = %c0 to %c step %c1 {
                %at = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 - 1)>(%y, %j, %l)
                %to = arith.addi %i, %e : index
                %in = arith.cmpi ult, %at, %end : index
                %u = scf.if %in -> f32 {
                  %element = memref.load %a[%g, %at, %to, %l] : memref<?x?x?x?xf32>
                  scf.yield %element : f32
                } else {
                  scf.yield %zero : f32
                }
                %v = memref.load %w[%j, %e, %l, %f] : memref<?x?x?x?xf32>
                %z = memref.load %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
                %p = arith.mulf %u, %v {loom.fastmath = #arith.fastmath<contract,nnan,ninf>} : f32
                %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<contract,nnan,ninf>} : f32
                memref.store %s, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}

// Else it is multiplied: 0 times an infinity is NaN.
// CHECK-LABEL: func.func @zeros_multiplied
// CHECK-NOT: loom.launch{{.*}} dilations = [1, 1]
// CHECK: loom.launch{{.*}} dilations = [],
func.func @zeros_multiplied(%a: memref<?x?x?x?xf32>, %w: memref<?x?x?x?xf32>, %r: memref<?x?x?x?xf32>, %n: index, %h: index, %x: index, %o: index, %k: index, %m: index, %c: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %end = memref.dim %a, %c1 : memref<?x?x?x?xf32>
  scf.for %g = %c0 to %n step %c1 {
    scf.for %y = %c0 to %h step %c1 {
      scf.for %i = %c0 to %x step %c1 {
        scf.for %f = %c0 to %o step %c1 {
          memref.store %zero, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
          scf.for %j = %c0 to %k step %c1 {
            scf.for %e = %c0 to %m step %c1 {
              scf.for %l = %c0 to %c step %c1 {
                %at = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 - 1)>(%y, %j, %l)
                %to = arith.addi %i, %e : index
                %in = arith.cmpi ult, %at, %end : index
                %u = scf.if %in -> f32 {
                  %element = memref.load %a[%g, %at, %to, %l] : memref<?x?x?x?xf32>
                  scf.yield %element : f32
                } else {
                  scf.yield %zero : f32
                }
                %v = memref.load %w[%j, %e, %l, %f] : memref<?x?x?x?xf32>
                %z = memref.load %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
                %p = arith.mulf %u, %v {loom.fastmath = #arith.fastmath<contract>} : f32
                %s = arith.addf %z, %p {loom.fastmath = #arith.fastmath<contract>} : f32
                memref.store %s, %r[%g, %y, %i, %f] : memref<?x?x?x?xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}

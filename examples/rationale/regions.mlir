// A region uses values from outside as they are: %scale and %from in the loop and in the
// branch in it. This is the generic form, which every operation has.
// (Rationale: "Regions", "Assembly forms")
"func.func"() <{sym_name = "scale_positive", function_type = (memref<?xf64>, f64) -> ()}> ({
^bb0(%from: memref<?xf64>, %scale: f64):
  %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
  %c1 = "arith.constant"() <{value = 1 : index}> : () -> index
  %zero = "arith.constant"() <{value = 0.0 : f64}> : () -> f64
  %n = "memref.dim"(%from, %c0) : (memref<?xf64>, index) -> index
  "scf.for"(%c0, %n, %c1) ({
  ^bb1(%i: index):
    %x = "memref.load"(%from, %i) : (memref<?xf64>, index) -> f64
    %positive = "arith.cmpf"(%x, %zero) <{predicate = 2 : i64}> : (f64, f64) -> i1
    "scf.if"(%positive) ({
      %y = "arith.mulf"(%x, %scale) : (f64, f64) -> f64
      "memref.store"(%y, %from, %i) : (f64, memref<?xf64>, index) -> ()
      "scf.yield"() : () -> ()
    }, {
    }) : (i1) -> ()
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  "func.return"() : () -> ()
}) : () -> ()

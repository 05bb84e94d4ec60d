// Integers have no sign; operations do. Sums and products are the same bits for either,
// quotients and comparisons are not. A predicate is an attribute with a name: the generic
// form has its number, which is 2 for slt.
// (Rationale: "Integer signedness semantics", "Splitting floating point vs integer operations",
// "Specifying comparison kind as attributes")
func.func @signs(%x: i8, %y: i8) -> (i8, i8, i8, i1, i1, i1) {
  %sum = arith.addi %x, %y : i8
  %signed = arith.divsi %x, %y : i8
  %unsigned = arith.divui %x, %y : i8
  %less = arith.cmpi slt, %x, %y : i8
  %also_less = "arith.cmpi"(%x, %y) <{predicate = 2 : i64}> : (i8, i8) -> i1
  %below = arith.cmpi ult, %x, %y : i8
  return %sum, %signed, %unsigned, %less, %also_less, %below : i8, i8, i8, i1, i1, i1
}

// Floats have operations of their own, since a NaN is neither less nor equal nor more.
func.func @unordered(%x: f32, %y: f32) -> (i1, i1, i1) {
  %less = arith.cmpf olt, %x, %y : f32
  %not_more = arith.cmpf ule, %x, %y : f32
  %unordered = arith.cmpf uno, %x, %y : f32
  return %less, %not_more, %unordered : i1, i1, i1
}

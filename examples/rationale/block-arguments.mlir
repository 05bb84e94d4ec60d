// Two blocks hand on three numbers. Both arguments of @next take their values at the
// same time, so that nothing is lost when they change places.
// (Rationale: "Block arguments vs PHI nodes")
func.func @fibonacci(%n: index) -> i64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = arith.constant 0 : i64
  %b = arith.constant 1 : i64
  cf.br ^next(%zero, %a, %b : index, i64, i64)
^next(%i: index, %x: i64, %y: i64):
  %goes_on = arith.cmpi slt, %i, %n : index
  cf.cond_br %goes_on, ^body, ^end(%x : i64)
^body:
  %sum = arith.addi %x, %y : i64
  %j = arith.addi %i, %one : index
  cf.br ^next(%j, %y, %sum : index, i64, i64)
^end(%result: i64):
  return %result : i64
}

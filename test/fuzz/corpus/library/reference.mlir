irdl.dialect @m {
  irdl.operation @o {
    %t = irdl.base "!builtin.tensor"
    irdl.operands(a: %t)
    irdl.results(r: %t)
  }
}
func.func @o(%x: f32, %l: f32 {loom.attribute = "l", loom.default = 1.0 : f32}) -> f32 attributes {loom.implements = "m.o"} {
  %y = arith.divf %x, %l : f32
  return %y : f32
}

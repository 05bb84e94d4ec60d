func.func @main(%k: index) -> index {
  %r = scf.index_switch %k -> index
  case 9223372036854775807 {
    scf.yield %k : index
  }
  case 9223372036854775807 {
    scf.yield %k : index
  }
  default {
    scf.yield %k : index
  }
  return %r : index
}

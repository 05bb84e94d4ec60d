// A pass as docs/guides/pass.md declares one.

#ifndef QUILT_PASSES_TD
#define QUILT_PASSES_TD

include "mlir/Pass/PassBase.td"

def QuiltCountGuards : Pass<"quilt-count-guards", "::mlir::ModuleOp"> {
  let summary = "How many guards each function has, as a remark";
  let options = [Option<"atLeast", "at-least", "unsigned", "1",
                        "say nothing of functions with fewer">];
}

#endif // QUILT_PASSES_TD

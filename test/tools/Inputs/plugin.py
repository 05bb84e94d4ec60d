"""Whether mlir-opt with the plugin knows each pass and pipeline that
broadloom-opt has: `plugin.py MLIR-OPT PLUGIN`."""

import re
import subprocess
import sys

mlir_opt, plugin = sys.argv[1:]
listed = subprocess.run(["broadloom-opt", "--help"], check=True, capture_output=True, text=True).stdout
names = re.findall(r"^ +--((?:loom|broadloom)-[a-z-]+)", listed, re.M)
failed = 0
for name in names:
    # An option that no pass has is refused once the pass is found.
    result = subprocess.run(
        [mlir_opt, f"--load-pass-plugin={plugin}", f"--pass-pipeline=builtin.module({name}{{no-such-option=1}})"],
        input="",
        capture_output=True,
        text=True,
    )
    if "no such option no-such-option" not in result.stderr:
        failed += 1
        print(name, result.stderr)
print(f"{len(names)} names, {failed} not found")

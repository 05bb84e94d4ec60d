"""From measurements to bench/README.md: the tables and the picture."""

import datetime
import os
import platform
import re

import cases
import peers
import readme
import roofline

HERE = os.path.dirname(os.path.realpath(__file__))
STATIC_BAR = 1.02


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    return {
        "date": datetime.date.today().isoformat(),
        "cpu": model[1].strip() if model else platform.processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
    }


def duration(ns):
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            value = ns / size
            return f"{value:.3g} {unit}" if value < 1000 else f"{value:.0f} {unit}"
    return f"{ns:.0f} ns"


def words(kind):
    """Describes a kind of measurement."""
    threads, _, fresh = kind.partition(" ")
    return f"{threads} thread{'s' if threads != '1' else ''}" + (", new results" if fresh else "")


def ours(times):
    return times.get("broadloom", {}).get("min")


def bestPeer(times):
    """(name, ns) of the fastest rival, or None."""
    rivals = [(times[n]["min"], n) for n in peers.RIVALS if "min" in times.get(n, {})]
    return (min(rivals)[1], min(rivals)[0]) if rivals else None


def handRatio(times):
    hand = times.get("hand", {}).get("min")
    return ours(times) / hand if hand and ours(times) else None


def limit(case, times):
    """ns that the case's bytes take a loop that does nothing else."""
    limits = times.get("limits")
    return limits["move"] * case.bytes / limits["moveBytes"] if limits else None


def verdict(case, times):
    """(ratio to the best peer, words about the bar)."""
    best = bestPeer(times)
    if not best or not ours(times):
        return None, ""
    ratio, missed = best[1] / ours(times), []
    if ratio < case.bar:
        missed.append(f"{(1 - ratio / case.bar):.0%} short")
    hand = handRatio(times)
    if hand and hand > case.handBar:
        missed.append(f"{hand:.2f} of hand")
    return ratio, ", ".join(missed) or "met"


def staticRatio(times):
    """How dynamic types compare with static ones, in words."""
    static = times["static"]
    text = f"{static['ratio']:.3f} ({static['low']:.3f} to {static['high']:.3f})"
    if static["ratio"] <= STATIC_BAR:
        return text
    return text + (" (bar missed)" if static["low"] > STATIC_BAR else " (more turns would tell)")


def line(case, kind, times):
    """One case on the screen."""
    if not ours(times):
        return f"{case.group}: {case.name}, {kind} thr: {times.get('broadloom')}"
    ratio, bar = verdict(case, times)
    text = f"{case.group}: {case.name}, {kind} thr: {duration(ours(times))}"
    if ratio:
        text += f"; best peer {bestPeer(times)[0]} {ratio:.2f} (bar {case.bar:.1f}: {bar})"
    if limit(case, times):
        text += f"; {limit(case, times) / ours(times):.0%} of the limit"
    if handRatio(times):
        text += f"; {handRatio(times):.2f} of hand"
    if "static" in times:
        text += f"; {staticRatio(times)} of static"
    return text


def _cell(entry):
    if entry is None:
        return ""
    return f"{duration(entry['min'])} ({duration(entry['median'])})" if "min" in entry else "–"


def _copyCell(case, times):
    limits = times.get("limits")
    return duration(limits["copy"] * case.resultBytes / limits["copyBytes"]) if limits else ""


def _each(results, kind):
    for case in cases.CASES:
        times = results["cases"].get(f"{case.group}: {case.name}", {}).get(kind)
        if times:
            yield case, times


def speedTable(results, kind):
    titles = (
        ["case", "copy"] + [peers.TITLES[n] for n in peers.NAMES] + ["best peer ÷ Broadloom", "bar", "of the limit"]
    )
    lines = []
    for group in dict.fromkeys(c.group for c in cases.CASES):
        rows = []
        for case, times in _each(results, kind):
            if case.group != group:
                continue
            ratio, bar = verdict(case, times)
            part = limit(case, times) / ours(times) if limit(case, times) and ours(times) else None
            rows.append(
                [
                    case.name,
                    _copyCell(case, times),
                    *(_cell(times.get(n)) for n in peers.NAMES),
                    f"{ratio:.2f}" if ratio else "",
                    f"{case.bar:.1f}: {bar}",
                    f"{part:.0%}" if part and case.group != "tiny" else "",
                ]
            )
        if rows:
            lines += [f"**{group}**, {words(kind)}", "", "| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
            lines += ["| " + " | ".join(row) + " |" for row in rows] + [""]
    return lines


def staticTable(results):
    lines = ["| case | threads | dynamic | turns | dynamic ÷ static |", "|---|---|---|---|---|"]
    for kind in ("1", "2"):
        for case, times in _each(results, kind):
            if "static" in times and ours(times):
                lines.append(
                    f"| {case.group}: {case.name} | {kind} | {duration(ours(times))} "
                    f"| {times['static']['turns']} | {staticRatio(times)} |"
                )
    return [*lines, ""]


def absences(results):
    """Why a cell is empty: each reason once."""
    reasons = {}
    for key, runs in results["cases"].items():
        for times in runs.values():
            for name, entry in times.items():
                if name in peers.RIVALS and "error" in entry:
                    # The first line that is not a file name alone.
                    reason = " ".join(entry["error"].split())[:160]
                    reasons.setdefault((name, reason), []).append(key)
    return [
        f"- {peers.TITLES[name]}: {reason} ({', '.join(dict.fromkeys(keys))})"
        for (name, reason), keys in reasons.items()
    ] + [""]


def heading(results):
    m = results["machine"]
    clock = "; {:.2f} to {:.2f} GHz".format(*m["clock"]) if m["clock"] else ""
    versions = [v for n, v in results["versions"].items() if n not in ("broadloom", "iree_dynamic")]
    lines = [
        (
            f"{m['date']}, {m['cpu']}, {m['cores']} cores{clock}; load at the start {m['load']:.2f}. "
            f"{'; '.join(versions)}."
        ),
        "",
    ]
    for name in ("4096x4096: add, full", "256x1024: add, full"):
        for kind, times in results["cases"].get(name, {}).items():
            if "limits" in times and kind in ("1", "2"):
                limits = times["limits"]
                lines.append(
                    f"- {name.split(':')[0]}, {words(kind)}: a copy moves "
                    f"{2 * limits['copyBytes'] / limits['copy']:.1f} GB/s, the fastest loop with two inputs and one "
                    f"output {limits['moveBytes'] / limits['move']:.1f} GB/s"
                )
    return [*lines, ""]


def write(results):
    readme.replace("speed", heading(results) + speedTable(results, "1") + speedTable(results, "2") + absences(results))
    readme.replace("fresh", speedTable(results, "1 fresh"))
    readme.replace("static", staticTable(results))
    bars = []
    for case, times in _each(results, "1"):
        best = bestPeer(times)
        if case.group != "tiny" and limit(case, times) and ours(times):
            hand = times.get("hand", {}).get("min")
            bars.append(
                roofline.Bar(
                    f"{case.group}: {case.name}",
                    case.bytes / limit(case, times),
                    case.bytes / ours(times),
                    case.bytes / best[1] if best else None,
                    peers.TITLES[best[0]] if best else "",
                    case.bytes / hand if hand else None,
                )
            )
    with open(os.path.join(HERE, "roofline.svg"), "w", encoding="utf-8") as file:
        file.write(roofline.picture(bars))
    print("bench: wrote bench/README.md and bench/roofline.svg")

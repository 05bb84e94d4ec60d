"use strict";
(() => {
  const rows = [...document.querySelectorAll("#constraints tbody tr")];
  const search = document.getElementById("search");
  const where = document.getElementById("function");
  const boxes = [...document.querySelectorAll(".filter input[type=checkbox]")];
  const shown = document.getElementById("shown");
  const proved = document.getElementById("proved");
  const texts = rows.map(row => row.textContent.toLowerCase());

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (proved && words.length)
      proved.open = true;
    const statuses = new Set(boxes.filter(box => box.checked).map(box => box.value));
    let count = 0;
    rows.forEach((row, i) => {
      const fits = statuses.has(row.className) &&
          (!where || !where.value || row.dataset.function === where.value) &&
          words.every(word => texts[i].includes(word));
      row.hidden = !fits;
      count += fits;
    });
    shown.textContent = count === rows.length ? `all ${count} shown` : `${count} of ${rows.length} shown`;
  };
  [search, where, ...boxes].forEach(part => part && part.addEventListener("input", filter));

  // A link to a line opens the constraints of that line.
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = target && target.querySelector("details");
    if (details)
      details.open = true;
    // The target may be in folded rows or lines.
    for (let part = target; part; part = part.parentElement)
      if (part.tagName === "DETAILS" && !part.open) {
        part.open = true;
        target.scrollIntoView();
      }
    if (target && target.hidden) {
      search.value = "";
      boxes.forEach(box => { box.checked = true; });
      if (where)
        where.value = "";
      filter();
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", open);

  document.addEventListener("keydown", event => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    }
  });

  const all = document.getElementById("open-all");
  all.addEventListener("click", () => {
    const details = [...document.querySelectorAll(".listing li[id] > details")];
    const opens = details.some(one => !one.open);
    details.forEach(one => { one.open = opens; });
    all.textContent = opens ? "close all" : "open all";
  });

  document.querySelectorAll(".needs-script").forEach(part => { part.hidden = false; });
  filter();
  open();
})();

// Tables that can be sorted and copied. Without it the page has all its words, numbers and pictures.
"use strict";

// What a cell holds: numbers in full, nothing where something is missing, else its words.
function valuesOf(cell) {
  const numbers = cell.dataset.value;
  if (numbers === undefined) return [cell.textContent.trim()];
  return numbers === "" ? [] : numbers.split(" ").map(asNumber);
}

function asNumber(written) {
  const limits = { inf: Infinity, "-inf": -Infinity };
  return written in limits ? limits[written] : Number(written);
}

function compareValues(first, second) {
  for (let k = 0; k < first.length; k++) {
    const [a, b] = [first[k], second[k]];
    if (typeof a === "string") {
      const order = a.localeCompare(b, "en", { numeric: true });
      if (order) return order;
    } else if (a !== b) {
      return a < b ? -1 : 1;
    }
  }
  return 0;
}

// Rows that are equal keep their order; what is missing stands last both ways.
function sortRows(table, column, direction) {
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => [valuesOf(row.cells[column]), row]);
  keyed.sort(([a], [b]) =>
    a.length && b.length ? direction * compareValues(a, b) : b.length - a.length);
  body.append(...keyed.map(([, row]) => row));
}

function addButton(parent, text, onClick) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", onClick);
  parent.append(button);
}

function makeSortable(table, tools, tell) {
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows];
  if (rows.length < 2) return;
  const unmark = () => heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads.forEach((head, column) => {
    const name = head.textContent;
    head.textContent = "";
    addButton(head, name, () => {
      const upwards = head.getAttribute("aria-sort") !== "ascending";
      sortRows(table, column, upwards ? 1 : -1);
      unmark();
      head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
      tell(`Sorted by ${name}, ${upwards ? "ascending" : "descending"}.`);
    });
  });
  addButton(tools, "Original order", () => {
    table.tBodies[0].append(...rows);
    unmark();
    tell("The original order.");
  });
}

// A spreadsheet takes text that begins so for a formula.
function harmless(text) {
  const line = text.replace(/\s+/g, " ");
  return /^[=+\-@]/.test(line) ? `'${line}` : line;
}

// Tab-separated values with all digits; an interval has a column for each of its ends.
function asTabs(table) {
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells]);
  const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
  const isInterval = heads.map((_, k) => rows.some((cells) => valuesOf(cells[k]).length === 2));
  const lines = [heads.flatMap((head, k) =>
    isInterval[k] ? [`${head}, low`, `${head}, high`] : [harmless(head)])];
  for (const cells of rows) {
    lines.push(cells.flatMap((cell, k) => {
      if (cell.dataset.value === undefined) return [harmless(cell.textContent.trim())];
      const numbers = cell.dataset.value.split(" ");
      return isInterval[k] && numbers.length === 1 ? ["", ""] : numbers;
    }));
  }
  return lines.map((line) => line.join("\t") + "\n").join("");
}

// A page that was opened as a file may have no clipboard; then the text is there to be taken.
async function copyText(text, tools, tell) {
  try {
    await navigator.clipboard.writeText(text);
    tell("Copied, with all digits.");
    return;
  } catch {
    // an older way, below
  }
  const area = tools.querySelector("textarea") || document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.setAttribute("aria-label", "The table as tab-separated values");
  tools.append(area);
  area.select();
  if (document.execCommand("copy")) {
    area.remove();
    tools.querySelector("button").focus();
    tell("Copied, with all digits.");
  } else {
    tell("The browser does not let the page copy: press Ctrl+C or Cmd+C.");
  }
}

// A frame can be reached by the keyboard, and says that it scrolls, only where it does.
function watchFrame(frame, hint) {
  const update = () => {
    const sideways = frame.scrollWidth > frame.clientWidth;
    const scrolls = sideways || frame.scrollHeight > frame.clientHeight;
    frame.tabIndex = scrolls ? 0 : -1;
    hint.textContent = scrolls ? `Scroll ${sideways ? "sideways" : "down"} to see the rest.` : "";
  };
  new ResizeObserver(update).observe(frame);
  update();
}

for (const frame of document.querySelectorAll(".skcvstats-report .frame")) {
  const tools = document.createElement("div");
  const hint = document.createElement("span");
  const table = frame.querySelector("table");
  tools.className = "tools";
  frame.after(tools);
  if (table) {
    const status = document.createElement("span");
    const tell = (text) => { status.textContent = text; };
    status.setAttribute("role", "status");
    addButton(tools, "Copy table", () => copyText(asTabs(table), tools, tell));
    makeSortable(table, tools, tell);
    tools.append(status);
  }
  tools.append(hint);
  watchFrame(frame, hint);
}

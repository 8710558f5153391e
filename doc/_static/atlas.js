/* The table of the atlas: search, sort, and more rows where they are asked for. */
(async () => {
  const place = document.getElementById("atlas");
  const { names, rows } = JSON.parse(document.getElementById("atlas-names").textContent);
  const packed = atob(document.getElementById("atlas-numbers").textContent);
  const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const unpacked = new Uint8Array(await new Response(stream).arrayBuffer());
  const half = unpacked.length / 2;  // the lower bytes of all numbers, then the higher
  const numbers = Uint16Array.from({ length: half }, (_, i) => unpacked[i] + 256 * unpacked[half + i]);
  const fields = ["where", "metric", "a", "b", "kind", "procedure", "tier", "n_rows",
    "missed", "missed90", "n", "again", "length", "lengthError", "ratio", "ratioError",
    "power2", "power3", "flips", "fits", "truthError"];
  const data = Object.fromEntries(
    fields.map((name, k) => [name, numbers.subarray(k * rows, (k + 1) * rows)]));
  const NONE = 65535, STEP = 50;
  const name = (field, i) => names[field][data[field][i]];
  const of = (field, scale, digits, unit = "") => (i) =>
    data[field][i] === NONE ? "" : (data[field][i] / scale).toFixed(digits) + unit;
  const withError = (field, error, scale) => (i) => {
    const text = of(field, 100, 2)(i), apart = of(error, scale, 2)(i);
    return text && apart ? `${text}\u00a0±\u00a0${apart}` : text;
  };
  const percent = (field, count) => (i) => {  // of `count` data sets; the error at its largest
    if (data[field][i] === NONE) return "";
    const n = data[count][i], p = data[field][i] / 100;
    return `${data[field][i]}\u00a0±\u00a0${(100 * Math.sqrt(p * (1 - p) / n)).toFixed(0)}`;
  };
  const share = (field) => (i) => {
    if (data[field][i] === NONE) return "";
    const n = data.n[i], p = data[field][i] / n;
    const error = 100 * Math.sqrt(Math.max(p * (1 - p), 0.25 / n) / n);
    return `${(100 * p).toFixed(1)}\u00a0±\u00a0${error.toFixed(1)}`;
  };
  const learners = (i) => name("a", i) + (name("b", i) ? ` − ${name("b", i)}` : "");
  const known = (field) => (i) => (data[field][i] === NONE ? -1 : data[field][i]);
  // The words of a column's head, its text in a row, and what it is sorted by; * marks numbers.
  const columns = [
    ["Learners", learners, learners],
    ["Population, rows", (i) => name("where", i), (i) => name("where", i)],
    ["Metric", (i) => name("metric", i), (i) => name("metric", i)],
    ["Kind", (i) => name("kind", i), (i) => name("kind", i)],
    ["Procedure", (i) => name("procedure", i), (i) => name("procedure", i)],
    ["Fits", of("fits", 1, 0), known("fits"), "*"],
    ["Misses, % (5)", share("missed"), (i) => data.missed[i] / data.n[i], "*"],
    ["Misses, % (10)", share("missed90"), (i) => known("missed90")(i) / data.n[i], "*"],
    ["Length", withError("length", "lengthError", 100), known("length"), "*"],
    ["True / estimated variance", withError("ratio", "ratioError", 100), known("ratio"), "*"],
    ["Power at 2, %", percent("power2", "n"), known("power2"), "*"],
    ["Power at 3, %", percent("power3", "n"), known("power3"), "*"],
    ["Verdict changes, %", percent("flips", "again"), known("flips"), "*"],
    ["True value ±, % of length", of("truthError", 1, 0), known("truthError"), "*"],
    ["Data sets", of("n", 1, 0), known("n"), "*"],
    ["Tier", (i) => name("tier", i), known("tier"), "*"],
  ];

  /* Rows of which every word, or every part between commas, stands in some field. */
  function found(query) {
    const parts = query.toLowerCase().split(query.includes(",") ? "," : /\s+/);
    const wanted = parts.map((part) => part.trim()).filter(Boolean);
    const texts = ["where", "metric", "a", "b", "kind", "procedure"];
    const hits = wanted.map((word) =>
      texts.map((field) => names[field].map((text) => text.toLowerCase().includes(word))));
    const chosen = [];
    for (let i = 0; i < rows; i++) {
      if (hits.every((hit) => texts.some((field, k) => hit[k][data[field][i]]))) chosen.push(i);
    }
    return chosen;
  }

  place.innerHTML = `<p><label for="atlas-query">Search, for example
    “boosting, 300 rows, log loss”: </label><input id="atlas-query" type="search"></p>
    <div id="atlas-means" class="atlas-wide"></div>
    <p id="atlas-count" role="status"></p>
    <div class="atlas-wide" tabindex="0" role="region" aria-label="All cells"><table class="table" id="atlas-cells">
    <thead><tr></tr></thead><tbody></tbody></table></div>
    <p><button type="button" id="atlas-more">Show more</button></p>`;
  const get = (selector) => place.querySelector(selector);
  let chosen = found(""), shown = STEP, sorted = null, down = false;

  function show() {
    const body = get("#atlas-cells tbody");
    body.replaceChildren(...chosen.slice(0, shown).map((i) => {
      const row = document.createElement("tr");
      for (const [, text, , kind] of columns) {
        const cell = row.insertCell();
        cell.textContent = text(i);
        if (kind) cell.className = "atlas-number";
      }
      return row;
    }));
    get("#atlas-count").textContent = chosen.length
      ? `${chosen.length} rows, ${Math.min(shown, chosen.length)} shown`
      : "No row. Try fewer words.";
    get("#atlas-more").hidden = shown >= chosen.length;
  }

  /* The means of a search by procedure: misses, and the relative length, the shortest first. */
  function summarise(query) {
    const means = new Map();
    for (const i of query.trim() ? chosen : []) {
      const mean = means.get(data.procedure[i]) || { cells: 0, missed: 0, logs: 0, lengths: 0 };
      mean.cells += 1;
      mean.missed += data.missed[i] / data.n[i];
      if (data.length[i] !== NONE && data.length[i] > 0) {
        mean.logs += Math.log(data.length[i] / 100);
        mean.lengths += 1;
      }
      means.set(data.procedure[i], mean);
    }
    const lines = [...means].map(([procedure, mean]) => [
      names.procedure[procedure],
      mean.cells,
      (100 * mean.missed / mean.cells).toFixed(1),
      mean.lengths ? Math.exp(mean.logs / mean.lengths).toFixed(2) : "",
    ]).sort((a, b) => (a[3] || Infinity) - (b[3] || Infinity));
    const table = document.createElement("table");
    table.className = "table";
    table.createCaption().textContent = "Means of what was found";
    const head = table.createTHead().insertRow();
    for (const words of ["Procedure", "Cells", "Misses, % (5)", "Length"]) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = words;
      head.append(cell);
    }
    const body = table.createTBody();
    for (const line of lines) {
      const row = body.insertRow();
      line.forEach((text, k) => {
        const cell = row.insertCell();
        cell.textContent = text;
        if (k) cell.className = "atlas-number";
      });
    }
    get("#atlas-means").replaceChildren(...(lines.length ? [table] : []));
  }

  function sort() {
    if (sorted === null) return;
    const key = columns[sorted][2], sign = down ? -1 : 1;
    const keys = new Map(chosen.map((i) => [i, key(i)]));
    chosen.sort((i, j) => {
      const a = keys.get(i), b = keys.get(j);
      return sign * (a < b ? -1 : a > b ? 1 : 0) || i - j;
    });
  }

  columns.forEach(([words], k) => {
    const head = document.createElement("th");
    head.scope = "col";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", () => {
      down = sorted === k ? !down : false;
      sorted = k;
      place.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      sort();
      show();
    });
    head.append(button);
    get("#atlas-cells thead tr").append(head);
  });
  get("#atlas-query").addEventListener("input", (event) => {
    chosen = found(event.target.value);
    shown = STEP;
    summarise(event.target.value);
    sort();
    show();
  });
  get("#atlas-more").addEventListener("click", () => {
    shown += 4 * STEP;
    show();
  });
  show();
})();

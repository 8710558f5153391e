// The output of an example that is wider than its column scrolls: by keyboard, too.
for (const area of document.querySelectorAll(".output_subarea")) {
  if (area.scrollWidth > area.clientWidth) area.tabIndex = 0;
}

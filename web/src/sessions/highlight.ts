const NAME = "transcript-match";
/** Of one screen. More would only cost time. */
const MAX_RANGES = 500;

/** Marks each place of the text within an element, without changing its content. Browsers without this feature mark nothing. */
export function highlight(root: HTMLElement, query: string): void {
  if (!("highlights" in CSS)) return;
  const wanted = query.toLowerCase();
  if (wanted === "") return clearHighlight();
  CSS.highlights.set(NAME, new Highlight(...rangesOf(root, wanted)));
}

export function clearHighlight(): void {
  if ("highlights" in CSS) CSS.highlights.delete(NAME);
}

function rangesOf(root: HTMLElement, wanted: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? "";
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      // Some letters have more characters in lower case.
      if (at + wanted.length > (node.nodeValue?.length ?? 0)) break;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
      if (ranges.length >= MAX_RANGES) return ranges;
    }
  }
  return ranges;
}

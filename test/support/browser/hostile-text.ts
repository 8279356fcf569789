/** An address that no page of Toolwright may request. The browser of the tests cannot resolve it either. */
export const FOREIGN = "http://foreign.example";

const MARKUP = [
  "<img src=x onerror=window.pwned=1>",
  "<script>window.pwned=1</script>",
  "'\"><svg/onload=window.pwned=1>",
  "</textarea></title></script><iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
  `<meta http-equiv=refresh content="0;url=${FOREIGN}/">`,
  `<base href=${FOREIGN}/><style>@import url(${FOREIGN}/a.css);*{background:url(${FOREIGN}/b.png)}</style>`,
  "<a href=javascript:window.pwned=1 autofocus onfocus=window.pwned=1>link</a>",
  `{{constructor.constructor('window.pwned=1')()}}\${window.pwned=1}`,
];

const MARKDOWN = [
  `![image](${FOREIGN}/c.png)`,
  `![image][1]`,
  "[link](javascript:window.pwned=1)",
  "[link](data:text/html,<script>window.pwned=1</script>)",
  "[link](\u0001java\tscript:window.pwned=1)",
  "<javascript:window.pwned=1>",
  "",
  `[1]: ${FOREIGN}/d.svg "title"`,
];

/** Text that would run code, open a dialog, load something or navigate if the page treated it as markup. It begins with its place. */
export const hostile = (place: string): string => `AT-${place} ${MARKUP.join(" ")}\n\n${MARKDOWN.join("\n\n")}`;

/** The same in one line, for titles and names. */
export const hostileLine = (place: string): string => `AT-${place} ${MARKUP.join(" ")} ${MARKDOWN[0]} ${MARKDOWN[2]}`;

/** The same, short and without slashes: for names of files, which are single components of paths. */
export const hostileName = (place: string): string => `AT-${place} <img src=x onerror=window.pwned=1>`;

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"><script>parent.pwned=1;window.pwned=1</script><image href="${FOREIGN}/e.png"/></svg>`;
const HTML = "<script>parent.pwned=1;opener.pwned=1;window.pwned=1</script>";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Content of a result whose types, names and addresses are hostile. */
export const HOSTILE_CONTENT: readonly object[] = [
  { type: "text", text: hostile("output") },
  { type: "image", data: base64(SVG), mimeType: "image/svg+xml" },
  { type: "image", data: base64(HTML), mimeType: "text/html" },
  { type: "image", data: base64(SVG), mimeType: "image/png" },
  { type: "image", data: "AAAA", mimeType: 'image/png" onerror="window.pwned=1' },
  { type: "image", data: `"><img src=x onerror=window.pwned=1>`, mimeType: "image/png" },
  { type: "file", mimeType: "text/html", name: hostileName("file"), data: base64(HTML) },
  { type: "file", mimeType: "image/svg+xml", name: "drawing.svg", data: base64(SVG) },
  { type: "file", mimeType: "text/html", name: "script.html", url: "javascript:window.pwned=1" },
  { type: "file", mimeType: "image/png", name: "remote.png", url: `${FOREIGN}/f.png` },
  { type: "file", mimeType: "text/html", name: "inline.html", url: `data:text/html;base64,${base64(HTML)}` },
];

/** Data whose keys and values are hostile. */
export const HOSTILE_DATA: object = {
  [hostileLine("data-key")]: hostile("data-value"),
  nested: [{ [hostileName("nested-key")]: hostileLine("nested-value") }],
  __html: "<img src=x onerror=window.pwned=1>",
  dangerouslySetInnerHTML: { __html: "<img src=x onerror=window.pwned=1>" },
  $$typeof: "Symbol(react.element)",
  type: "script",
  props: { src: `${FOREIGN}/g.js` },
};

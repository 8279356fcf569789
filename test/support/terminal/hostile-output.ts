/** Text that a terminal would act on. */
export interface HostileRow {
  readonly name: string;
  readonly text: string;
  /** What must not reach the terminal; by default the whole text. Undefined if the text may be shown as it is. */
  readonly forbidden?: string | undefined;
}

const ESC = "\x1b";

/** Sequences that change a terminal, or that programs often measure wrongly. */
export const HOSTILE_ROWS: readonly HostileRow[] = [
  {
    name: "OSC 8 link",
    text: `${ESC}]8;;http://evil.example${ESC}\\click${ESC}]8;;${ESC}\\`,
    forbidden: `${ESC}]8;;http`,
  },
  {
    name: "OSC 8 link that ends with BEL",
    text: `${ESC}]8;;http://evil.example\x07click${ESC}]8;;\x07`,
    forbidden: `${ESC}]8;;http`,
  },
  { name: "OSC 52 clipboard", text: `${ESC}]52;c;c3RvbGVu\x07`, forbidden: `${ESC}]52` },
  { name: "OSC 52 clipboard read", text: `${ESC}]52;c;?\x07`, forbidden: `${ESC}]52` },
  { name: "OSC 0 title", text: `${ESC}]0;hacked title\x07` },
  { name: "OSC 2 title", text: `${ESC}]2;hacked title${ESC}\\`, forbidden: `${ESC}]2;` },
  { name: "OSC without an end", text: `${ESC}]2;hacked title`, forbidden: `${ESC}]2;` },
  { name: "OSC split by a line break", text: `${ESC}]2;hacked\ntitle\x07`, forbidden: `${ESC}]2;` },
  { name: "screen title", text: `${ESC}khacked title${ESC}\\`, forbidden: `${ESC}k` },
  { name: "cursor up and home", text: `${ESC}[5A${ESC}[3D${ESC}[HOVERWRITTEN`, forbidden: `${ESC}[HOVER` },
  { name: "absolute cursor position", text: `${ESC}[9999;9999H${ESC}[1;1fTOPLEFT`, forbidden: `${ESC}[9999` },
  { name: "saved cursor", text: `${ESC}7${ESC}[1;1HX${ESC}8`, forbidden: `${ESC}7` },
  { name: "clear screen", text: `${ESC}[2J${ESC}[3J${ESC}c`, forbidden: `${ESC}c` },
  { name: "scroll region", text: `${ESC}[2;4r${ESC}[10S`, forbidden: `${ESC}[2;4r` },
  { name: "alternate screen", text: `${ESC}[?1049h`, forbidden: `${ESC}[?1049` },
  { name: "bracketed paste end", text: `${ESC}[201~/quit\r`, forbidden: `${ESC}[201~` },
  {
    name: "DECSET: hidden cursor, origin, no wrap, application keys",
    text: `${ESC}[?25l${ESC}[?6h${ESC}[?7l${ESC}[?1h${ESC}=`,
    forbidden: `${ESC}[?6h`,
  },
  { name: "mouse mode", text: `${ESC}[?1000h${ESC}[?1003h${ESC}[?1006h`, forbidden: `${ESC}[?100` },
  { name: "insert mode", text: `${ESC}[4h`, forbidden: `${ESC}[4h` },
  { name: "device status report", text: `${ESC}[6n${ESC}[5n${ESC}[c${ESC}[>q`, forbidden: `${ESC}[6n` },
  { name: "C1 controls", text: "\x9b2J\x9d2;hacked title\x9c\x90q\x9c\x85\x8d", forbidden: "\x9d2;" },
  { name: "DCS", text: `${ESC}P+q544e${ESC}\\${ESC}P$qm${ESC}\\`, forbidden: `${ESC}P` },
  { name: "tmux passthrough", text: `${ESC}Ptmux;${ESC}${ESC}]52;c;c3RvbGVu\x07${ESC}\\`, forbidden: `${ESC}P` },
  {
    name: "APC, PM, SOS",
    text: `${ESC}_Gi=1,a=T;AAAA${ESC}\\${ESC}^private${ESC}\\${ESC}Xstring${ESC}\\`,
    forbidden: `${ESC}^`,
  },
  { name: "character set and shift out", text: `${ESC}(0lqqk\x0e lines`, forbidden: `${ESC}(0` },
  {
    name: "BEL, backspace, NUL, form feed, carriage return",
    text: "a\x07b\x08\x08\x08c\x00d\x0ce\rOVER",
    forbidden: "b\x08",
  },
  { name: "a line of 1 MB", text: "w".repeat(1_000_000), forbidden: undefined },
  { name: "lone surrogates", text: "x\ud800y\udfffz", forbidden: undefined },
  { name: "right-to-left override", text: "user \u202egnp.exe\u202c \u2066isolate\u2069", forbidden: "\u202e" },
  { name: "right-to-left text", text: "שלום עולם مرحبا", forbidden: undefined },
  { name: "zalgo", text: `z${"\u0301\u0316\u0489".repeat(40)}algo`, forbidden: undefined },
  {
    name: "wide and zero-width characters",
    text: "漢字👩‍👩‍👧‍👦🇩🇪e\u0301\u200b\u2060\ufeff\u00adend",
    forbidden: undefined,
  },
  { name: "tabs", text: "a\tb\t\tc\x0bd", forbidden: "\x0b" },
];

/** What of a row must not be among the bytes that the program writes. */
export function forbiddenBytes({ text, ...row }: HostileRow): Buffer | undefined {
  const forbidden = "forbidden" in row ? row.forbidden : text;
  return forbidden === undefined ? undefined : Buffer.from(forbidden);
}

const ROWS = JSON.stringify(HOSTILE_ROWS.map(({ text }) => text));

/** Tools that write a row of the table on one of their channels, by their paths in a project. */
export const HOSTILE_TOOLS: Readonly<Record<string, string>> = {
  ".toolwright/tools/hostile.js": `const ROWS = ${ROWS};
export default {
  description: "Writes a row of the table.",
  args: { row: { type: "integer" }, channel: { type: "string" } },
  async execute({ row, channel }, { metadata, write }) {
    const text = ROWS[row];
    if (channel === "error") throw new Error("FAILED " + text);
    if (channel === "progress") {
      metadata({ title: "TITLE " + text, metadata: { output: text } });
      write("WRITTEN " + text + "\\n");
      await new Promise((done) => setTimeout(done, 150));
      return "over";
    }
    return { title: "TITLE " + text, output: "OUTPUT " + text, metadata: { text } };
  },
};
`,
  ".toolwright/tools/bytes.json": JSON.stringify({
    name: "bytes",
    version: "1.0.0",
    tools: [
      {
        name: "invalid_bytes",
        description: "Writes bytes that are not UTF-8.",
        inputSchema: { type: "object", properties: {} },
        handler: {
          type: "shell",
          command:
            "printf 'BYTES \\377\\376\\200\\302 \\355\\240\\200 \\233\\062J\\235\\062;hacked\\234 \\300\\257 END'",
        },
      },
    ],
  }),
  ".omp/tools/hostile-renderer.ts": `import { Text } from "@oh-my-pi/pi-tui";
const ROWS = ${ROWS};
export default (pi) => ({
  name: "hostile_renderer", label: "Hostile", description: "Renders a row of the table.",
  parameters: pi.typebox.Type.Object({ row: pi.typebox.Type.Number() }),
  async execute(_id, { row }) {
    pi.ui.notify("NOTICE " + ROWS[row].slice(0, 2000), "info");
    pi.ui.setStatus("hostile", "STATUS " + ROWS[row].slice(0, 2000));
    pi.ui.setWidget("hostile", ["WIDGET " + ROWS[row].slice(0, 2000)]);
    return { content: [{ type: "text", text: "rendered" }], details: { row } };
  },
  renderCall: (args) => ({ render: () => ["RENDERED CALL " + ROWS[args.row]], invalidate() {} }),
  renderResult: (result) => ({ render: () => ["RENDERED RESULT " + ROWS[result.details.row]], invalidate() {} }),
});
`,
  ".omp/tools/hostile-dialog.ts": `const ROWS = ${ROWS};
export default (pi) => ({
  name: "hostile_dialog", label: "Hostile", description: "Asks with a row of the table.",
  parameters: pi.typebox.Type.Object({ row: pi.typebox.Type.Number() }),
  async execute(_id, { row }) {
    const text = ROWS[row].slice(0, 5000);
    await pi.ui.select("SELECT " + row + " " + text, ["OPTION " + text, "plain"]);
    await pi.ui.confirm("CONFIRM " + row + " " + text, "MESSAGE " + text);
    await pi.ui.input("INPUT " + row + " " + text, "PLACEHOLDER " + text);
    await pi.ui.editor("EDITOR " + row + " " + text, "PREFILL " + text);
    return { content: [{ type: "text", text: "all dialogs are closed" }] };
  },
});
`,
};

/** Tool files whose descriptions are rows of the table. */
export const HOSTILE_DESCRIPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  HOSTILE_ROWS.map(({ text }, row) => [
    `.toolwright/tools/row${row}.js`,
    `export default { description: ${JSON.stringify(`Row ${row} ${text.slice(0, 2000)}`)}, execute: () => "" };\n`,
  ]),
);

/** Names of files that contain rows of the table. A name has at most 255 bytes, no slash and no NUL. */
export const HOSTILE_NAMES: readonly string[] = HOSTILE_ROWS.map(({ text }, row) =>
  Buffer.from(`hostile-${row}-${text.replaceAll(/[/\0]/g, "")}`)
    .subarray(0, 200)
    .toString()
    .replaceAll("\ufffd", ""),
);

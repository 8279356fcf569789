import { STEPS_TOOL } from "../steps-tool.ts";

const TOOLS = ".toolwright/tools";

/** A red rectangle of 96 × 64 pixels. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAIAAABqVuVZAAAAaUlEQVR42u3QMQ0AAAgDsMmZfz2IwQE3R5MqaKblEAWCBAkSJEiQIEEIEiRIkCBBggQhSJAgQYIECRKEIEGCBAkSJEiQIAQJEiRIkCBBghAkSJAgQYIECUKQIEGCBAkSJEgQggQJEvTPArTwIaXkCnk+AAAAAElFTkSuQmCC";

/** Settings with which tools that do not declare what they touch run without a question. */
export const PAGE_SETTINGS = { permissions: [{ tool: "*", match: "undeclared", action: "allow" }] };

/** The files of a project whose tools do everything that the page shows, by their paths. */
export const PAGE_TOOLS: Readonly<Record<string, string>> = {
  [`${TOOLS}/greet.js`]: `export default {
  description: "Greets a person by name.",
  args: { name: { type: "string", description: "The person to greet" } },
  execute: ({ name }) => "Hello, " + name + "!",
};`,
  [`${TOOLS}/kinds.js`]: `export default {
  description: "Returns its input. Its arguments are of all kinds.",
  args: {
    text: { type: "string", title: "Some text", description: "Any text", minLength: 2 },
    count: { type: "integer", minimum: 1, maximum: 9, default: 3 },
    ratio: { type: "number", default: 0.5 },
    loud: { type: "boolean", default: false, description: "Whether it is loud" },
    color: { enum: ["red", "green", "blue"], default: "green" },
    tags: { type: "array", items: { type: "string" }, default: [] },
    place: { type: "object", properties: { city: { type: "string" }, floor: { type: "integer" } }, default: {} },
    either: { anyOf: [{ type: "string", title: "A word" }, { type: "object", title: "A pair", properties: { a: { type: "string" }, b: { type: "string" } } }], default: "" },
    nothing: { type: ["string", "null"], default: null },
    map: { type: "object", additionalProperties: { type: "number" }, default: {} },
  },
  execute: (input) => ({ output: JSON.stringify(input), metadata: input }),
};`,
  [`${TOOLS}/steps.js`]: STEPS_TOOL,
  [`${TOOLS}/slow.js`]: `import { writeFileSync } from "node:fs";
import { join } from "node:path";
export default {
  description: "Takes a minute, unless it is aborted.",
  async execute(_, { metadata, abort, directory }) {
    metadata({ title: "Working slowly" });
    await new Promise((done) => { const timer = setTimeout(done, 60_000); abort.addEventListener("abort", () => { clearTimeout(timer); done(); }); });
    if (abort.aborted) writeFileSync(join(directory, "aborted.txt"), "yes");
    return "Done after a minute.";
  },
};`,
  [`${TOOLS}/fails.js`]: `export default {
  description: "Always fails.",
  execute() { throw new Error("The flux is too low. Raise it with --flux."); },
};`,
  [`${TOOLS}/picture.js`]: `export default {
  description: "Returns an image and a text.",
  execute: () => ({ content: [{ type: "text", text: "Here it is." }, { type: "image", data: "${PNG}", mimeType: "image/png" }] }),
};`,
  [`${TOOLS}/report.js`]: `export default {
  description: "Returns a text file and a drawing as attachments.",
  execute: () => ({ output: "Two files.", attachments: [
    { type: "file", mime: "text/csv", filename: "numbers.csv", url: "data:text/csv;base64,${Buffer.from("a,b\n1,2\n").toString("base64")}" },
    { type: "file", mime: "image/svg+xml", filename: "drawing.svg", url: "data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>window.pwned=1</script></svg>').toString("base64")}" },
  ] }),
};`,
  [`${TOOLS}/weather.js`]: `export default {
  description: "Returns structured data.",
  output: { city: { type: "string" }, days: { type: "array", items: { type: "object", properties: { day: { type: "string" }, degrees: { type: "number" } } } } },
  execute: () => ({ city: "Oslo", days: [{ day: "Monday", degrees: 4.5 }, { day: "Tuesday", degrees: -2 }] }),
};`,
  [`${TOOLS}/forecast.js`]: `export default {
  description: "Returns the weather forecast of a city for the next days.",
  hints: { readOnly: true },
  args: {
    city: { type: "string", description: "The city, for example Oslo" },
    days: { type: "integer", minimum: 1, maximum: 7, default: 3, description: "Number of days" },
    units: { enum: ["celsius", "fahrenheit"], default: "celsius" },
  },
  output: { city: { type: "string" }, days: { type: "array", items: { type: "object", properties: { day: { type: "string" }, degrees: { type: "number" }, sky: { type: "string" } } } } },
  execute: ({ city }) => ({ city, days: [{ day: "Monday", degrees: 4.5, sky: "clear" }, { day: "Tuesday", degrees: -2, sky: "snow" }] }),
};`,
  [`${TOOLS}/huge.js`]: `export default {
  description: "Returns 20,000 lines.",
  execute: () => Array.from({ length: 20_000 }, (_, i) => "row " + (i + 1)).join("\\n"),
};`,
  [`${TOOLS}/deploy.js`]: `export default {
  description: "Deploys to a place, after a question.",
  args: { place: { type: "string", default: "staging" } },
  async execute({ place }, { ask }) {
    await ask({ permission: "deploy", patterns: [place] });
    return "Deployed to " + place + ".";
  },
};`,
  ".omp/tools/dialogs.ts": `export default (pi) => ({
  name: "dialogs", label: "Dialogs", description: "Opens four dialogs.", parameters: pi.typebox.Type.Object({}),
  async execute() {
    const said = [await pi.ui.select("Which fruit?", ["apple", "pear"]), await pi.ui.confirm("Are you sure?", "It cannot be undone.")];
    said.push(await pi.ui.input("Your name?", "a name"), await pi.ui.editor("Your text?", "old text"));
    return { content: [{ type: "text", text: JSON.stringify(said) }] };
  },
});`,
  [`${TOOLS}/mark.js`]: `import { appendFileSync } from "node:fs";
import { join } from "node:path";
export default {
  description: "Adds a line to marks.txt.",
  args: { text: { type: "string", default: "mark" } },
  execute({ text }, { directory }) { appendFileSync(join(directory, "marks.txt"), text + "\\n"); return "Marked."; },
};`,
  [`${TOOLS}/broken.js`]: "export default { description: ",
};

/** Ten files with tools named `set1_tool1` and so on. */
export function manyTools(count: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let i = 0; i < count; i += 1) {
    const file = `${TOOLS}/set${(i % 10) + 1}.js`;
    const text = `export const tool${i + 1} = { description: "Generated tool number ${i + 1}, for ${i % 2 ? "even" : "odd"} things.", args: { value: { type: "string", description: "Value ${i + 1}" } }, execute: ({ value }) => "Tool ${i + 1} got " + value };\n`;
    files[file] = (files[file] ?? "") + text;
  }
  return files;
}

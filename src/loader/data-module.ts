import { isObject } from "../core/is-object.ts";
/** The source of a module whose default export is a text. */
export function textModule(text: string): string {
  return `export default ${JSON.stringify(text)};`;
}

/** The source of a module that is a JSON file: the whole as default, and its members by name, as bundlers and Bun have it. */
export function jsonModule(file: string): string {
  const text = file.replace(/^\uFEFF/, "");
  const value: unknown = JSON.parse(text);
  const names = isObject(value) ? Object.keys(value).filter((name) => name !== "default" && name.isWellFormed()) : [];
  const members = names.map((name, index) => ({ name: JSON.stringify(name), local: `member${index}` }));
  return [
    `const value = JSON.parse(${JSON.stringify(text)});`,
    "export default value;",
    ...members.map(({ name, local }) => `const ${local} = value[${name}]; export { ${local} as ${name} };`),
  ].join("\n");
}

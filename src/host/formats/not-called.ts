import { isObject } from "../../platform/values/is-object.ts";

/**
 * Why a default export was not called, and the lines that say that it creates tools. Undefined if a call would not give tools
 * either.
 */
export function notCalled(value: unknown, path: string): string | undefined {
  if (typeof value === "function") {
    if (/^class\b/.test(Function.prototype.toString.call(value))) return undefined;
    const [first, second] = factoryLines(path);
    return `Its default export is a function. It was not called, because nothing says that it creates tools. If it returns or registers tools, begin it with these two lines: \`${first}\` and \`${second}\`. If it is the tool, export it as execute: \`export default tool({ description: "…", args: { … }, execute })\`.`;
  }
  if (!isObject(value)) return undefined;
  if (typeof value.init === "function" && typeof value.id === "string") {
    return 'Its default export has "id" and "init". "init" was not called, because the file does not import Tool. Begin with these two lines: `import { Tool } from "toolwright";` and `export default Tool.define("name", async () => {`.';
  }
  if (typeof value.register === "function") {
    return 'Its default export has "register", which was not called, because nothing says that it is a plugin of OpenClaw. Put openclaw.plugin.json into its folder, or begin with these two lines: `import type { OpenClawPluginApi } from "openclaw/plugin-sdk/core";` and `export default {`.';
  }
  const called = ["setup", "server"].find((key) => typeof value[key] === "function");
  if (called === undefined) return undefined;
  return `Its default export has "${called}", which was not called, because nothing says that it is a plugin of OpenCode. Move the file to .opencode/plugins, or begin with these two lines: \`import type { Plugin } from "@opencode-ai/plugin";\` and \`export default {\`.`;
}

/** The first lines of a factory, as they are written in this kind of file. */
export function factoryLines(path: string): readonly [string, string] {
  if (!/\.[cm]?js$/.test(path)) {
    return ['import type { CustomToolAPI } from "toolwright";', "export default function (pi: CustomToolAPI) {"];
  }
  const start = path.endsWith(".cjs") ? "module.exports =" : "export default";
  return ['/** @param {import("toolwright").CustomToolAPI} pi */', `${start} function (pi) {`];
}

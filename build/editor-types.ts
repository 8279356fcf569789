import { PI_TYPE_NAMES } from "./pi-type-names.ts";

/** What this needs to know of a plugin of the bundler. */
interface Plugin {
  readonly name: string;
  generateBundle(options: unknown, bundle: Record<string, { readonly fileName: string; code?: string }>): void;
}

/**
 * In one scope the bundler takes a name's type for its value where it has both: `Date` is a function of TypeBox, and the
 * built-in type. This puts them right again; test/init.test.ts checks the outcome.
 */
export const mendTypes: Plugin = {
  name: "mend-types",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.code !== undefined) chunk.code = [mendInferred(chunk.code), ...missingTypes(chunk.code)].join("\n");
    }
  },
};

/** `infer Rest … Rest$1`, after a function of the same name. */
function mendInferred(code: string): string {
  return code.replace(/^.*\binfer .*$/gm, (line) =>
    [...line.matchAll(/\binfer (\w+)/g)].reduce(
      (text, [, name = ""]) => text.replace(new RegExp(`\\b${name}\\$\\d+`, "g"), name),
      line,
    ),
  );
}

/** The built-in types that functions of TypeBox have the names of, with their parameters. */
const BUILT_IN: Readonly<Record<string, readonly [parameters: string, given: string]>> = {
  Date: ["", ""],
  Omit: ["<T, K extends PropertyKey>", "<T, K>"],
  Pick: ["<T, K extends keyof T>", "<T, K>"],
  Promise: ["<T>", "<T>"],
  Record: ["<K extends PropertyKey, T>", "<K, T>"],
  RegExp: ["", ""],
  Uint8Array: ["", ""],
};

function missingTypes(code: string): string[] {
  const functions = new Set(Array.from(code.matchAll(/^declare function (\w+\$\d+)/gm), ([, name = ""]) => name));
  const types = [...functions].flatMap((name) => {
    const original = name.replace(/\$\d+$/, "");
    const [parameters, given] = BUILT_IN[original] ?? [];
    return parameters === undefined ? [] : [`type ${name}${parameters} = ${original}${given};`];
  });
  const isTypebox = /^declare namespace result_d_exports /m.test(code);
  return isTypebox
    ? [...types, ...["Result", "ExtendsResult"].map((name) => `import ${name} = result_d_exports;`)]
    : types;
}

/**
 * Files written for pi import types of its inside. Those that are not described here stand for anything, so that an editor
 * does not call such a file wrong.
 */
export const completePiTypes: Plugin = {
  name: "complete-pi-types",
  generateBundle(_options, bundle) {
    const chunk = Object.values(bundle).find(({ fileName }) => fileName === "pi.d.mts");
    if (chunk?.code === undefined) throw new Error("The types for pi's packages were not built.");
    const described = new Set(exportedNames(chunk.code));
    const missing = PI_TYPE_NAMES.filter((name) => !described.has(name));
    chunk.code = [chunk.code, ...missing.map((name) => `export type ${name}<A = any, B = any> = any;`)].join("\n");
  },
};

function exportedNames(code: string): string[] {
  const lists = Array.from(code.matchAll(/^export \{([^}]*)\}/gm), ([, list = ""]) => list);
  return lists.flatMap((list) => list.split(",").map((item) => item.trim().split(/\s+/).at(-1) ?? ""));
}

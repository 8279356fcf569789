import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { openClawPackageOf } from "../../platform/files/openclaw-package.ts";
import { packageFile } from "../../platform/files/package-files.ts";
import { codeOnly } from "../../platform/text/code-only.ts";
import { type NamedImport, namedImports, originsOf } from "../../platform/text/named-imports.ts";
import { packageNameOf } from "../../platform/text/package-name.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { LoadedSource, ModuleFile } from "./contributions.ts";
import { isCalledByOpenCode, isInPluginFolder, looksLikePlugin } from "./opencode/plugin-function.ts";

/**
 * Whether a function that a file exports creates tools, so that reading the file calls it. Its place or its imports must say
 * so, because any other function may be the body of a tool, which only a call may run.
 */
export function isFactory(exportName: string, from: LoadedSource): boolean {
  return (
    isFactoryPlace(from.file) ||
    someSource(exportName, from, ({ source, file }) => importsOf(source, file.path).some(isOfFactory))
  );
}

/** Whether the default export is a plugin of Amp, which is called with its API: by its folder or its imports. */
export function isAmpPlugin(exportName: string, from: LoadedSource): boolean {
  if (exportName !== "default") return false;
  const { file } = from;
  if (file.system === "amp" && file.place !== "configured") return true;
  if (AMP_FOLDER.test(file.path) || AMP_FOLDER.test(realOf(file.path))) return true;
  return someSource(exportName, from, importing(/^@ampcode\/plugin(?:\/|$)/), noPackage);
}

const AMP_FOLDER = /[\\/](?:\.amp|\.config[\\/]amp)[\\/]plugins[\\/](?:[^\\/.][^\\/]*[\\/])*[^\\/]+$/;

/** Whether the file is written for Roo Code. */
export function isOfRoo(from: LoadedSource): boolean {
  return from.file.system === "roo" || importsPackage(from, /^@roo-code\/types$/);
}

/** A program chose to pass the value, and built-in tools are ours. */
function isChosen({ place, source }: ModuleFile): boolean {
  return place === "code" || source === "builtin";
}

/** Whether the file may export a plugin of OpenCode as an object. */
export function isOpenCodePlugin(exportName: string, from: LoadedSource): boolean {
  if (isChosen(from.file) || isInPluginFolder(from.file)) return true;
  return someSource(exportName, from, importing(OPENCODE));
}

/** Whether the file may export a plugin of OpenClaw: it is the entry of one, lies in its folder, or imports its SDK. */
export function isOpenClawPlugin(exportName: string, from: LoadedSource): boolean {
  const { system } = from.file;
  if (isInPluginFolder(from.file) || system === "pi" || system === "omp" || system === "atomic") return false;
  if (isOpenClawPlace(from)) return true;
  return someSource(exportName, from, importing(OPENCLAW), noPackage);
}

/** Whether OpenClaw loads the file as a plugin. */
export function isOpenClawPlace({ file }: LoadedSource): boolean {
  return file.system === "openclaw" || OPENCLAW_FOLDER.test(file.path) || openClawPackageOf(file.path) !== undefined;
}

const OPENCLAW_FOLDER = /[\\/]\.openclaw[\\/]extensions[\\/](?:[^\\/.][^\\/]*[\\/])*[^\\/]+$/;

/**
 * Whether a function that is exported by name is a plugin of OpenCode. Outside of its folders, tool files may export helper
 * functions too, so that it must also be declared as a plugin or look like one.
 */
export function isPluginFunction(value: object, exportName: string, from: LoadedSource): boolean {
  if (isCalledByOpenCode(value, exportName, from.file)) return true;
  if (!looksLikePlugin(value, exportName) && !isDeclaredPlugin(exportName, from.source)) return false;
  return someSource(exportName, from, ({ source, file }) => importsOf(source, file.path).some(isPluginType));
}

/** Whether the declaration of an exported function names a type of plugins: `export const name: Plugin = …`, `satisfies Plugin`. */
function isDeclaredPlugin(exportName: string, source: string): boolean {
  const start = `\\bexport\\s+(?:async\\s+)?(?:const|let|var|function)\\s+${exportName.replaceAll("$", "\\$")}(?![\\w$])`;
  const [, rest = ""] = codeOnly(source).split(new RegExp(start));
  const [declaration = ""] = rest.split(/\bexport\b/, 1);
  const [head = ""] = declaration.split(/=>|\)\s*\{/, 1);
  return PLUGIN_TYPE.test(head) || /\bsatisfies\s+[\w$.]*Plugin\b/.test(declaration);
}

const PLUGIN_TYPE = /\b(?:Plugin(?:Input|Module|Options)?|Hooks)\b/;

/**
 * Whether a function creates tools without being told anything: `createWeatherTool()` in a file that imports a library for tools.
 * Only to be asked if the file exports no tool.
 */
export function isToolCreator(value: unknown, exportName: string, from: LoadedSource): boolean {
  if (typeof value !== "function") return false;
  const name: unknown = exportName === "default" ? value.name : exportName;
  if (typeof name !== "string" || !/^create(?:[A-Z]\w*)?Tools?$/.test(name)) return false;
  const text = codeOnly(Function.prototype.toString.call(value));
  if (!/^(?:async\s+)?(?:function\b\s*[\w$]*\s*)?\(\s*\)/.test(text)) return false;
  return someSource(exportName, from, ({ source, file }) =>
    importsOf(source, file.path).some(({ specifier }) => isOfToolLibrary(specifier)),
  );
}

function isOfToolLibrary(specifier: string): boolean {
  return PI.test(specifier) || OWN.test(specifier) || OPENCODE.test(specifier) || TOOL_LIBRARY.test(specifier);
}

const TOOL_LIBRARY =
  /^(?:ai|fastmcp|langchain|llamaindex|@(?:ai-sdk|anthropic-ai|github\/copilot-sdk|google\/adk|inngest\/agent-kit|langchain|llamaindex|mastra|modelcontextprotocol|openai\/agents[\w-]*|roo-code\/types|strands-agents|tanstack\/ai|voltagent))(?:\/|$)/;

/** Whether the file imports `Tool`, or a file of the author that it imports does. */
export function importsToolDefine(from: LoadedSource): boolean {
  return importsAnywhere(from, ({ names }) => names.includes("Tool"));
}

/** Whether the file imports a package of LangChain, or a file of the author that it imports does. */
export function importsLangChain(from: LoadedSource): boolean {
  return importsAnywhere(from, ({ specifier }) => /^(?:@langchain\/|langchain(?:\/|$))/.test(specifier));
}

/** Whether the file, or a file of the author that it imports, imports a package whose name fits. */
export function importsPackage(from: LoadedSource, name: RegExp): boolean {
  const fits = ({ specifier }: NamedImport): boolean => name.test(specifier);
  return importsOf(from.source, from.file.path).some(fits) || importedFilesFit(from, fits);
}

function importsAnywhere(from: LoadedSource, fits: (imported: NamedImport) => boolean): boolean {
  if (isChosen(from.file)) return true;
  return importsOf(from.source, from.file.path).some(fits) || importedFilesFit(from, fits);
}

function importedFilesFit(from: LoadedSource, fits: (imported: NamedImport) => boolean): boolean {
  return authorFiles(from).some((path) => importsOf(textOf(path), path).some(fits));
}

function importsOf(source: string, path: string): NamedImport[] {
  return namedImports(source, { jsDoc: /\.[cm]?js$/.test(path) });
}

const PI = /^@(?:oh-my-pi\/|(?:mariozechner|earendil-works)\/pi-|bastani\/atomic(?:\/|$))/;
/** The packages for plugins of OpenCode and of its fork Kilo. */
const OPENCODE = /^@(?:opencode(?:-ai)?|kilocode)\/(?:plugin|sdk)(?:\/|$)/;
/** The SDK for plugins of OpenClaw, under each name that OpenClaw has had. */
const OPENCLAW = /^(?:openclaw|moltbot|clawdbot)(?:\/|$)/;
const OWN = /^(?:toolwright|@atomic\/plugin)$/;

function isOfFactory({ specifier, names }: NamedImport): boolean {
  if (PI.test(specifier)) return true;
  if (OWN.test(specifier)) return names.some((name) => /^(?:CustomTool|Extension(?:API|Factory)$)/.test(name));
  return isPluginType({ specifier, names });
}

function isPluginType({ specifier, names }: NamedImport): boolean {
  return OPENCODE.test(specifier) && names.some((name) => PLUGIN_TYPE.test(name));
}

/** Folders whose files are functions that return or register tools, in paths that flags and settings name. */
const FACTORY_FOLDER =
  /[\\/](?:\.(?:pi|omp)[\\/](?:agent[\\/])?(?:extensions|tools|hooks)|\.atomic[\\/](?:agent[\\/])?extensions)[\\/](?:[^\\/.][^\\/]*[\\/])*[^\\/]+$/;

function isFactoryPlace(file: ModuleFile): boolean {
  const { path, place, system } = file;
  if (isChosen(file) || isInPluginFolder(file)) return true;
  if ((system === "pi" || system === "omp") && place !== "configured") return true;
  return FACTORY_FOLDER.test(path) || FACTORY_FOLDER.test(tryOrUndefined(() => realpathSync.native(path)) ?? "");
}

/** Whether the file fits, or a file or package that it passes the export on from. A package fits with a manifest of pi or oh-my-pi. */
function someSource(
  exportName: string,
  from: LoadedSource,
  fits: (from: LoadedSource) => boolean,
  fitsPackage = (specifier: string): boolean => isPackageOfPi(specifier, from),
): boolean {
  const seen = new Set<string>();
  const search = (each: LoadedSource, name: string): boolean => {
    if (seen.has(each.file.path)) return false;
    seen.add(each.file.path);
    if (fits(each)) return true;
    return originsOf(each.source, name).some((specifier) => {
      if (!specifier.startsWith(".")) return fitsPackage(specifier);
      const path = authorFiles(from).find((known) => isAt(known, resolve(dirname(realOf(each.file.path)), specifier)));
      return path !== undefined && search({ file: { ...from.file, path }, source: textOf(path) }, name);
    });
  };
  return search(from, exportName);
}

/** Whether a file imports a package whose name fits. */
function importing(name: RegExp): (from: LoadedSource) => boolean {
  return ({ source, file }) => importsOf(source, file.path).some(({ specifier }) => name.test(specifier));
}

const noPackage = (): boolean => false;

function realOf(path: string): string {
  return tryOrUndefined(() => realpathSync.native(path)) ?? path;
}

/** Whether an import of `target` leads to this path: with its extension, with that of JavaScript, without one, or a folder. */
function isAt(path: string, target: string): boolean {
  if (path === target) return true;
  const stem = path.replace(/\.\w+$/, "");
  return [target, target.replace(/\.[cm]?js$/, ""), join(target, "index")].includes(stem);
}

function isPackageOfPi(specifier: string, { imports }: LoadedSource): boolean {
  const name = packageNameOf(specifier);
  const folder = imports?.().find((path) => path.endsWith(join("node_modules", name)));
  const manifest: unknown =
    folder && tryOrUndefined(() => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  return isObject(manifest) && (isObject(manifest.pi) || isObject(manifest.omp));
}

/** The files that the file imports, without those of packages. */
function authorFiles({ imports }: LoadedSource): string[] {
  const ours = dirname(packageFile("index"));
  const isAuthors = (path: string): boolean =>
    /\.[cm]?[jt]s$/.test(path) && !/[\\/]node_modules[\\/]/.test(path) && !path.startsWith(ours);
  return (imports?.() ?? []).filter((path) => isAuthors(path) && existsSync(path));
}

function textOf(path: string): string {
  return tryOrUndefined(() => readFileSync(path, "utf8")) ?? "";
}

/**
 * Files that nothing declares to be a factory. Every function in them calls `mark()`, which leaves a line on disk: no function may
 * run before a call. The key is the file name.
 */
export const MARKING_SHAPES: Readonly<Record<string, string>> = {
  // Functions as default export.
  "function.ts": "export default function () { mark(); }",
  "named-function.ts": "export default function deploy(input) { mark(); }",
  "async-function.ts": "export default async function (input: { path: string }) { mark(); return input.path; }",
  "arrow.ts": "export default () => mark();",
  "arrow-pi.ts": "export default (pi) => { mark(); return { name: 'x', parameters: {}, execute() {} }; };",
  "async-arrow.mjs": "export default async (args) => { mark(); };",
  "destructured.ts": "export default async ({ client, project, $ }) => { mark(); return { tool: {} }; };",
  "generator.ts": "export default function* () { mark(); yield 1; }\nexport const first = undefined;",
  "default-parameter.ts": "export default function (input = mark()) { mark(); }",
  "bound.ts": "function body() { mark(); }\nexport default body.bind(null);",
  "proxy.ts": "export default new Proxy(function () {}, { apply() { mark(); }, construct() { mark(); return {}; } });",
  "curried.ts": "const make = () => (input) => { mark(); };\nexport default make();",
  "with-properties.ts":
    "const run = async (input) => { mark(); };\nexport default Object.assign(run, { description: 'Runs.', parameters: { type: 'object' } });",
  "with-execute.ts": "export default Object.assign(() => mark(), { execute: () => mark(), name2: 'x' });",
  "with-then.ts": "export default Object.assign(() => mark(), { then: () => mark() });",
  "variable.ts": "const handler = async (input) => { mark(); };\nexport { handler as default };",
  "from-helper.ts": "import body from './lib/body.ts';\nexport default body;",
  "passed-on.ts": "export { default } from './lib/body.ts';",
  "passed-on-by-name.ts": "export { body as default } from './lib/body.ts';",
  "folder/index.ts": "export { default } from '../lib/body.ts';",
  "common.cjs": "module.exports = function (input) { mark(); };",
  "common-arrow.cjs": "module.exports = async (pi) => { mark(); };",
  "common.js": "module.exports = (input) => { mark(); };",
  "common-default.cjs": "exports.__esModule = true; exports.default = function () { mark(); };",
  "common-named.cjs": "exports.run = () => mark(); exports.setup = () => mark();",
  "common-required.cjs": "module.exports = require('./lib/common-body.cjs');",
  "xmcp.ts":
    "import { z } from 'zod';\nexport const schema = { path: z.string() };\nexport const metadata = { name: 'xmcp', description: 'Deletes.', annotations: {} };\nexport default async function remove({ path }) { mark(); return path; }",
  "from-package.ts": "export { default } from 'some-body';",
  // Imports that say nothing.
  "imports-tool.ts": "import { tool } from 'toolwright';\nexport default async (args) => { mark(); };",
  "imports-opencode-tool.ts":
    "import { tool } from '@opencode-ai/plugin';\nexport default async (args) => { mark(); };",
  "imports-atomic-tool.ts": "import { tool } from '@atomic/plugin';\nexport default async (args) => { mark(); };",
  "imports-context.ts":
    "import type { ToolContext } from 'toolwright';\nexport default (args, c: ToolContext) => mark();",
  "imports-node.ts": "import { readFileSync } from 'node:fs';\nexport default () => { mark(); };",
  "imports-zod.ts": "import { z } from 'zod';\nexport default async (input: z.infer<any>) => { mark(); };",
  "in-line-comment.ts":
    "// import type { ExtensionAPI } from '@mariozechner/pi-coding-agent';\nexport default (pi) => mark();",
  "in-comment.ts": "/* import type { CustomToolAPI } from 'toolwright'; */\nexport default (pi) => mark();",
  "in-doc-example.js": "/** @example import { CustomToolAPI } from 'toolwright' */\nexport default (pi) => mark();",
  "in-first-line.js": "#!/usr/bin/env node import { CustomToolAPI } from 'toolwright'\nexport default (pi) => mark();",
  "in-string.ts": "const text = \"import type { CustomToolAPI } from 'toolwright'\";\nexport default () => mark();",
  "in-template.ts":
    "const text = `\nimport type { Plugin } from '@opencode-ai/plugin';\n`;\nexport default () => mark();",
  "in-regular-expression.ts":
    "const text = /import type { CustomToolAPI } from 'toolwright'/;\nexport default () => mark();",
  "after-quote-in-regular-expression.ts":
    "const quote = /['\"]/; const text = ' import type { CustomToolAPI } from \"toolwright\" ';\nexport default () => mark();",
  "in-nested-template.ts": `const text = \`\${\`\nimport type { CustomToolAPI } from 'toolwright';\n\`}\`;\nexport default () => mark();`,
  "in-method-name.ts":
    "const loader = { import: (name) => name };\nloader.import('@mariozechner/pi-ai');\nexport default () => mark();",
  "similar-scope.ts": "import type { A } from '@oh-my-pi-tools/some-body';\nexport default () => mark();",
  "loads-pi-in-body.ts":
    "export default async () => { mark(); const { complete } = await import('@mariozechner/pi-ai'); return complete; };",
  "names-pi-in-body.ts":
    "export default async (input: { path: string }): Promise<void> => { if (input) { type Model = import('@mariozechner/pi-ai').Model; } mark(); };",
  "requires-pi-in-body.cjs": "module.exports = () => { mark(); return require('@mariozechner/pi-ai'); };",
  "other-plugin.ts": "import type { Plugin } from 'some-body';\nexport default () => mark();",
  "similar-package.ts": "import type { A } from './lib/oh-my-pi.ts';\nexport default () => mark();",
  // Functions by name.
  "named.ts": "export function run() { mark(); }\nexport const execute = async () => mark();",
  "named-plugin.ts": "export const MyPlugin = async ({ client, $ }) => { mark(); return { tool: {} }; };",
  "named-then.ts": "export function then(resolve) { mark(); resolve({}); }\nexport const x = 1;",
  "named-init.ts":
    "export const init = () => mark();\nexport const setup = () => mark();\nexport const register = () => mark();",
  "named-factory.ts":
    "import type { CustomToolAPI } from 'toolwright';\nexport const helper = (path: string) => { mark(); };",
  "plugin-helper.ts":
    "import type { Plugin } from '@opencode-ai/plugin';\nexport function removeAll(path: string) { mark(); }\nexport const unused: Plugin | undefined = undefined;",
  "creates.ts": "export function createDeployTool() { mark(); return { description: 'd', execute() {} }; }",
  "creates-with-options.ts":
    "import { tool } from 'toolwright';\nexport function createDeployTool(options = {}) { mark(); return tool({ description: 'd', execute() {} }); }",
  "creates-with-rest.ts":
    "import { tool } from 'toolwright';\nexport const createDeployTools = (...names) => { mark(); return []; };",
  "creates-beside-tool.ts":
    "import { tool } from 'toolwright';\nexport default tool({ description: 'd', execute() { mark(); } });\nexport function createDeployTool() { mark(); }",
  "creates-other.ts": "import { tool } from 'toolwright';\nexport function createTicket() { mark(); }",
  "creates-later.ts": "import { tool } from 'toolwright';\nexport function* createDeployTools() { mark(); }",
  // Classes.
  "class.ts":
    "export default class Deploy { constructor() { mark(); } execute() { mark(); } static run() { mark(); } }",
  "named-class.ts": "export class Deploy { constructor() { mark(); } invoke() { mark(); } _call() { mark(); } }",
  "default-chain-class.ts":
    "class Base { invoke() { mark(); } }\nexport default class extends Base { constructor() { super(); mark(); } _call() { mark(); } }",
  "instance.ts":
    "class Deploy { description = 'd'; execute() { mark(); } call() { mark(); } }\nexport default new Deploy();",
  // Objects.
  "tool.ts": "export default { description: 'd', execute() { mark(); } };",
  "tool-of-many.ts":
    "export default { description: 'd', execute() { mark(); }, init() { mark(); }, setup() { mark(); }, run() { mark(); }, call() { mark(); }, access() { mark(); return []; } };",
  "getter.ts": "export default { get description() { return 'd'; }, get execute() { return () => mark(); } };",
  "init.ts": "export default { id: 'x', init() { mark(); return { description: 'd', execute() {} }; } };",
  "init-by-name.ts": "export const made = { id: 'x', async init() { mark(); } };",
  "setup.ts": "export default { id: 'x', setup(ctx) { mark(); } };",
  "setup-alone.ts": "export default { setup() { mark(); } };",
  "server.ts": "export default { id: 'x', server: async () => { mark(); return { tool: {} }; } };",
  "server-alone.ts": "export default { server() { mark(); } };",
  "effect.ts": "export default { id: 'x', effect() { mark(); } };",
  "tui.ts": "export default { id: 'x', tui() { mark(); } };",
  "handler.ts":
    "export default { name: 'handled', description: 'd', inputSchema: { type: 'object' }, handler() { mark(); } };",
  "thenable.ts": "export default { then(resolve) { mark(); resolve({}); } };",
  "thenable-tool.ts":
    "export default { description: 'd', execute() { mark(); }, then(resolve) { mark(); resolve({}); } };",
  "to-json.ts":
    "export default { description: 'd', execute() { mark(); }, toJSON() { mark(); }, toString() { mark(); return ''; } };",
  "to-primitive.ts":
    "export default { description: 'd', execute() { mark(); }, [Symbol.toPrimitive]() { mark(); return ''; }, valueOf() { mark(); } };",
  "iterable.ts": "export default { description: 'd', execute() { mark(); }, *[Symbol.iterator]() { mark(); } };",
  "proxy-tool.ts": "export default new Proxy({ description: 'd', execute() { mark(); } }, { apply() { mark(); } });",
  "list-of-functions.ts": "export default [() => mark(), async (pi) => mark()];",
  "record-of-functions.ts": "export default { deploy: () => mark(), remove: async () => mark() };",
  "nested.ts":
    "export const tools = { deploy: { run: () => mark() }, all: [{ description: 'd', execute: () => mark() }] };",
  "pi-tool.ts":
    "export default { name: 'direct', label: 'D', description: 'd', parameters: { type: 'object' }, execute() { mark(); } };",
  "chain.ts": "export default { name: 'chained', description: 'd', schema: { type: 'object' }, invoke() { mark(); } };",
  "agents.ts":
    "export default { type: 'function', name: 'agent', description: 'd', parameters: { type: 'object' }, invoke() { mark(); }, needsApproval() { mark(); } };",
  "approval.ts":
    "export default { type: 'function', name: 'approved', description: 'd', parameters: { type: 'object' }, invoke() { mark(); }, isEnabled: async () => mark(), errorFunction: () => mark() };",
  "mastra.ts":
    "export default { id: 'made', description: 'd', inputSchema: { type: 'object' }, execute() { mark(); }, requireApproval() { mark(); } };",
  "chain-methods.ts":
    "export default { name: 'linked', description: 'd', schema: { type: 'object' }, invoke() { mark(); }, call() { mark(); }, func() { mark(); }, getName() { mark(); } };",
  "zod-functions.ts":
    "import { z } from 'zod';\nconst one = z.string().transform(() => mark());\nconst two = z.string().refine(() => mark());\nconst three = z.preprocess(() => mark(), z.string());\nexport default { description: 'd', args: { one, two, three }, execute() { mark(); } };",
  "standard-schema.ts":
    "const schema = { version: 1, vendor: 'own', validate() { mark(); }, jsonSchema: { input: () => ({ type: 'object' }), output: () => ({}) } };\nexport default { name: 'standard', description: 'd', inputSchema: { '~standard': schema }, handler() { mark(); } };",
  "async-iterable.ts":
    "export default { description: 'd', execute() { mark(); }, async *[Symbol.asyncIterator]() { mark(); } };",
  "proxy-execute.ts":
    "export default { description: 'd', execute: new Proxy(() => {}, { apply() { mark(); }, construct() { mark(); return {}; } }) };",
  "promise.ts": "export default Promise.resolve(() => mark());",
  "promise-of-tool.ts": "export default Promise.resolve({ description: 'd', execute() { mark(); } });",
  "ai.ts":
    "export default { description: 'd', inputSchema: { type: 'object' }, execute() { mark(); }, onInputStart() { mark(); }, toModelOutput() { mark(); } };",
  // Agent libraries, Roo Code and Amp.
  "anthropic.ts":
    "export default { name: 'claude', description: 'd', input_schema: { type: 'object' }, run() { mark(); }, parse() { mark(); }, close() { mark(); } };",
  "anthropic-memory.ts": "export default { type: 'memory', name: 'memory', run() { mark(); }, parse() { mark(); } };",
  "llama.ts":
    "export default { metadata: { name: 'llama', description: 'd', parameters: { type: 'object' } }, call() { mark(); }, bind() { mark(); } };",
  "llama-class.ts":
    "class T { get metadata() { return { name: 'lc', description: 'd' }; } call = () => mark(); }\nexport default new T();",
  "strands.ts":
    "export default { name: 'strand', toolSpec: { name: 'strand', inputSchema: { type: 'object' } }, invoke() { mark(); }, async *stream() { mark(); }, _callback() { mark(); } };",
  "voltagent.ts":
    "export default { type: 'user-defined', name: 'volt', description: 'd', parameters: { type: 'object' }, execute() { mark(); }, isClientSide() { mark(); }, needsApproval() { mark(); }, toModelOutput() { mark(); }, hooks: { onStart() { mark(); }, onEnd() { mark(); } } };",
  "voltagent-kit.ts":
    "export const kit = { name: 'kit', instructions: 'i', tools: [{ type: 'user-defined', name: 'v2', execute() { mark(); } }] };",
  "tanstack.ts":
    "export default { __toolSide: 'server', name: 'tan', description: 'd', inputSchema: { type: 'object' }, execute() { mark(); }, needsApproval() { mark(); } };",
  "tanstack-definition.ts":
    "export default { __toolSide: 'definition', name: 'def', server() { mark(); }, client() { mark(); } };",
  "tanstack-client.ts": "export default { __toolSide: 'client', name: 'browser', execute() { mark(); } };",
  "agentkit.ts":
    "import type { Tool } from '@inngest/agent-kit';\nexport default { name: 'kit', description: 'd', parameters: { type: 'object' }, handler() { mark(); }, lifecycle: { onStart() { mark(); } } };",
  "agentkit-function.ts": "import type { Tool } from '@inngest/agent-kit';\nexport default async (input) => mark();",
  "adk.ts":
    "export default { [Symbol.for('google.adk.baseTool')]: true, name: 'adk', parameters: undefined, _getDeclaration() { return { name: 'adk' }; }, runAsync() { mark(); }, execute() { mark(); }, requireConfirmation() { mark(); }, processLlmRequest() { mark(); } };",
  "adk-unmarked.ts":
    "export default { name: 'adk2', description: 'd', _getDeclaration() { mark(); }, runAsync() { mark(); } };",
  "adk-class.ts":
    "import type { BaseTool } from '@google/adk';\nexport default class T { constructor() { mark(); } runAsync() { mark(); } _getDeclaration() { mark(); } }",
  "roo.ts":
    "import { defineCustomTool, parametersSchema as z } from '@roo-code/types';\nexport default defineCustomTool({ name: 'roo', description: 'd', parameters: z.object({}), execute() { mark(); } });",
  "roo-function.ts": "import { defineCustomTool } from '@roo-code/types';\nexport default async (args) => mark();",
  "amp-in-comment.ts": "// import type { PluginAPI } from '@ampcode/plugin';\nexport default (amp) => mark();",
  "amp-similar.ts": "import type { PluginAPI } from '@ampcode/plugin-tools';\nexport default (amp) => mark();",
  "amp-named.ts":
    "import type { PluginAPI } from '@ampcode/plugin';\nexport const plugin = (amp: PluginAPI) => mark();",
  "amp-api.ts": "export default function (amp) { amp.registerTool({ name: 'a', execute() {} }); mark(); }",
  "amp-body.ts":
    "import type { PluginAPI } from '@ampcode/plugin';\nexport default (amp: PluginAPI) => { amp.registerTool({ name: 'ampbody', description: 'd', inputSchema: { type: 'object' }, async execute() { mark(); } }); amp.on('tool.call', () => mark()); amp.on('session.start', () => {}); amp.registerCommand('c', {}, () => mark()); };",
  "creates-without-library.ts": "import { z } from 'zod';\nexport function createMemoryTools() { mark(); return []; }",
  "creates-with-config.ts":
    "import { tool } from 'ai';\nexport function createMemoryTool(config: { path: string }) { mark(); }",
  "creates-beside-tools.ts":
    "import type { Tool } from '@inngest/agent-kit';\nexport const kept = { name: 'kept', description: 'd', handler() { mark(); } };\nexport function createMemoryTools() { mark(); }",
  "deletes.ts": "import { tool } from 'toolwright';\nexport function deleteUserTool() { mark(); }",
  "makes.ts":
    "import { tool } from 'toolwright';\nexport const makeTools = () => mark();\nexport const recreateTool = () => mark();",
};

/** What the shapes import. They are no tool files: no place looks into `lib`. */
export const MARKING_HELPERS: Readonly<Record<string, string>> = {
  "lib/body.ts": "export default async function body(input) { mark(); }\nexport { body };",
  "lib/common-body.cjs": "module.exports = () => mark();",
  "lib/oh-my-pi.ts": "export type A = string;",
  "node_modules/some-body/package.json": '{ "name": "some-body", "main": "index.cjs" }',
  "node_modules/some-body/index.cjs": "module.exports = () => mark();",
};

/** The text of a shape whose `mark()` appends `name` to a file. */
export function marking(text: string, name: string, marks: string): string {
  if (text.startsWith("{")) return text;
  const write = `process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(marks)}, ${JSON.stringify(`${name}\n`)})`;
  return `${text}\nfunction mark() { ${write}; }\n`;
}

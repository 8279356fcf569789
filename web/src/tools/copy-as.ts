import { shellWord } from "../../../src/platform/text/shell-word.ts";

export interface CopiedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The command line that starts Toolwright. */
  readonly command: string;
  /** Its options to find the tools of this server, quoted. */
  readonly commandOptions: string;
  /** The origin of the page. */
  readonly origin: string;
  /** "win32" for the quoting of Windows. */
  readonly platform: string;
}

/** Ways to make the same call elsewhere. None contains the token, which is in `TOOLWRIGHT_TOKEN`. */
export const COPY_FORMATS: readonly { readonly name: string; readonly text: (call: CopiedCall) => string }[] = [
  { name: "CLI", text: asCommand },
  { name: "curl", text: asCurl },
  { name: "TypeScript", text: asTypeScript },
  { name: "MCP config", text: asMcpConfig },
];

export function asCommand({ tool, input, command, commandOptions, platform }: CopiedCall): string {
  const word = (text: string): string => shellWord(text, platform);
  const options = commandOptions === "" ? "" : ` ${commandOptions}`;
  const given = `${Object.keys(input).length === 0 ? "" : ` --input ${word(JSON.stringify(input))}`}${options}`;
  // A name that begins with a dash would be an option.
  return tool.startsWith("-") ? `${command} run${given} -- ${word(tool)}` : `${command} run ${word(tool)}${given}`;
}

export function asCurl({ tool, input, origin, platform }: CopiedCall): string {
  const word = (text: string): string => shellWord(text, platform);
  const variable = platform === "win32" ? "%TOOLWRIGHT_TOKEN%" : "$TOOLWRIGHT_TOKEN";
  const url = `${origin}/api/tools/${encodeURIComponent(tool)}/run`;
  return `curl -H "Authorization: Bearer ${variable}" --json ${word(JSON.stringify({ input }))} ${word(url)}`;
}

export function asTypeScript({ tool, input, origin }: CopiedCall): string {
  const given = JSON.stringify(input, null, 2);
  return [
    'import { createClient } from "toolwright/client";',
    "",
    `const client = createClient({ url: ${JSON.stringify(origin)}, token: process.env.TOOLWRIGHT_TOKEN });`,
    `const result = await client.tools.run(${JSON.stringify(tool)}, ${given});`,
    "console.log(result.ok ? result.output : result.error.message);",
  ].join("\n");
}

/** `$` is not expanded in JSON by every client, so the file names the variable in the way of most. */
export function asMcpConfig({ origin }: CopiedCall): string {
  const server = { type: "http", url: `${origin}/mcp`, headers: { Authorization: "Bearer $" + "{TOOLWRIGHT_TOKEN}" } };
  return JSON.stringify({ mcpServers: { toolwright: server } }, null, 2);
}

/** The platform whose shell gets copied commands: the one of the browser. */
export function shellPlatform(): string {
  return /^win/i.test(navigator.platform) ? "win32" : "linux";
}

import { type Tool as ListedTool, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { nearest } from "../core/nearest.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { Hints } from "../core/tool.ts";
import type { ToolInfo } from "../registry/entry.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import type { ClientIdentity } from "./mcp-client.ts";
import type { Served, ShownTool } from "./server-options.ts";

/** For whom a list is made. */
export interface Viewer {
  readonly info: ClientIdentity | undefined;
  readonly sessionID: string;
}

/** What stands behind a name that a client was shown: the tool's own name, which tool it was then, and its output as shown. */
interface Behind {
  readonly name: string;
  readonly identity: string;
  readonly output?: JsonSchema | undefined;
}

/** A tool, and how it is shown to a client. */
interface Fitted {
  readonly shown: ShownTool;
  readonly tool: ToolInfo;
}

/** The tools as one connection sees them, and what it was told of them. */
export class ToolView {
  readonly #toolbox: Toolbox;
  readonly #options: Served;
  /** What was shown last, and, once somebody asks, by name. */
  #listed: readonly Fitted[] = [];
  #shown: ReadonlyMap<string, Behind> | undefined;

  constructor(toolbox: Toolbox, options: Served) {
    this.#toolbox = toolbox;
    this.#options = options;
  }

  /** One page of the list, in the order of the names. Throws for a cursor that is none of ours. */
  list(viewer: Viewer, cursor: string | undefined): { tools: ListedTool[]; nextCursor?: string } {
    const after = cursor === undefined ? undefined : nameIn(cursor);
    const all = this.#fitted(viewer);
    this.#listed = all;
    this.#shown = undefined;
    const rest = after === undefined ? all : all.filter(({ shown }) => shown.name > after);
    const page = rest.slice(0, this.#options.pageSize);
    const tools = page.map(({ shown, tool }) => toListed(shown, tool.hints));
    const last = tools.at(-1);
    return rest.length > page.length && last ? { tools, nextCursor: cursorAfter(last.name) } : { tools };
  }

  /**
   * The name of the tool that a client means, and the output that it was told to expect of it; throws, as the protocol has
   * it, where it can mean none.
   */
  resolve(asked: string, viewer: Viewer): { name: string; output?: JsonSchema | undefined } | { refused: string } {
    this.#shown ??= new Map(this.#listed.map((each) => [each.shown.name, behind(each)]));
    const known = this.#shown.get(asked) ?? this.#look(asked, viewer);
    const name = known?.name ?? asked;
    const tool = this.#toolbox.get(name);
    if (tool && !this.#options.includes(tool, viewer.info)) throw unknown(asked, this.names(viewer));
    if (tool && known && known.identity !== identityOf(tool)) {
      return { refused: `"${asked}" now means another tool than when the tools were listed. List them again.` };
    }
    return { name, output: known ? known.output : this.#outputOf(tool, viewer) };
  }

  /** For whoever has not listed the tools on this connection. */
  #outputOf(tool: ToolInfo | undefined, { info }: Viewer): JsonSchema | undefined {
    if (tool?.outputSchema === undefined) return undefined;
    return (this.#options.fit?.([tool], info)[0] ?? tool).outputSchema;
  }

  /** The names that the client is shown. */
  names(viewer: Viewer): string[] {
    return this.#fitted(viewer).map(({ shown }) => shown.name);
  }

  /** Whoever has not listed the tools may still have the names, from an earlier connection. */
  #look(asked: string, viewer: Viewer): Behind | undefined {
    if (!this.#options.fit || this.#toolbox.has(asked)) return undefined;
    const found = this.#fitted(viewer).find(({ shown }) => shown.name === asked);
    return found && behind(found);
  }

  #fitted({ info, sessionID }: Viewer): Fitted[] {
    const tools = this.#toolbox
      .list({ agent: info?.name ?? "", sessionID })
      .filter((tool) => this.#options.includes(tool, info));
    const fitted = this.#options.fit?.(tools, info) ?? tools;
    return tools
      .map((tool, index) => ({ tool, shown: fitted[index] ?? tool }))
      .sort((a, b) => (a.shown.name < b.shown.name ? -1 : 1));
  }
}

/** A tool that nobody has: an error of the protocol, with the nearest names. */
export function unknown(name: string, names: readonly string[]): ProtocolError {
  const near = nearest(name, names).map((each) => `"${each}"`);
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "List the tools to see which there are.";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name}". ${hint}`);
}

/** Schemas go out as they are; only what every client insists on is added, since one that lacks it costs the whole list. */
function toListed({ name, description, inputSchema, outputSchema }: ShownTool, hints: Hints): ListedTool {
  const schema = inputSchema.type === "object" ? inputSchema : { ...inputSchema, type: "object" };
  const annotations = toAnnotations(hints);
  return {
    name,
    ...(hints.title === undefined ? {} : { title: hints.title }),
    description,
    inputSchema: schema as ListedTool["inputSchema"],
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as NonNullable<ListedTool["outputSchema"]> }),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  };
}

function toAnnotations({
  title,
  readOnly,
  destructive,
  idempotent,
  openWorld,
}: Hints): NonNullable<ListedTool["annotations"]> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
    ...(destructive === undefined ? {} : { destructiveHint: destructive }),
    ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
    ...(openWorld === undefined ? {} : { openWorldHint: openWorld }),
  };
}

function behind({ shown, tool }: { shown: ShownTool; tool: ToolInfo }): Behind {
  return { name: tool.name, identity: identityOf(tool), output: shown.outputSchema };
}

function identityOf({ file, exportName, name }: ToolInfo): string {
  return `${file}#${exportName ?? name}`;
}

const CURSOR = "after:";

/** A cursor is the last name before the page, so that it holds whatever comes and goes meanwhile. */
function cursorAfter(name: string): string {
  return Buffer.from(`${CURSOR}${name}`).toString("base64url");
}

function nameIn(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (text.startsWith(CURSOR)) return text.slice(CURSOR.length);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This cursor is not one of ours. List from the beginning.");
}

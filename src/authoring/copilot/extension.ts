/**
 * Stands in for `@github/copilot-sdk/extension`, and for `@github/copilot-sdk` if it is not installed. Extensions of Copilot
 * CLI pass their tools to `joinSession` while they are imported.
 */
import { type JoinConfig, JoinedSession, sessionsOf } from "./joined-session.ts";

export { unavailable } from "../pi/stand-in.ts";

/** Called by `joinSession` of the file `importer`. Resolves at once: no agent is attached. */
export async function joinSessionFor(importer: string, config: JoinConfig = {}): Promise<object> {
  const joined = new JoinedSession(config);
  sessionsOf(importer).push(joined);
  return joined.session;
}

/** Permission rules of Toolwright decide, so this is never called. */
export function approveAll(): { kind: "approved" } {
  return { kind: "approved" };
}

export function defineTool<Config extends object>(name: string, config: Config): Config & { name: string } {
  return { ...config, name };
}

/** A canvas can be created, and is never opened. */
export class Canvas {
  readonly declaration: object;

  constructor(options: object) {
    this.declaration = options;
  }
}

export function createCanvas(options: object): Canvas {
  return new Canvas(options);
}

export class CanvasError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A factory can be defined, and is never run. */
export function defineFactory<Definition extends object>(definition: Definition): Definition {
  return definition;
}

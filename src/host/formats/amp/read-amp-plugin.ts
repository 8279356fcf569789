import { messageOf } from "../../../core/error.ts";
import { bunNeedOf } from "../../protocol/source-problem.ts";
import type { Contributions } from "../contributions.ts";
import type { ExportContext } from "../export-context.ts";
import { ampApi, ampContext } from "./amp-api.ts";
import { ampHooks } from "./amp-hooks.ts";
import { AmpRegistrations } from "./amp-registrations.ts";

const USED_EVENTS = new Set(["tool.call", "tool.result", "session.start"]);

/** Calls a plugin of Amp and reads what it registers, also later. Rejects only if the code needs Bun. */
export async function readAmpPlugin(plugin: (amp: object) => unknown, at: ExportContext): Promise<Contributions> {
  const { host, file, why } = at;
  const contextFor = (sessionID: string): object => ampContext(host, sessionID);
  const registrations = new AmpRegistrations(at, contextFor);
  const ignored = new Set<string>();
  try {
    await plugin(ampApi(host, registrations, (member) => void ignored.add(member)));
    await registrations.settled();
  } catch (thrown) {
    if (bunNeedOf(thrown)) throw thrown;
    const message = `Its default function failed: ${messageOf(thrown)}`;
    const problem = { file: file.path, exportName: at.exportName, code: "plugin_failed", message } as const;
    return { tools: [], problems: [problem], dependsOnHost: true };
  }
  return {
    get tools() {
      return registrations.tools;
    },
    get problems() {
      return registrations.problems;
    },
    get about() {
      return { format: "amp-plugin" as const, why, unsupportedFeatures: unsupportedIn(registrations, ignored) };
    },
    dependsOnHost: true,
    get hooks() {
      return ampHooks({ registrations, file: file.path, contextFor });
    },
    get commands() {
      return registrations.commands;
    },
    onSession: async (event, session) => {
      if (event.reason !== "start") return;
      for (const handler of registrations.handlers("session.start")) {
        await handler({ thread: { id: session.id } }, contextFor(session.id));
      }
      await registrations.settled();
    },
    onChange: (listener) => registrations.onChange(listener),
    close: () =>
      registrations.dispose((error) => host.log("warn", `${file.path}: onDispose() failed: ${messageOf(error)}`)),
  } as Contributions;
}

function unsupportedIn(registrations: AmpRegistrations, ignored: ReadonlySet<string>): string[] {
  const events = registrations.events.filter((event) => !USED_EVENTS.has(event));
  return [
    ...[...ignored].map((member) => `amp.${member}() has no effect in Toolwright.`),
    ...events.map((event) => `Its handler of "${event}" is never called by Toolwright.`),
  ];
}

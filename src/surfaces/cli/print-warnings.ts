import type { SettingsWarning } from "../../settings/read-settings.ts";
import type { Invocation } from "./args/command.ts";
import { printable, shownPlace, styled } from "./output/print.ts";
import { wrapped } from "./output/wrap.ts";

/** Prints warnings about settings to stderr. */
export function printWarnings(warnings: readonly SettingsWarning[], { terminal, globals }: Invocation): void {
  for (const warning of warnings) {
    const label = styled(terminal.stderr, "yellow", "warning:");
    const text = `${label} ${shownPlace(warning, globals.cwd)}: ${printable(warning.message)}`;
    terminal.stderr.report(`${wrapped(text, terminal.stderr.columns).join("\n")}\n`);
  }
}

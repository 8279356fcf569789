import type { SettingsWarning } from "../../config/read-settings.ts";
import type { Invocation } from "./command.ts";
import { printable, shownPlace, styled } from "./print.ts";
import { wrapped } from "./wrap.ts";

/** Prints warnings about settings to stderr. */
export function printWarnings(warnings: readonly SettingsWarning[], { terminal, globals }: Invocation): void {
  for (const warning of warnings) {
    const label = styled(terminal.stderr, "yellow", "warning:");
    const text = `${label} ${shownPlace(warning, globals.cwd)}: ${printable(warning.message)}`;
    terminal.stderr.report(`${wrapped(text, terminal.stderr.columns).join("\n")}\n`);
  }
}

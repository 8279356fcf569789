import { type ReactElement, useState } from "react";
import type { ApiCatalog } from "../../../src/surfaces/http/client/index.ts";
import { copyText } from "../components/copy-button.tsx";
import { Menu } from "../components/menu.tsx";
import type { Input } from "../runs.ts";
import { COPY_FORMATS, shellPlatform } from "./copy-as.ts";

interface CopyAsMenuProps {
  readonly tool: string;
  /** Undefined while it is not valid. */
  readonly input: Input | undefined;
  readonly catalog: Pick<ApiCatalog, "command" | "commandOptions">;
}

/** Copies the same call for another place. The token is never part of it. */
export function CopyAsMenu({ tool, input, catalog }: CopyAsMenuProps): ReactElement {
  const [says, setSays] = useState("");
  const items = COPY_FORMATS.map(({ name, text }) => ({
    id: name,
    label: name,
    onSelect: () => {
      const platform = shellPlatform();
      const { command, commandOptions } = catalog;
      const call = { tool, input: input ?? {}, command, commandOptions, origin: location.origin, platform };
      copyText(text(call)).then(
        () => setSays(`Copied as ${name}.`),
        () => setSays("The browser refused to copy."),
      );
      setTimeout(() => setSays(""), 3000);
    },
  }));
  return (
    <>
      <span className="small muted copy-status" role="status">
        {says}
      </span>
      <Menu label="Copy as" icon="copy" items={items} disabled={input === undefined} />
    </>
  );
}

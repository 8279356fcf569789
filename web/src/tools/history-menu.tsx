import { type ReactElement, useState } from "react";
import { Menu } from "../components/menu.tsx";
import { timeAgo } from "../format.ts";
import type { Input } from "../runs.ts";
import { forgetInputs, pastInputs } from "./input-history.ts";

interface HistoryMenuProps {
  readonly tool: string;
  readonly onSelect: (input: Input) => void;
}

/** The last inputs of a tool. They stay in this browser. */
export function HistoryMenu({ tool, onSelect }: HistoryMenuProps): ReactElement | null {
  const [, setForgotten] = useState(0);
  const past = pastInputs(tool);
  if (past.length === 0) return null;
  const items = past.map(({ at, input }, index) => ({
    id: `${index} ${at}`,
    label: <code>{JSON.stringify(input).slice(0, 120)}</code>,
    detail: timeAgo(at),
    onSelect: () => onSelect(input),
  }));
  const forget = (): void => {
    forgetInputs(tool);
    setForgotten((count) => count + 1);
  };
  return (
    <Menu
      label="History"
      icon="history"
      items={[...items, { id: "forget", label: "Forget these inputs", onSelect: forget }]}
    />
  );
}

import { type ReactElement, useState } from "react";
import { useServer } from "../server.ts";
import { forgetStored } from "../stored.ts";
import { applyTheme, storedTheme, THEMES } from "../theme.ts";
import { Button } from "./button.tsx";

/** The switch of the theme, the list of shortcuts, and the way out. */
export function PageTools({ onHelp }: { readonly onHelp: () => void }): ReactElement {
  const server = useServer();
  const [theme, setTheme] = useState(storedTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  const change = (): void => {
    applyTheme(next);
    setTheme(next);
  };
  const logOut = async (): Promise<void> => {
    // Without a server, there is no cookie to remove either: the next start has another token.
    await server.logOut().catch(() => {});
    forgetStored();
    location.assign("/");
  };
  const icon = ({ system: "system", light: "sun", dark: "moon" } as const)[theme];
  return (
    <div className="nav-tools">
      <Button kind="quiet" icon={icon} aria-label={`Theme: ${theme}. Change to ${next}`} onClick={change} />
      <Button kind="quiet" icon="keyboard" aria-label="Keyboard shortcuts (?)" onClick={onHelp} />
      <Button kind="quiet" icon="lock" aria-label="Log out of this browser" onClick={() => void logOut()} />
    </div>
  );
}

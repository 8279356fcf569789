import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from "react";
import { useServer } from "../server.ts";
import { tokenOf } from "../token-of.ts";
import { Button } from "./button.tsx";
import { Note } from "./error-state.tsx";
import { Brand } from "./navigation.tsx";

/** The server has removed a wrong token from the address, and says so with this hash. */
const WRONG = "The token in the address is not the token of this server.";

/** Shown instead of the page while it has no valid token. */
export function LoginPage(): ReactElement {
  return (
    <main className="login">
      <div className="stack">
        <Brand />
        <LoginForm />
      </div>
    </main>
  );
}

/** Shown above the page when its token has become invalid, so that nothing that a person has typed is lost. */
export function LoginDialog(): ReactElement {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    dialog?.querySelector("input")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className="dialog login-dialog"
      aria-label="Log in"
      onCancel={(event) => event.preventDefault()}
      // Browsers close a dialog at the second Escape, whatever it says.
      onClose={({ currentTarget: dialog }) => dialog.isConnected && dialog.showModal()}
    >
      <LoginForm />
    </dialog>
  );
}

function LoginForm(): ReactElement {
  const { client, live } = useServer();
  const [pasted, setPasted] = useState("");
  const [problem, setProblem] = useState<string | undefined>(location.hash === "#wrong-token" ? WRONG : undefined);
  const [busy, setBusy] = useState(false);
  const id = useId();
  const login = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const token = tokenOf(pasted);
    if (token === undefined) return setProblem("Paste the token, or the whole URL with ?token= in it.");
    setBusy(true);
    try {
      await client.login(token);
      history.replaceState(null, "", location.pathname + location.search);
      live.retry();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <form className="stack" onSubmit={login}>
      <h1>This page needs the token of the server</h1>
      <p className="muted">
        The token is missing, or it has changed because the server was restarted. <code>toolwright serve</code> prints a
        URL with the token when it starts. Open that URL, or paste it here. If you chose the token, paste the token.
      </p>
      <label htmlFor={id}>URL or token</label>
      <input
        id={id}
        className="input code"
        type="password"
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: it is the only field of the page.
        autoFocus
        placeholder="http://127.0.0.1:4141/?token=…"
        value={pasted}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => setPasted(event.target.value)}
      />
      <div id={`${id}-problem`} role="alert">
        {problem !== undefined && <Note tone="bad">{problem}</Note>}
      </div>
      <div className="row">
        <Button kind="primary" type="submit" disabled={busy}>
          Log in
        </Button>
      </div>
      <p className="small muted">
        The token is kept in a cookie that scripts cannot read. To keep it the same after a restart, set{" "}
        <code>TOOLWRIGHT_TOKEN</code> or use <code>--token-file</code>.
      </p>
    </form>
  );
}

import { type ReactElement, useEffect, useState } from "react";
import { Button } from "./button.tsx";

interface CopyButtonProps {
  readonly text: string | (() => string);
  /** What is copied, such as "command". */
  readonly label?: string;
  readonly children?: string;
}

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, label = "text", children }: CopyButtonProps): ReactElement {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    copyText(typeof text === "string" ? text : text()).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  const says = { idle: `Copy ${label}`, copied: "Copied", failed: "The browser refused to copy" }[state];
  return (
    <>
      <Button
        kind="quiet"
        size="small"
        icon={state === "copied" ? "check" : state === "failed" ? "alert" : "copy"}
        aria-label={says}
        title={says}
        onClick={copy}
      >
        {children}
      </Button>
      <span className="visually-hidden" role="status">
        {state === "idle" ? "" : says}
      </span>
    </>
  );
}

/** `navigator.clipboard` exists only on https and on this machine. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  (document.querySelector("dialog:modal") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("The browser refused to copy.");
}

/** A command for the terminal, with a button that copies it. */
export function Command({ children }: { readonly children: string }): ReactElement {
  return (
    <div className="command">
      <code>{children}</code>
      <CopyButton text={children} label="command" />
    </div>
  );
}

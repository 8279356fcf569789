import type { ReactElement } from "react";
import type { LiveState } from "../live.ts";
import { useLiveState, useServer } from "../server.ts";
import { Dot, type Tone } from "./badge.tsx";
import { Button } from "./button.tsx";
import { Command } from "./copy-button.tsx";
import { Icon } from "./icon.tsx";

const SHOWN: Readonly<Record<LiveState["kind"], readonly [Tone, string]>> = {
  connecting: ["warn", "Connecting…"],
  live: ["ok", "Live"],
  reconnecting: ["warn", "Reconnecting…"],
  stopped: ["bad", "Server stopped"],
  unauthorized: ["bad", "Logged out"],
  paused: ["neutral", "Paused"],
};

/** The connection to the server, in the navigation. */
export function ConnectionState(): ReactElement {
  const state = useLiveState();
  const [tone, text] = SHOWN[state.kind];
  return (
    <div className="connection" role="status" title={state.kind === "live" ? `Toolwright ${state.version}` : undefined}>
      <Dot tone={tone} pulse={state.kind === "connecting" || state.kind === "reconnecting"} />
      <span>{text}</span>
    </div>
  );
}

/** Above the view if the server does not answer: what is shown may be out of date. */
export function ConnectionBanner(): ReactElement | null {
  const { live } = useServer();
  const state = useLiveState();
  if (state.kind !== "stopped") return null;
  return (
    <div className="banner" data-tone="bad" role="alert">
      <Icon name="alert" />
      <div className="grow row wrap">
        <span>
          The server does not answer. The page connects as soon as it runs again. Start it as before, for example with:
        </span>
        <Command>toolwright serve</Command>
      </div>
      <Button size="small" icon="refresh" onClick={live.retry}>
        Try now
      </Button>
    </div>
  );
}

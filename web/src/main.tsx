import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { createServer, ServerContext } from "./server.ts";
import "./styles/index.css";
import { applyTheme, storedTheme } from "./theme.ts";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root.");
applyTheme(storedTheme());
const server = createServer(location.origin);
server.live.start();
createRoot(root).render(
  <StrictMode>
    <ServerContext value={server}>
      <App />
    </ServerContext>
  </StrictMode>,
);

import type { ReactElement } from "react";

/** Strokes on a grid of 16 × 16. */
const PATHS = {
  tools: "M9.8 2.4a3.6 3.6 0 0 0-3.3 5l-4.3 4.3 2.1 2.1 4.3-4.3a3.6 3.6 0 0 0 4.8-4.4L11.2 7.3 9 7 8.7 4.8z",
  sessions: "M2.5 3.5h11v7.5H7l-3 2.7V11H2.5zM5 6.2h6M5 8.4h4",
  calls: "M1.8 8.5h2.7l1.8-5 3.2 9 1.9-4h2.8",
  agents: "M3.5 6h9v6.5h-9zM8 6V3.4M6.2 8.6v1.2M9.8 8.6v1.2M1.8 8.2v2M14.2 8.2v2M8 2.6v.1",
  permissions: "M8 1.8l5 1.9v3.8c0 3.2-2.1 5.4-5 6.7-2.9-1.3-5-3.5-5-6.7V3.7zM5.9 7.9l1.5 1.5 2.8-2.9",
  search: "M7 2.6a4.4 4.4 0 1 1 0 8.8 4.4 4.4 0 0 1 0-8.8zM10.2 10.2l3.4 3.4",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  check: "M3 8.5l3.2 3.2L13 4.8",
  close: "M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4",
  sun: "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.4v1.2M8 13.4v1.2M1.4 8h1.2M13.4 8h1.2M3.3 3.3l.9.9M11.8 11.8l.9.9M12.7 3.3l-.9.9M4.2 11.8l-.9.9",
  moon: "M13.3 9.6A5.7 5.7 0 1 1 6.4 2.7a4.6 4.6 0 0 0 6.9 6.9z",
  system: "M2 3h12v8H2zM5.5 13.5h5M8 11v2.5",
  keyboard: "M1.8 4.2h12.4v7.6H1.8zM4.3 6.7h.1M6.8 6.7h.1M9.2 6.7h.1M11.7 6.7h.1M5 9.4h6",
  alert: "M8 2.2l6 10.9H2zM8 6.4v3.2M8 11.4v.1",
  info: "M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9zM8 7.4v3.6M8 5.1v.1",
  play: "M4.8 3l8 5-8 5z",
  stop: "M4.2 4.2h7.6v7.6H4.2z",
  chevron: "M6 3.5L10.5 8 6 12.5",
  down: "M3.5 6L8 10.5 12.5 6",
  back: "M9.5 3.5L5 8l4.5 4.5M5 8h8.5",
  file: "M4 1.9h5.2L12.5 5v9.1H4zM9 2v3.2h3.3",
  download: "M8 2.2v8M4.8 7.4L8 10.6l3.2-3.2M2.8 13.4h10.4",
  external: "M6.5 3.5h-4v10h10v-4M9.2 2.5h4.3v4.3M13.2 2.8L7.5 8.5",
  refresh: "M13.3 8A5.3 5.3 0 1 1 11.6 4.1M13.4 1.9v2.9h-2.9",
  history: "M2.7 8a5.3 5.3 0 1 0 1.7-3.9M2.6 1.9v2.9h2.9M8 5.2V8l2 1.4",
  code: "M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  trash: "M2.8 4.4h10.4M6.3 4.2V2.6h3.4v1.6M4.2 4.6l.6 8.9h6.4l.6-8.9M6.8 7v4M9.2 7v4",
  more: "M3.5 8h.1M8 8h.1M12.4 8h.1",
  lock: "M3.5 7h9v6.8h-9zM5.3 7V5.2a2.7 2.7 0 0 1 5.4 0V7",
  question:
    "M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9zM6.2 6.3a1.9 1.9 0 1 1 2.7 1.7c-.6.3-.9.7-.9 1.4M8 11.4v.1",
  send: "M8 13.2V3M3.8 7.2L8 3l4.2 4.2",
  branch: "M4.5 2.5v11M4.5 9.5c4.5 0 7-1.2 7-4.6M11.5 2.5v2.3M11.5 2.6v.1M4.5 2.6v.1M4.5 13.4v.1",
  filter: "M2 3.5h12L9.5 8.8v4.4l-3-1.6V8.8z",
} as const;

export type IconName = keyof typeof PATHS;

/** A decoration: the text beside it, or the label of its button, says the same. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): ReactElement {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

import type { ReactElement, ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./code-block.tsx";
import { safeLink } from "./safe-link.ts";

const PLUGINS = [remarkGfm];

/** One block of Markdown. HTML in it is shown as text; links lead only to web and mail addresses; images are not loaded. */
export function ParsedMarkdown({ text }: { readonly text: string }): ReactElement {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={keepAddress}>
      {text}
    </ReactMarkdown>
  );
}

/** Links and images check their addresses themselves. */
const keepAddress = (address: string): string => address;

const COMPONENTS: Components = {
  a: ({ href = "", children }) => <SafeLink address={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <ImageAddress address={typeof src === "string" ? src : ""} description={alt ?? ""} />,
  pre: ({ node }) => <CodeBlock text={textIn(node).replace(/\n$/, "")} language={languageOf(node)} />,
  table: ({ children }) => (
    <div className="table-scroll">
      <table>{children}</table>
    </div>
  ),
};

function SafeLink({ address, children }: { readonly address: string; readonly children: ReactNode }): ReactElement {
  const href = safeLink(address);
  if (href === undefined) {
    return (
      <span className="unsafe-link" title={`This address is not opened: ${address}`}>
        {children}
      </span>
    );
  }
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** An image of another server would tell it that the page was read. */
function ImageAddress({
  address,
  description,
}: {
  readonly address: string;
  readonly description: string;
}): ReactElement {
  const shown = address.length > 200 ? `${address.slice(0, 200)}…` : address;
  return <span className="image-address">{`[image${description === "" ? "" : `: ${description}`}] ${shown}`}</span>;
}

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly children?: readonly Node[];
}

function textIn(node: Node | undefined): string {
  if (node?.type === "text") return String(node.value);
  return node?.children?.map(textIn).join("") ?? "";
}

/** The class of the code is `language-NAME`. */
function languageOf(node: Node | undefined): string {
  const names = node?.children?.[0]?.properties?.className;
  const name = Array.isArray(names) ? String(names[0] ?? "") : "";
  return name.replace(/^language-/, "");
}

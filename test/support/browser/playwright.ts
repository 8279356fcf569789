import { createRequire } from "node:module";
import { join } from "node:path";
import { MODULES } from "../installed.ts";

/**
 * The parts of Playwright that the tests use. Its own types are not imported, because it is installed only when the first test
 * of the page runs.
 */
export interface Playwright {
  readonly chromium: { launch(options: object): Promise<Browser> };
}

export interface Browser {
  newContext(options?: object): Promise<BrowserContext>;
  close(): Promise<void>;
  version(): string;
}

export interface BrowserContext {
  newPage(): Promise<Page>;
  cookies(url?: string): Promise<readonly Cookie[]>;
  clearCookies(): Promise<void>;
  setDefaultTimeout(ms: number): void;
  addInitScript(script: string | (() => void)): Promise<void>;
  exposeFunction(name: string, call: (value: string) => void): Promise<void>;
  grantPermissions(permissions: readonly string[]): Promise<void>;
  setOffline(offline: boolean): Promise<void>;
  on(event: "page", listener: (page: Page) => void): void;
  on(event: "request", listener: (request: Request) => void): void;
  on(event: "response", listener: (response: Response) => void): void;
  close(): Promise<void>;
}

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: string;
}

export interface Request {
  url(): string;
  method(): string;
  headers(): Record<string, string>;
  resourceType(): string;
}

export interface Response {
  url(): string;
  status(): number;
  headers(): Record<string, string>;
}

export interface Download {
  suggestedFilename(): string;
  path(): Promise<string>;
}

/** Ways to find elements: those that a person or an assistive technology has. */
export interface Finder {
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean; [state: string]: unknown }): Locator;
  getByLabel(text: string | RegExp, options?: { exact?: boolean }): Locator;
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator;
  getByPlaceholder(text: string | RegExp): Locator;
  locator(selector: string, options?: { hasText?: string | RegExp; has?: Locator }): Locator;
}

export interface Locator extends Finder {
  readonly [Symbol.toStringTag]?: string;
  click(options?: object): Promise<void>;
  dblclick(): Promise<void>;
  fill(text: string, options?: object): Promise<void>;
  press(key: string): Promise<void>;
  pressSequentially(text: string): Promise<void>;
  focus(): Promise<void>;
  hover(): Promise<void>;
  check(): Promise<void>;
  uncheck(): Promise<void>;
  isChecked(): Promise<boolean>;
  isVisible(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  selectOption(value: string | { label: string }): Promise<unknown>;
  textContent(): Promise<string | null>;
  innerText(): Promise<string>;
  allInnerTexts(): Promise<string[]>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  count(): Promise<number>;
  all(): Promise<Locator[]>;
  and(other: Locator): Locator;
  first(): Locator;
  last(): Locator;
  nth(index: number): Locator;
  filter(options: { hasText?: string | RegExp; has?: Locator; visible?: boolean }): Locator;
  waitFor(options?: { state?: "attached" | "detached" | "visible" | "hidden"; timeout?: number }): Promise<void>;
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
  scrollIntoViewIfNeeded(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: runs in the page, whose types the tests do not have
  evaluate<T>(call: (element: any, value: any) => T, value?: unknown): Promise<T>;
  screenshot(options?: object): Promise<Uint8Array>;
  ariaSnapshot(): Promise<string>;
}

export interface Page extends Finder {
  addInitScript(script: string): Promise<void>;
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  readonly mouse: { wheel(x: number, y: number): Promise<void>; move(x: number, y: number): Promise<void> };
  goto(url: string, options?: object): Promise<Response | null>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  url(): string;
  title(): Promise<string>;
  content(): Promise<string>;
  context(): BrowserContext;
  frames(): readonly { url(): string }[];
  bringToFront(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: runs in the page, whose types the tests do not have
  evaluate<T>(call: string | ((value: any) => T | Promise<T>), value?: unknown): Promise<T>;
  waitForFunction(call: string | ((value: unknown) => unknown), value?: unknown, options?: object): Promise<unknown>;
  waitForURL(url: string | RegExp | ((url: URL) => boolean), options?: object): Promise<void>;
  waitForEvent(event: "download"): Promise<Download>;
  waitForEvent(event: "popup"): Promise<Page>;
  waitForRequest(match: (request: Request) => boolean): Promise<Request>;
  waitForTimeout(ms: number): Promise<void>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  emulateMedia(options: { colorScheme?: "light" | "dark"; reducedMotion?: "reduce" | "no-preference" }): Promise<void>;
  screenshot(options?: object): Promise<Uint8Array>;
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
  on(event: "dialog", listener: (dialog: { message(): string; dismiss(): Promise<void> }) => void): void;
  on(event: "crash", listener: () => void): void;
  on(event: "framenavigated", listener: (frame: { url(): string }) => void): void;
  close(): Promise<void>;
  isClosed(): boolean;
}

/** Loads Playwright. It must be installed: see `chromium.ts`. */
export function loadPlaywright(): Playwright {
  return createRequire(join(MODULES.browser, "_.js"))("playwright-core") as Playwright;
}

/** The file of axe, to be run in a page. */
export const axeFile = (): string => createRequire(join(MODULES.browser, "_.js")).resolve("axe-core/axe.min.js");

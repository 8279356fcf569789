import { KEYS } from "../../../authoring/pi/terminal-ui.ts";
import { createTheme } from "../../../authoring/pi/theme.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import { createTui, overlayHandle } from "./tui-stand-in.ts";

/** A component of pi-tui. No member is certain to exist. */
export type PiComponent = Readonly<Record<string, unknown>>;

/** The factory of a component. */
export type ComponentFactory = (...args: unknown[]) => unknown;

/**
 * `ui.custom()`: shows the component that the factory returns, until it calls `done`, or the user closes it. Resolves to the
 * value that `done` got, else to undefined; also if there is no user interface for it, or if the factory fails.
 */
export async function showCustom(runtime: PiRuntime, factory: unknown, options: unknown): Promise<unknown> {
  if (typeof factory !== "function") return runtime.logIgnored("ui.custom() without a function");
  let component: PiComponent | undefined;
  const { overlay, title, onHandle } = isObject(options) ? options : {};
  const { tui, resize } = createTui(() => shown?.changed());
  const shown = await runtime.host.show({
    overlay: overlay === true,
    ...(typeof title === "string" ? { title } : {}),
    render: (width, rows) => {
      resize(width, rows);
      return linesOf(component, width);
    },
    input: (data) => callMember(component, "handleInput", data),
    failed: (error) => runtime.logFailure("a component of ui.custom()", error),
  });
  if (!shown) return runtime.logIgnored("ui.custom()");
  const { promise: result, resolve } = Promise.withResolvers<unknown>();
  const done = (value?: unknown): void => {
    resolve(value);
    shown.close();
  };
  void shown.closed.then(() => resolve(undefined));
  const create = async (): Promise<PiComponent | undefined> => {
    const keys = await keybindings(done);
    return asComponent(await (factory as ComponentFactory)(tui, createTheme(true), keys, done));
  };
  const creating = create();
  try {
    // A factory that never resolves must not keep the call after the user has closed the view.
    component = (await Promise.race([creating, shown.closed])) ?? undefined;
    if (component && "focused" in component) (component as { focused?: boolean }).focused = true;
    if (typeof onHandle === "function") onHandle(overlayHandle(() => done()));
    shown.changed();
    return await result;
  } catch (error) {
    runtime.logFailure("ui.custom()", error);
    return undefined;
  } finally {
    shown.close();
    if (component) dispose(component, runtime);
    else creating.then((late) => dispose(late, runtime)).catch(() => {});
  }
}

/**
 * The third argument of the factory. In pi and in extensions of oh-my-pi it holds the key bindings. In hooks of oh-my-pi and in
 * older versions of pi it is `done`. So it is both: a function with the members of the key bindings.
 */
async function keybindings(done: (value?: unknown) => void): Promise<unknown> {
  const { KeybindingsManager, TUI_KEYBINDINGS } = await import("@earendil-works/pi-tui");
  const named = Object.entries(KEYS).map(([name, defaultKeys]) => [name, { defaultKeys }]);
  const manager = new KeybindingsManager({ ...Object.fromEntries(named), ...TUI_KEYBINDINGS });
  return new Proxy(done, {
    get: (target, key) => {
      const member: unknown = Reflect.get(manager, key);
      return typeof member === "function" ? member.bind(manager) : Reflect.get(target, key);
    },
  });
}

export function asComponent(value: unknown): PiComponent | undefined {
  return isObject(value) ? value : undefined;
}

/** The lines of a component. Throws what the component throws. */
export function linesOf(component: PiComponent | undefined, width: number): readonly unknown[] {
  const lines = callMember(component, "render", width);
  return Array.isArray(lines) ? lines : [];
}

export function dispose(component: PiComponent | undefined, runtime: PiRuntime): void {
  try {
    callMember(component, "dispose");
  } catch (error) {
    runtime.logFailure("dispose() of a component", error);
  }
}

function callMember(component: PiComponent | undefined, member: string, ...args: unknown[]): unknown {
  const called = component?.[member];
  return typeof called === "function" ? called.apply(component, args) : undefined;
}

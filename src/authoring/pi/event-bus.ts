/** Channels for messages between extensions. */
export interface EventBus {
  emit(channel: string, data: unknown): void;
  /** Returns a function that removes the handler. */
  on(channel: string, handler: (data: unknown) => void): () => void;
}

/** An error of a handler is passed to `onError`. The other handlers still run. */
export function createEventBus(onError: (error: unknown) => void = () => {}): EventBus & { clear(): void } {
  const handlers = new Map<string, Set<(data: unknown) => void>>();
  const call = async (handler: (data: unknown) => unknown, data: unknown): Promise<void> => {
    try {
      await handler(data);
    } catch (error) {
      onError(error);
    }
  };
  return {
    emit: (channel, data) => {
      for (const handler of [...(handlers.get(channel) ?? [])]) void call(handler, data);
    },
    on: (channel, handler) => {
      const all = handlers.get(channel) ?? new Set();
      handlers.set(channel, all.add(handler));
      return () => void all.delete(handler);
    },
    clear: () => handlers.clear(),
  };
}

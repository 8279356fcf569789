/** Channels on which files talk to each other. */
export interface EventBus {
  emit(channel: string, data: unknown): void;
  /** Answers with what takes the handler off again. */
  on(channel: string, handler: (data: unknown) => void): () => void;
}

/** A handler that fails keeps nothing from the others; `failed` is told. */
export function createEventBus(failed: (error: unknown) => void = () => {}): EventBus & { clear(): void } {
  const handlers = new Map<string, Set<(data: unknown) => void>>();
  const tell = async (handler: (data: unknown) => unknown, data: unknown): Promise<void> => {
    try {
      await handler(data);
    } catch (error) {
      failed(error);
    }
  };
  return {
    emit: (channel, data) => {
      for (const handler of [...(handlers.get(channel) ?? [])]) void tell(handler, data);
    },
    on: (channel, handler) => {
      const all = handlers.get(channel) ?? new Set();
      handlers.set(channel, all.add(handler));
      return () => void all.delete(handler);
    },
    clear: () => handlers.clear(),
  };
}

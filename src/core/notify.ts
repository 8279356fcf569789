/** Tells a listener. One that throws is its author's affair: the error comes up by itself, and nobody else suffers. */
export function notify<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

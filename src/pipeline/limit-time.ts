import type { Step } from "./call.ts";

/** The clock runs from here on: nobody pays for the time an approval took. */
export const limitTime: Step = async (call, next) => {
  call.clock.start();
  try {
    return await next(call);
  } finally {
    call.clock.stop();
  }
};

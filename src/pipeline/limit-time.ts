import type { Step } from "./call.ts";

/** The clock runs from here on: nobody pays for the time an approval took. */
export const limitTime: Step = (call, next) => {
  call.clock.start();
  call.atEnd.push(() => call.clock.stop());
  return next(call);
};

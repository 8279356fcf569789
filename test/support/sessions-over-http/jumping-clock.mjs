// Loaded into a server before its program: SIGUSR2 moves its clock by CLOCK_JUMP milliseconds, the next one moves it back.
const now = Date.now;
let offset = 0;
Date.now = () => now() + offset;
process.on("SIGUSR2", () => {
  offset = offset === 0 ? Number(process.env.CLOCK_JUMP) : 0;
});

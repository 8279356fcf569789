/** A warning is a fault that has not happened yet: too many listeners, something deprecated, a promise handled too late. */
process.on("warning", (warning) => {
  throw warning;
});

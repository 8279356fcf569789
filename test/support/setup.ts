/** Makes process warnings fail the run: too many listeners, deprecated calls, promises handled too late. */
process.on("warning", (warning) => {
  throw warning;
});

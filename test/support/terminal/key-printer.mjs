// Prints its size, its environment and each key that it gets. "w" writes hostile sequences, "s" their end, "q" ends it with code 7.
const { stdin, stdout } = process;
stdin.setRawMode(true);
stdout.write("\x1b[?2004h\x1b[>4;2m");
stdout.write(`size ${stdout.columns}x${stdout.rows}\r\n${Object.keys(process.env).sort().join(" ")}\r\nready\r\n`);
stdout.on("resize", () => stdout.write(`size ${stdout.columns}x${stdout.rows}\r\n`));
const WRITES = {
  w: "\x1b]2;changed\x07\x1b]52;c;c3RvbGVu\x07\x1b[?1049h\x1b[?1000h\x1b[?25l\x07alternate",
  s: "\x1b[?1049l\x1b[?1000l\x1b[?25h",
  r: "\x1b[31mred\x1b[0m\r\n",
  m: Array.from({ length: 100 }, (_, index) => `line ${index + 1}\r\n`).join(""),
};
stdin.on("data", (data) => {
  const key = data.toString();
  if (key === "q") process.exit(7);
  stdout.write(Object.hasOwn(WRITES, key) ? WRITES[key] : `${JSON.stringify(key)}\r\n`);
});

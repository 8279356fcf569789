import { spawn } from "node:child_process"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tool } from "@atomic/plugin"

let server: Server | undefined

/** Starts a server and leaves it there, with a child that watches nothing in particular. */
export default tool({
  description: "Serve a page on this machine and say on which host",
  args: { html: tool.schema.string().default("<p>It works</p>") },
  async execute({ html }) {
    if (!server) {
      server = createServer((_request, response) => response.end(html))
      await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve))
      spawn("sleep", ["600"], { stdio: "ignore" })
    }
    const { address, port } = server.address() as AddressInfo
    const response = await fetch(`http://${address}:${port}/`)
    return `${address}: ${await response.text()}`
  },
})

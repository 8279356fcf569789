import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import type { FastCallPath } from "./fast-call-path.ts";

/**
 * The SDK's server, which answers a request with invalid parameters with the error "invalid params" instead of "internal
 * error". Handlers must therefore throw every other failure as a `ProtocolError`.
 */
export class StrictServer extends Server {
  /** For transports that can bypass the SDK. */
  fastCallPath: FastCallPath | undefined;
  /** Resolves when the client has read what it was sent. For transports whose `send` does not wait. */
  waitForDrain: (() => Promise<void>) | undefined;

  override async connect(transport: Transport): Promise<void> {
    const { waitForDrain } = this;
    if (waitForDrain) {
      const send = transport.send.bind(transport);
      transport.send = async (message, options) => {
        await send(message, options);
        await waitForDrain();
      };
    }
    await super.connect(transport);
  }

  protected override _wrapHandler(
    method: string,
    handler: (request: JSONRPCRequest, context: ServerContext) => Promise<Result>,
  ): (request: JSONRPCRequest, context: ServerContext) => Promise<Result> {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        if (error instanceof ProtocolError || !(error instanceof Error)) throw error;
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `The parameters of ${method} are wrong: ${error.message}`,
        );
      }
    };
  }
}

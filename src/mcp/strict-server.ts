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
 * A protocol object that says of a request it cannot read that its parameters are wrong, as the protocol has it, and not
 * that something failed in here. What fails in here must therefore be thrown as an error of the protocol.
 */
export class StrictServer extends Server {
  /** A shorter way for calls, for transports that have one. */
  fastCallPath: FastCallPath | undefined;
  /** Waits until the client has read what it was sent, for transports that do not wait themselves. */
  room: (() => Promise<void>) | undefined;

  override async connect(transport: Transport): Promise<void> {
    const { room } = this;
    if (room) {
      const send = transport.send.bind(transport);
      transport.send = async (message, options) => {
        await send(message, options);
        await room();
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

import { describe, expect, it } from "vitest";
import type { DurableEvent, FollowedEvent } from "../../../core/session-log.ts";
import { frameOf } from "./session-readers.ts";

const stored = (event: DurableEvent): FollowedEvent => ({ ...event, position: 7, at: 5, v: 1 });

describe("[S2] frames of events", () => {
  it("are empty for events that the REST API does not have", () => {
    expect(frameOf(stored({ type: "state.set", of: "tools", key: "k", value: "secret" }))).toHaveLength(0);
  });

  it("[X1] are one block of three lines each, whatever their texts are", () => {
    const text = "a\n\nid: 99\nevent: completed\ndata: {}\r\n\r\u2028\u2029\n";
    const event = stored({ type: "message.user", messageID: "m", content: [{ type: "text", text }] });
    const frame = Buffer.from(frameOf(event)).toString();
    expect(frame.split(/\r\n|\r|\n/).slice(0, 2)).toEqual(["id: 7", "event: message"]);
    expect(frame.split(/\r\n|\r|\n/)).toHaveLength(5);
    expect(frameOf(event)).toBe(frameOf(event));
  });
});

import { expect, it } from "vitest";
import { EVENT_TYPES, inOrder } from "./eventTypes";

it("lists events in the order of the dialog", () => {
  expect(inOrder([...EVENT_TYPES].toReversed())).toEqual([...EVENT_TYPES]);
  expect(inOrder(["ticket.updated", "message.created"])).toEqual(["message.created", "ticket.updated"]);
});

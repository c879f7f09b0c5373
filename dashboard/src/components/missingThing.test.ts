import { expect, test } from "vitest";
import { missingThing } from "./missingThing";

test.each([
  ["/organizations/1/tickets/2", "ticket", "/organizations/1/tickets"],
  ["/organizations/1/agents/2/versions", "agent", "/organizations/1/agents"],
  ["/organizations/1/webhooks/endpoints/2", "webhook endpoint", "/organizations/1/webhooks"],
  ["/organizations/1/webhooks/deliveries/2", "webhook delivery", "/organizations/1/webhooks/deliveries"],
  ["/organizations/1/overview", undefined, undefined],
  ["/organizations/1/nothing/2", undefined, undefined],
  ["/nothing", undefined, undefined],
])("%s is a missing %s", (path, thing, list) => {
  const missing = missingThing(path);
  expect(missing?.thing).toBe(thing);
  expect(missing?.list).toBe(list);
});

import { expect, test } from "vitest";
import { failedAgain } from "./rerun";

const failed = (task: string, detail: string) =>
  ({ status: "FAILED", error: { task, error: "Code error", detail } }) as Parameters<typeof failedAgain>[0];

test("a rerun failed again if its task is that of the earlier failure", () => {
  const earlier = failed("look", "No order X4707");
  expect(failedAgain(failed("look", "No order X4707"), earlier)).toBe("same");
  expect(failedAgain(failed("look", "Too slow"), earlier)).toBe("other");
  expect(failedAgain(failed("say", "No order X4707"), earlier)).toBeUndefined();
  expect(failedAgain({ status: "COMPLETED", error: null }, earlier)).toBeUndefined();
  expect(failedAgain(earlier, { status: "CANCELLED", error: null })).toBeUndefined();
  expect(failedAgain(earlier, undefined)).toBeUndefined();
});

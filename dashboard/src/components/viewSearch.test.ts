import { expect, test } from "vitest";
import { viewSearch } from "./viewSearch";

test("a view keeps the filters only", () => {
  expect(viewSearch("?status=FAILED&dialog=x&agent=a", ["agent", "status"])).toBe("agent=a&status=FAILED");
});

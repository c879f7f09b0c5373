import { expect, test } from "vitest";
import { expiryTime, presetOf } from "./expiry";

const NOW = Date.parse("2026-01-01T00:00:00Z");

test("a preset is a number of days from now", () => {
  expect(expiryTime({ expiry: "30", expires_at: "" }, NOW)).toBe("2026-01-31T00:00:00.000Z");
  expect(expiryTime({ expiry: "never", expires_at: "2026-01-02T00:00" }, NOW)).toBeNull();
  expect(expiryTime({ expiry: "custom", expires_at: "2026-01-02T00:00Z" }, NOW)).toBe(
    "2026-01-02T00:00:00.000Z",
  );
});

test("a replacement lives as long as the key that it replaces", () => {
  const created_at = "2026-01-01T00:00:00Z";
  expect(presetOf({ created_at, expires_at: null })).toBe("never");
  expect(presetOf({ created_at, expires_at: "2027-01-01T00:00:01Z" })).toBe("365");
  expect(presetOf({ created_at, expires_at: "2026-01-08T00:00:00Z" })).toBe("90");
});

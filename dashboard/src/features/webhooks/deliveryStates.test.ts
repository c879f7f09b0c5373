import { expect, it } from "vitest";
import { lastResponse, resendLabel } from "./deliveryStates";

it("offers to send only a delivery that has been tried", () => {
  expect(resendLabel("PENDING")).toBeNull();
  expect(resendLabel("RETRYING")).toBe("Retry now");
  expect(resendLabel("FAILED")).toBe("Resend");
});

it("shows the status of the last attempt, or why there was none", () => {
  const attempt = { attempt_count: 1, last_status: null, last_error: null };
  expect(lastResponse({ ...attempt, attempt_count: 0 })).toBeNull();
  expect(lastResponse({ ...attempt, last_status: 500 })).toBe("HTTP 500");
  expect(lastResponse({ ...attempt, last_error: "Connection refused" })).toBe("Connection refused");
  expect(lastResponse(attempt)).toBe("No response");
});

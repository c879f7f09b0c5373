import { expect, test } from "vitest";
import { shownError } from "./QueryBoundary";

const error = new Error("No connection");
const query = { data: ["row"], error: null, failureReason: null, refetch: () => undefined };

test("a failed request of new filters is shown instead of the rows of the previous filters", () => {
  expect(shownError({ ...query, isPlaceholderData: true })).toBeNull();
  expect(shownError({ ...query, isPlaceholderData: true, failureReason: error })).toBe(error);
  expect(shownError({ ...query, data: undefined, isPlaceholderData: false, error })).toBe(error);
});

test("rows of the current filters stay when a refresh fails", () => {
  expect(shownError({ ...query, isPlaceholderData: false, error, failureReason: error })).toBeNull();
});

import { expect, test } from "vitest";
import { claimedByOthers } from "./claimedByOthers";

const ticket = (number: number, claimed_by: string) => ({ number, claimed_by });

test("tickets of others are listed with their claimant", () => {
  const nameOf = (user: string | null | undefined) => String(user);
  expect(claimedByOthers([ticket(52, "Jonas")], nameOf)).toBe("#52 is claimed by Jonas.");
  expect(claimedByOthers([ticket(52, "Jonas"), ticket(3, "Ada")], nameOf)).toBe(
    "#52, #3 are claimed by others.",
  );
  expect(
    claimedByOthers(
      [1, 2, 3, 4, 5].map((number) => ticket(number, "Ada")),
      nameOf,
    ),
  ).toBe("#1, #2, #3 and 2 more are claimed by Ada.");
});

import { expect, test } from "vitest";
import { promptPairs } from "./promptPairs";

const system = (content: string) => ({ role: "system", content });
const user = (content: string) => ({ role: "user", content });

test("an additional prompt leaves the others equal", () => {
  const [older, newer] = promptPairs(
    [system("Be brief."), user("Plan a trip to Graz")],
    [system("Be brief."), user("Earlier you wrote: trains are slow"), user("Plan a trip to Graz")],
  );
  expect(older).toEqual({ "1. system": "Be brief.", "3. user": "Plan a trip to Graz" });
  expect(newer).toEqual({
    "1. system": "Be brief.",
    "2. user": "Earlier you wrote: trains are slow",
    "3. user": "Plan a trip to Graz",
  });
});

test("a prompt is compared with the one that is most like it", () => {
  const [older, newer] = promptPairs(
    [user("Plan a trip to Graz")],
    [user("Say hello"), user("Plan a trip to Linz")],
  );
  expect(older).toEqual({ "2. user": "Plan a trip to Graz" });
  expect(newer).toEqual({ "1. user": "Say hello", "2. user": "Plan a trip to Linz" });
});

test("prompts of the same role without common words are one pair, those of other roles are not", () => {
  expect(promptPairs([user("Hello")], [user("Goodbye")])).toEqual([
    { "1. user": "Hello" },
    { "1. user": "Goodbye" },
  ]);
  expect(promptPairs([system("Hello")], [user("Hello")])).toEqual([
    { "1. system": "Hello" },
    { "2. user": "Hello" },
  ]);
  expect(promptPairs([], [])).toEqual([{}, {}]);
});

import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import { targetName } from "./targets";

const nameOf = (action: string, name: string | null) =>
  targetName({ action, target: "0192", target_name: name } as Schemas["AuditEntry"]);

test("conversations are named as in their list, without the marks of Markdown", () => {
  expect(nameOf("conversations.update", "Hello, summarize `**this**` file")).toBe(
    "Hello, summarize this file",
  );
  expect(nameOf("conversations.messages.create", null)).toBe("0192");
  expect(nameOf("workflows.update", "Offers *")).toBe("Offers *");
});

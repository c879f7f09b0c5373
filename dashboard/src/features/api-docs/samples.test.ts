import { describe, expect, it } from "vitest";
import { anchorOf, keyOf, OPERATION_GROUPS, OPERATIONS } from "./developerApi";
import { exampleBody, exampleOf, LANGUAGES, sampleOf } from "./samples";

const ORIGIN = "https://parley.example";
const NOTHING = { origin: ORIGIN, key: "", workflowId: "" };
const find = (key: string) => OPERATIONS.find((each) => keyOf(each) === key)!;

describe("the API reference", () => {
  it("shows each operation of the developer API once", () => {
    const shown = OPERATION_GROUPS.flatMap(({ operations }) => operations);
    expect(shown.map(keyOf).toSorted()).toEqual(OPERATIONS.map(keyOf).toSorted());
    expect(new Set(shown.map(anchorOf)).size).toBe(shown.length);
  });

  it("has a request in each language and an example of each JSON response", () => {
    for (const operation of OPERATIONS) {
      for (const language of LANGUAGES) {
        expect(sampleOf(operation, language, NOTHING)).toContain(`${ORIGIN}/developer/`);
      }
      for (const { schema } of operation.responses) {
        expect(schema && exampleOf(schema)).not.toEqual({});
      }
    }
  });

  it("writes a curl command with the reader's values", () => {
    expect(sampleOf(find("POST /api/messages"), "curl", { ...NOTHING, key: "sk-1" })).toBe(
      `curl -X POST "https://parley.example/developer/api/messages" \\
  -H "Authorization: Bearer sk-1" \\
  -H "Content-Type: application/json" \\
  -d '{
  "conversation_id": "0192f0c1a2b37c4d8e5f60718293a4b5",
  "content_type": "text",
  "content": "Where is my order 4711?"
}'`,
    );
    expect(
      sampleOf(find("POST /api/workflows/{workflow_id}/trigger/sync"), "curl", {
        ...NOTHING,
        workflowId: "abc",
      }),
    ).toContain(`"${ORIGIN}/developer/api/workflows/abc/trigger/sync"`);
    expect(sampleOf(find("GET /api/conversations/{conversation_id}/events"), "curl", NOTHING)).toContain(
      `curl -N "${ORIGIN}/developer/api/conversations/$CONVERSATION_ID/events"`,
    );
  });

  it("triggers any agent: an unknown input would be an error", () => {
    const trigger = find("POST /api/workflows/{workflow_id}/trigger/sync");
    expect(exampleBody(trigger, NOTHING)).toEqual({ human_msg: "Claim 4711: the bolts arrived rusty." });
  });

  it("sends no key to a URL that is a secret itself", () => {
    for (const language of LANGUAGES) {
      expect(sampleOf(find("POST /resume/{token}"), language, NOTHING)).not.toContain("Authorization");
    }
  });
});

import { describe, expect, it } from "vitest";
import { anchorOf, keyOf, OPERATION_GROUPS, OPERATIONS } from "./developerApi";
import { prepare } from "./tryRequest";
import { exampleBody, LANGUAGES, sampleOf } from "./samples";

const ORIGIN = "https://parley.example";
const NOTHING = { origin: ORIGIN, key: "", workflowId: "", conversationId: "" };
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
      for (const { status, schema, example } of operation.responses) {
        expect(status.startsWith("2") && schema ? Object.keys(example as object) : ["none"]).not.toEqual([]);
      }
    }
  });

  it("writes a curl command with the reader's values", () => {
    const send = find("POST /api/messages");
    expect(sampleOf(send, "curl", { ...NOTHING, key: "sk-1", conversationId: "c1" })).toBe(
      `curl -X POST "https://parley.example/developer/api/messages" \\
  -H "Authorization: Bearer sk-1" \\
  -H "Content-Type: application/json" \\
  -d '{
  "content": "Where is my order 4711?",
  "content_type": "text",
  "conversation_id": "c1"
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

  it("uses variables for what the reader has not entered", () => {
    const send = find("POST /api/messages");
    expect(sampleOf(send, "curl", NOTHING)).toContain(`"conversation_id": "'"$CONVERSATION_ID"'"`);
    expect(sampleOf(send, "JavaScript", NOTHING)).toContain(`"conversation_id": process.env.CONVERSATION_ID`);
    expect(sampleOf(send, "Python", NOTHING)).toContain(`"conversation_id": os.environ["CONVERSATION_ID"]`);
    const body = JSON.stringify(exampleBody(send, NOTHING));
    const values = { key: "sk-1", values: {}, body };
    expect(prepare(send, values)).toBe("Replace $CONVERSATION_ID in the body.");
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

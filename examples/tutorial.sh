#!/bin/sh
# The agent of docs/tutorial.md, from the root of the project and with the service running.
set -eu
. "${PARLEY_DATA:-./data}/demo.env"   # PARLEY_URL, PARLEY_API_KEY, PARLEY_EMAIL, PARLEY_PASSWORD, …
json="Content-Type: application/json"
cookies=$(mktemp)
trap 'rm -f "$cookies"' EXIT

# Calls the dashboard's API: method, path, body.
dashboard() {
  curl -sS --fail-with-body -b "$cookies" -c "$cookies" -H "X-Requested-With: parley" -H "$json" \
    -X "$1" "$PARLEY_URL/dashboard/api$2" ${3:+-d "$3"}
}
# The id at the beginning of the JSON on standard input, and the last text with a name.
id_of() { sed 's/^{"id":"\([0-9a-f]*\)".*/\1/'; }
member() { sed 's/.*"'"$1"'":"\([^"]*\)".*/\1/'; }

# Sign in; the person who builds the agent gets its tickets.
user=$(dashboard POST /login "{\"email\": \"$PARLEY_EMAIL\", \"password\": \"$PARLEY_PASSWORD\"}" | id_of)

# Create the agent and publish it.
agent=$(dashboard POST "/organizations/$PARLEY_ORGANIZATION_ID/workflows" '{
  "name": "Complaints",
  "assignment_rules": [{"rule_type": "Human Feedback", "assignment_type": "User", "assignee_id": "'"$user"'"}],
  "tasks": [
    {"id": "draft", "kind": "AI", "name": "Draft the reply",
     "instructions": "Write a polite reply of three sentences to the complaint.",
     "input_parameters": [{"name": "complaint", "type": "STRING", "description": "The complaint",
       "required": true, "source": "human_input"}],
     "expected_output": [{"name": "reply", "type": "STRING", "description": "The reply"}]},
    {"id": "check", "kind": "Human", "name": "Check the reply",
     "instructions": "Correct the reply, or copy it if it is fine.",
     "input_parameters": [{"name": "reply", "type": "STRING", "description": "The reply",
       "required": true, "source": "system_generated"}],
     "expected_output": [{"name": "final_reply", "type": "STRING", "description": "The reply as it is sent"}]}
  ],
  "connections": [{"from": {"task": "draft", "output": "reply"}, "to": {"task": "check", "input": "reply"}}]
}' | id_of)
dashboard POST "/organizations/$PARLEY_ORGANIZATION_ID/workflows/$agent/publish" >/dev/null

# Start a run as a program does, with the API key. The response is sent when the run waits for a person.
run=$(curl -sS --fail-with-body "$PARLEY_URL/developer/api/workflows/$agent/trigger/sync" \
  -H "Authorization: Bearer $PARLEY_API_KEY" -H "$json" -d '{"human_msg": "The bolts arrived rusty."}')
id=$(echo "$run" | member workflow_instance_id)
ticket=$(echo "$run" | member ticket_id)

# Read the ticket, and answer it as a person does.
dashboard GET "/organizations/$PARLEY_ORGANIZATION_ID/tickets/$ticket" | member reply; echo
dashboard POST "/organizations/$PARLEY_ORGANIZATION_ID/tickets/$ticket/complete" \
  '{"answer": {"final_reply": "We are sorry about the rust. You get new bolts tomorrow."}}' >/dev/null

# The run goes on, and completes with the person's text.
until curl -sS --fail-with-body "$PARLEY_URL/developer/api/workflow_instances/$id/status" \
  -H "Authorization: Bearer $PARLEY_API_KEY" | grep '"output":{"final_reply"'; do
  sleep 0.2
done

#!/bin/sh
# The steps of docs/guides/api.md, from the root of the project and with the service running.
set -eu
. "${PARLEY_DATA:-./data}/demo.env"   # PARLEY_URL, PARLEY_API_KEY, PARLEY_WORKFLOW_ID, …
api=$PARLEY_URL/developer/api
auth="Authorization: Bearer $PARLEY_API_KEY"
json="Content-Type: application/json"

# A conversation, a message, and the messages with the reply, newest first
conversation=$(curl -sS --fail-with-body "$api/conversations" -H "$auth" -H "$json" \
  -d '{"channel": "API", "usecase": "DEFAULT"}' | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/')
curl -sS --fail-with-body "$api/messages" -H "$auth" -H "$json" \
  -d "{\"conversation_id\": \"$conversation\", \"content_type\": \"text\", \"content\": \"Hello\"}"
sleep 1
curl -sS --fail-with-body "$api/conversations/$conversation/messages" -H "$auth"

# A file in three steps: a URL, the upload, the message; and its download
printf 'name,amount\nExample,12.50\n' > "${TMPDIR:-/tmp}/table.csv"
upload=$(curl -sS --fail-with-body "$api/media/presigned-url" -H "$auth" -H "$json" \
  -d '{"filename": "table.csv", "content_type": "text/csv"}' | sed 's/.*"upload_url":"\([^"]*\)".*/\1/')
curl -sS --fail-with-body -T "${TMPDIR:-/tmp}/table.csv" "$upload" -H "Content-Type: text/csv" -H "If-None-Match: *"
path=$(curl -sS --fail-with-body "$api/messages" -H "$auth" -H "$json" \
  -d "{\"conversation_id\": \"$conversation\", \"content_type\": \"text/csv\", \"filename\": \"table.csv\"}" \
  | sed 's/.*"path":"\([^"]*\)".*/\1/')
curl -sS --fail-with-body "$api/media/files/$path" -H "$auth"

# A workflow: the response is sent when the instance has ended
curl -sS --fail-with-body "$api/workflows/$PARLEY_WORKFLOW_ID/trigger/sync" -H "$auth" -H "$json" \
  -d '{"human_msg": "Say something friendly."}'

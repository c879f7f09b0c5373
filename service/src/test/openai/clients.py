"""What OpenAI's client for Python does with the API: arguments are the base URL, a key and the id of a workflow."""

import sys

import openai

base, key, workflow = sys.argv[1:]
client = openai.OpenAI(base_url=base, api_key=key, max_retries=0)
WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ORDER = 'offline:call weather {"city": "Bern"}'

ids = [model.id for model in client.models.list()]
assert "default" in ids and f"workflow/{workflow}" in ids, ids
assert client.models.retrieve(f"workflow/{workflow}").id == f"workflow/{workflow}"

# Chat completions
hello = [{"role": "user", "content": "Hello"}]
completion = client.chat.completions.create(model="default", messages=hello, temperature=0.5, max_completion_tokens=99)
assert "Hello" in completion.choices[0].message.content, completion
assert completion.usage.total_tokens > 0, completion

chunks = list(client.chat.completions.create(
    model="default", messages=hello, stream=True, stream_options={"include_usage": True}))
assert "Hello" in "".join(c.choices[0].delta.content or "" for c in chunks if c.choices), chunks
assert chunks[-1].usage.completion_tokens > 0, chunks[-1]

tools = [{"type": "function", "function": {"name": "weather", "parameters": WEATHER}}]
messages = [{"role": "user", "content": ORDER}]
called = client.chat.completions.create(model="default", messages=messages, tools=tools).choices[0]
assert called.finish_reason == "tool_calls", called
messages += [called.message, {"role": "tool", "tool_call_id": called.message.tool_calls[0].id, "content": "Sunny"}]
final = client.chat.completions.create(model="default", messages=messages, tools=tools).choices[0]
assert final.finish_reason == "stop", final

with client.chat.completions.stream(model="default", messages=messages[:1], tools=tools) as stream:
    streamed = stream.get_final_completion()
assert streamed.choices[0].message.tool_calls[0].function.name == "weather", streamed

# Responses
response = client.responses.create(model="default", input="Hello", instructions="Be brief.")
assert "Hello" in response.output_text and not response.store, response

with client.responses.stream(model="default", input="Hello") as stream:
    kinds = [event.type for event in stream]
    assert "Hello" in stream.get_final_response().output_text
assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds

function = {"type": "function", "name": "weather", "parameters": WEATHER, "strict": True}
first = client.responses.create(model="default", input=ORDER, tools=[function], store=True)
call = first.output[0]
assert call.type == "function_call" and call.name == "weather", first
result = {"type": "function_call_output", "call_id": call.call_id, "output": "Sunny"}
second = client.responses.create(
    model="default", input=[result], previous_response_id=first.id, tools=[function], store=True)
assert second.output_text, second
assert client.responses.retrieve(first.id).id == first.id
client.responses.delete(first.id)
try:
    client.responses.retrieve(first.id)
    raise AssertionError("deleted")
except openai.NotFoundError as gone:
    assert gone.code == "not_found", gone

# Workflows
model = f"workflow/{workflow}"
asked = client.responses.create(model=model, input="Plan a trip")
assert "nights" in asked.output_text and asked.metadata["workflow_instance_status"] == "PAUSED", asked
done = client.responses.create(model=model, input="3", previous_response_id=asked.id)
assert done.output_text == "3", done
with client.responses.stream(model=model, input="Plan a trip") as stream:
    assert "nights" in stream.get_final_response().output_text
begun = client.responses.create(model=model, input="Plan a trip", background=True)
assert begun.background and client.responses.cancel(begun.id).id == begun.id, begun

for error, request in {
    openai.NotFoundError: {"model": "gpt-99"},
    openai.BadRequestError: {"model": "default", "n": 2},
}.items():
    try:
        client.chat.completions.create(messages=hello, **request)
        raise AssertionError(request)
    except error as refused:
        assert refused.param in ("model", "n") and refused.code, refused
try:
    openai.OpenAI(base_url=base, api_key="sk-wrong", max_retries=0).models.list()
    raise AssertionError("a wrong key")
except openai.AuthenticationError:
    pass
print("ok")

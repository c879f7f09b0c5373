"""Models and workflows through OpenAI's client: pip install openai==3.57.0

Needs PARLEY_KEY, and takes PARLEY_URL (http://localhost:8080 by default).
"""

import os

from openai import OpenAI

client = OpenAI(
    base_url=os.environ.get("PARLEY_URL", "http://localhost:8080") + "/v1",
    api_key=os.environ["PARLEY_KEY"],
)

models = [model.id for model in client.models.list()]
print("Models:", ", ".join(models))

# A model's answer as a stream; nothing of it is stored.
for chunk in client.chat.completions.create(
    model="default",
    messages=[{"role": "user", "content": "What is a workflow?"}],
    stream=True,
):
    print(chunk.choices[0].delta.content or "", end="", flush=True)
print()

# A workflow: its output is the answer. While it asks for an input, the next request is the reply.
for workflow in [model for model in models if model.startswith("workflow/")][:1]:
    response = client.responses.create(model=workflow, input="Claim 4711: the bolts arrived rusty.")
    print(response.status, response.metadata, response.output_text)

// Models and workflows through OpenAI's client: npm install openai@7.59.0 (Node 22 or later)
//
// Needs PARLEY_KEY, and takes PARLEY_URL (http://localhost:8080 by default).
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: `${process.env.PARLEY_URL ?? 'http://localhost:8080'}/v1`,
  apiKey: process.env.PARLEY_KEY,
});

const models = [];
for await (const model of client.models.list()) models.push(model.id);
console.log('Models:', models.join(', '));

// A model's answer as a stream; nothing of it is stored.
const stream = await client.chat.completions.create({
  model: 'default',
  messages: [{ role: 'user', content: 'What is a workflow?' }],
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '');
console.log();

// A workflow in the background, followed until it has ended or waits for a person.
const workflow = models.find((model) => model.startsWith('workflow/'));
if (workflow) {
  let response = await client.responses.create({
    model: workflow,
    input: 'Claim 4711: the bolts arrived rusty.',
    background: true,
  });
  while (response.status === 'in_progress') {
    await new Promise((resolve) => setTimeout(resolve, 500));
    response = await client.responses.retrieve(response.id);
  }
  console.log(response.status, response.metadata, response.output_text);
}

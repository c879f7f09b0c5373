// What OpenAI's client for JavaScript and the AI SDK do with the API: arguments are the base URL, a key and the id of a
// workflow.
import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';

const [baseURL, apiKey, workflow] = process.argv.slice(2);
const ORDER = 'offline:call weather {"city": "Bern"}';
const WEATHER = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const PLACE = { ...WEATHER, additionalProperties: false };

const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const messages = [{ role: 'user', content: 'Hello' }];

const ids = [];
for await (const model of client.models.list()) ids.push(model.id);
assert(ids.includes('default') && ids.includes(`workflow/${workflow}`), ids.join());

const completion = await client.chat.completions.create({ model: 'default', messages });
assert.match(completion.choices[0].message.content, /Hello/);
let text = '';
for await (const chunk of await client.chat.completions.create({ model: 'default', messages, stream: true })) {
  text += chunk.choices[0]?.delta?.content ?? '';
}
assert.match(text, /Hello/);
const runner = client.chat.completions.runTools({
  model: 'default',
  messages: [{ role: 'user', content: ORDER }],
  tools: [{ type: 'function', function: { name: 'weather', parse: JSON.parse, parameters: WEATHER, function: () => 'Sunny' } }],
});
assert.match(await runner.finalContent(), /Offline model/);

const stream = client.responses.stream({ model: 'default', input: 'Hello' });
const kinds = [];
for await (const event of stream) kinds.push(event.type);
assert.equal(kinds.at(-1), 'response.completed');
assert.match((await stream.finalResponse()).output_text, /Hello/);
const asked = await client.responses.create({ model: `workflow/${workflow}`, input: 'Plan a trip' });
assert.match(asked.output_text, /nights/);
const done = await client.responses.create({
  model: `workflow/${workflow}`, input: '3', previous_response_id: asked.id,
});
assert.equal(done.output_text, '3');
await assert.rejects(client.responses.create({ model: 'gpt-99', input: 'x' }), OpenAI.NotFoundError);

const openai = createOpenAI({ baseURL, apiKey });
const tools = { weather: tool({ inputSchema: jsonSchema(WEATHER), execute: () => 'Sunny' }) };
for (const model of [openai('default'), openai.chat('default')]) {
  for (const store of [false, true]) {
    const options = { model, maxRetries: 0, providerOptions: { openai: { store } } };
    assert.match((await generateText({ ...options, prompt: 'Hello' })).text, /Hello/);
    const streamed = streamText({ ...options, prompt: 'Hello' });
    text = '';
    for await (const part of streamed.textStream) text += part;
    assert.match(text, /Hello/);
    assert((await streamed.usage).outputTokens > 0);
    const { steps } = await generateText({ ...options, prompt: ORDER, tools, stopWhen: stepCountIs(3) });
    assert.equal(steps[0].toolCalls[0].toolName, 'weather');
    assert.match(steps.at(-1).text, /Offline model/);
    const { output } = await generateText({
      ...options, prompt: 'Bern', output: Output.object({ schema: jsonSchema(PLACE) }),
    });
    assert.equal(typeof output.city, 'string');
  }
}
assert.match((await generateText({ model: openai(`workflow/${workflow}`), prompt: 'Plan a trip' })).text, /nights/);
console.log('ok');

// Walks through the API of a running service and shows each request and answer: ./parley demo.
//
// Reads data/demo.env (or demo.env in --data DIR or PARLEY_DATA); PARLEY_* environment variables take precedence.
// Exits with status 1 and a message if a response is unexpected.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const TIMEOUT_MS = 30_000;

class Unexpected extends Error {}

function settings(args) {
  let data = process.env.PARLEY_DATA ?? resolve(dirname(fileURLToPath(import.meta.url)), '../data');
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--data' && args[i + 1]) data = args[++i];
    else if (args[i].startsWith('--data=')) data = args[i].slice('--data='.length);
    else throw new Unexpected(`demo does not know '${args[i]}'; it takes --data DIR.`);
  }
  const file = resolve(data, 'demo.env');
  const values = {};
  try {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const at = line.indexOf('=');
      if (at > 0) values[line.slice(0, at)] = line.slice(at + 1);
    }
  } catch {
    // The environment may provide all values.
  }
  for (const name of ['URL', 'API_KEY', 'ORGANIZATION_ID', 'WORKFLOW_ID', 'EMAIL', 'PASSWORD'].map((n) => `PARLEY_${n}`)) {
    values[name] = process.env[name] ?? values[name];
    if (!values[name]) throw new Unexpected(`${name} is neither set nor in ${file}: run ./parley start first.`);
  }
  return values;
}

const color = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (color ? `\x1b[${code}m${text}\x1b[0m` : text);

function title(text) {
  console.log(`\n${paint('1', `── ${text}`)}\n`);
}

function show(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const lines = text.split('\n');
  const shown = lines.length > 60 ? [...lines.slice(0, 55), `… ${lines.length - 55} more lines`] : lines;
  console.log(shown.join('\n') + '\n');
}

/** Sends a request, shows it as a curl line with its secrets shortened, and fails on any other status. */
async function send(method, url, { headers = {}, body, expect = 200, quiet = false, hide = (text) => text }) {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const sent = { ...headers, ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) };
  if (!quiet) {
    const parts = [method === 'GET' ? `curl ${url}` : `curl -X ${method} ${url}`];
    for (const [name, value] of Object.entries(sent)) parts.push(`-H '${name}: ${hide(value)}'`);
    if (json !== undefined) parts.push(`-d '${hide(json)}'`);
    console.log(paint('36', parts.join(' \\\n    ')));
  }
  let answer;
  try {
    answer = await fetch(url, { method, headers: sent, body: json, signal: AbortSignal.timeout(150_000) });
  } catch (e) {
    throw new Unexpected(`${url} cannot be reached (${e.cause?.code ?? e.message}): is ./parley start running?`);
  }
  const text = await answer.text();
  let value = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON; show the text.
  }
  if (!quiet) {
    console.log(paint('2', `HTTP ${answer.status}`));
    if (text) show(value);
  }
  if (answer.status !== expect) {
    throw new Unexpected(`${method} ${url} returned ${answer.status} instead of ${expect}: ${text}`);
  }
  return { value, headers: answer.headers };
}

/** Polls until the response matches, then shows the last request and its response. */
async function until(what, request, matches) {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const last = await request(true);
    if (matches(last)) return request(false);
    if (Date.now() > deadline) throw new Unexpected(`${what} did not happen within 30 s; the last response: ${JSON.stringify(last)}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

function check(condition, sentence) {
  if (!condition) throw new Unexpected(sentence);
  console.log(paint('32', `✓ ${sentence}\n`));
}

async function walk(env) {
  const key = env.PARLEY_API_KEY;
  const api = async (method, path, options = {}) =>
    (
      await send(method, `${env.PARLEY_URL}/developer/api${path}`, {
        headers: { Authorization: `Bearer ${key}` },
        hide: (text) => text.replaceAll(key, `${key.slice(0, 7)}…${key.slice(-4)}`),
        ...options,
      })
    ).value;
  const messages = (conversation, quiet) => api('GET', `/conversations/${conversation}/messages`, { quiet });

  title('A conversation, a message and its reply');
  const chat = await api('POST', '/conversations', { body: { channel: 'API', usecase: 'DEFAULT' }, expect: 201 });
  const question = await api('POST', '/messages', {
    body: { conversation_id: chat.id, content_type: 'text', content: 'Hello, who are you?' },
  });
  check(question.type === 'USER_INPUT' && question.id, 'The message is stored.');
  const answered = await until(
    'the chat reply',
    (quiet) => messages(chat.id, quiet),
    (list) => list.some((m) => m.type === 'AGENT_RESPONSE') && list.at(-1).status === 'DELIVERED',
  );
  check(answered[0].type === 'AGENT_RESPONSE' && answered.at(-1).id === question.id, 'The chat replied; newest first.');

  title('A file, in three steps: a URL, the upload, the message');
  const presigned = await api('POST', '/media/presigned-url', {
    body: { filename: 'table.csv', content_type: 'text/csv' },
    expect: 201,
  });
  const uploaded = await fetch(presigned.upload_url, {
    method: presigned.method,
    headers: presigned.headers,
    body: 'name,amount\nExample,12.50\n',
  });
  check(uploaded.status === 200, 'The file is uploaded to the URL.');
  const sent = await api('POST', '/messages', {
    body: { conversation_id: chat.id, content_type: 'text/csv', filename: presigned.filename },
  });
  check(sent.content_type === 'SPREADSHEET' && sent.metadata.file.uri === presigned.file_url, 'The message carries it, checked.');
  const table = await api('GET', `/media/files/${sent.metadata.file.path}`);
  check(table === 'name,amount\nExample,12.50\n', 'It can be downloaded with the key.');

  title('A workflow, triggered synchronously');
  const run = await api('POST', `/workflows/${env.PARLEY_WORKFLOW_ID}/trigger/sync`, {
    body: { human_msg: 'Say something friendly.' },
  });
  check(run.status === 'COMPLETED', 'The instance is COMPLETED, with its output.');
  const status = await api('GET', `/workflow_instances/${run.workflow_instance_id}/status?include=logs`);
  check(status.status === 'COMPLETED', 'Its status can be read later, with its history.');

  title('A workflow with a person in it: the dashboard side');
  const login = await send('POST', `${env.PARLEY_URL}/dashboard/api/login`, {
    headers: { 'X-Requested-With': 'parley' },
    body: { email: env.PARLEY_EMAIL, password: env.PARLEY_PASSWORD },
    hide: (text) => text.replaceAll(env.PARLEY_PASSWORD, '…'),
  });
  const cookie = login.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ');
  const dashboard = async (method, path, options = {}) =>
    (
      await send(method, `${env.PARLEY_URL}/dashboard/api/organizations/${env.PARLEY_ORGANIZATION_ID}${path}`, {
        headers: { Cookie: cookie, ...(method === 'GET' ? {} : { 'X-Requested-With': 'parley' }) },
        hide: (text) => text.replaceAll(cookie, 'parley_session=…'),
        ...options,
      })
    ).value;
  const workflows = await dashboard('GET', '/workflows?limit=100');
  const approval = workflows.items.find((w) => w.name === 'Invoice approval' && w.published_version);
  check(approval, 'The published workflow "Invoice approval" is there: a model reads an invoice, a person approves it.');

  title('A workflow conversation, which the message starts');
  const conversation = await api('POST', '/conversations', {
    body: { channel: 'API', usecase: 'WORKFLOW_EXECUTION', config: { workflow_id: approval.id } },
    expect: 201,
  });
  await api('POST', '/messages', {
    body: {
      conversation_id: conversation.id,
      content_type: 'text',
      content: 'Invoice of Example Ltd over 1,234.50 EUR, due 2030-01-31.',
    },
  });
  const waiting = await until(
    'the pause for a person',
    (quiet) => messages(conversation.id, quiet),
    (list) => list.some((m) => m.metadata?.workflow_instance_status === 'PAUSED'),
  );
  const instance = waiting.map((m) => m.metadata?.workflow_instance_id).find(Boolean);
  const paused = await api('GET', `/workflow_instances/${instance}/status`);
  const ticketId = paused.tasks.find((t) => t.ticket_id)?.ticket_id;
  check(paused.status === 'PAUSED' && ticketId, 'The instance is PAUSED: the task "Approve" waits for a person, with a ticket.');

  title('The person claims the ticket and completes it');
  const ticket = await dashboard('GET', `/tickets/${ticketId}`);
  check(ticket.status === 'OPEN', `Ticket ${ticket.number} is OPEN and has the form that the task's outputs make.`);
  await dashboard('POST', `/tickets/${ticketId}/claim`, { body: {} });
  const done = await dashboard('POST', `/tickets/${ticketId}/complete`, {
    body: { answer: { approved: true, comment: 'Agrees with the order.' } },
  });
  check(done.status === 'RESOLVED', 'The ticket is RESOLVED.');

  title('The instance goes on to its end, and the conversation shows it');
  const ended = await until(
    'the end of the instance',
    (quiet) => api('GET', `/workflow_instances/${instance}/status`, { quiet }),
    (one) => one.status !== 'PAUSED' && one.status !== 'RUNNING',
  );
  check(ended.status === 'COMPLETED' && ended.output.approved === true, 'The instance is COMPLETED, with the person\'s answer as output.');
  const last = await until(
    'the message with the result',
    (quiet) => messages(conversation.id, quiet),
    (list) => list.some((m) => m.type === 'AGENT_RESPONSE') && list.at(-1).metadata?.workflow_instance_status === 'COMPLETED',
  );
  check(last.some((m) => m.type === 'HUMAN_RESPONSE'), 'The conversation has the person\'s response and the workflow\'s output.');
}

try {
  await walk(settings(process.argv.slice(2)));
  console.log(paint('1;32', 'Everything answered as it should.'));
} catch (e) {
  if (!(e instanceof Unexpected)) throw e;
  console.error(paint('1;31', `parley demo: ${e.message}`));
  process.exitCode = 1;
}

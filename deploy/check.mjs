// Tries what needs the parts of a release in a running service: code in JavaScript and Python, a file rendered as PDF, a
// PDF and a workbook read, a table queried. Reads the demo.env that is the only argument.
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const env = Object.fromEntries(
  readFileSync(process.argv[2], 'utf8').split('\n').filter((line) => line.includes('=')).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);
const base = process.env.CHECK_URL ?? env.PARLEY_URL;
const key = { Authorization: `Bearer ${env.PARLEY_API_KEY}` };
let cookie = {};

function check(condition, what, seen) {
  if (!condition) throw new Error(`${what}: ${JSON.stringify(seen)?.slice(0, 2000)}`);
  console.log(`✓ ${what}`);
}

async function call(method, path, body, headers = key) {
  const answer = await fetch(base + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(180_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return { json: /^[{[]/.test(text) ? JSON.parse(text) : undefined, headers: answer.headers };
}
const developer = async (method, path, body) => (await call(method, `/developer/api${path}`, body)).json;
const dashboard = async (method, path, body) =>
  (await call(method, `/dashboard/api/organizations/${env.PARLEY_ORGANIZATION_ID}${path}`, body, { ...cookie, 'X-Requested-With': 'parley' })).json;

/** Runs a workflow to its end. The first run of a language prepares it, which takes minutes on a busy machine. */
async function runToEnd(workflow, inputs) {
  let run = await developer('POST', `/workflows/${workflow}/trigger/sync?wait_seconds=120`, { inputs });
  for (const deadline = Date.now() + 600_000; run.status === 'RUNNING' && Date.now() < deadline; await new Promise((done) => setTimeout(done, 500)))
    run = await developer('GET', `/workflow_instances/${run.workflow_instance_id}/status`);
  return run;
}

/** Sends bytes as the file of a message and returns the message. */
async function send(conversation, name, type, bytes) {
  const presigned = await developer('POST', '/media/presigned-url', { filename: name, content_type: type });
  const put = await fetch(presigned.upload_url, { method: 'PUT', headers: presigned.headers, body: bytes });
  if (!put.ok) throw new Error(`upload of ${name}: ${put.status} ${await put.text()}`);
  return developer('POST', '/messages', { conversation_id: conversation, content_type: type, filename: presigned.filename });
}

/** The reply to a message; the offline model lists the files that it received. */
async function reply(conversation, message) {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await new Promise((done) => setTimeout(done, 200))) {
    const messages = await developer('GET', `/conversations/${conversation}/messages`);
    const found = messages.find((one) => one.type === 'AGENT_RESPONSE' && one.id > message.id);
    if (found) return found.content;
  }
  throw new Error(`no reply to ${message.id}`);
}

/** A workbook of one row, as an uncompressed ZIP archive. */
function workbook(value) {
  const ns = 'http://schemas.openxmlformats.org/', xml = '<?xml version="1.0"?>';
  const files = {
    '[Content_Types].xml': `${xml}<Types xmlns="${ns}package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `${xml}<Relationships xmlns="${ns}package/2006/relationships"><Relationship Id="r1" Type="${ns}officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${xml}<workbook xmlns="${ns}spreadsheetml/2006/main" xmlns:r="${ns}officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${ns}package/2006/relationships"><Relationship Id="r1" Type="${ns}officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${xml}<worksheet xmlns="${ns}spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${value}</t></is></c></row></sheetData></worksheet>`,
  };
  const parts = [], directory = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const body = Buffer.from(text), title = Buffer.from(name), head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt32LE(crc32(body), 10);
    head.writeUInt32LE(body.length, 14);
    head.writeUInt32LE(body.length, 18);
    head.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, title, body]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head, rest, title]));
    parts.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory), end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, index, Buffer.from('PK\x05\x06'), end]);
}

const login = await call('POST', '/dashboard/api/login', { email: env.PARLEY_EMAIL, password: env.PARLEY_PASSWORD }, { 'X-Requested-With': 'parley' });
cookie = { Cookie: login.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ') };

const workflows = (await dashboard('GET', '/workflows?limit=100')).items;
const coder = workflows.find((one) => one.name === 'Order total');
const items = [{ name: 'Chair', price: 100, quantity: 5 }];
const run = await runToEnd(coder.id, { items });
check(run.status === 'COMPLETED' && run.output.letter?.startsWith('s3://'), 'JavaScript and Python run', run);

const user = (await call('GET', '/dashboard/api/me', undefined, cookie)).json;
const rendering = await dashboard('POST', '/workflows', {
  name: `Release check ${Date.now()}`,
  assignment_rules: [{ rule_type: 'Exception', assignment_type: 'User', assignee_id: user.id }],
  tasks: [{ id: 'write', kind: 'AI', name: 'Write', instructions: 'Write.', input_parameters: [{ name: 'topic', type: 'STRING', description: 'Topic', required: true, source: 'human_input' }], expected_output: [{ name: 'paper', type: 'PDF', description: 'Paper' }] }],
});
await dashboard('POST', `/workflows/${rendering.id}/publish`);
const written = await runToEnd(rendering.id, { topic: 'Släger & Söhne' });
check(written.status === 'COMPLETED', 'a PDF is rendered', written);
const path = written.output.paper.replace(/^s3:\/\/[^/]+\//, '');
const pdf = Buffer.from(await (await fetch(`${base}/developer/api/media/files/${path}`, { headers: key })).arrayBuffer());
check(pdf.subarray(0, 5).toString() === '%PDF-', 'the PDF is downloaded', pdf.length);

const chat = (await developer('POST', '/conversations', { channel: 'API', usecase: 'DEFAULT' })).id;
const readPdf = await reply(chat, await send(chat, 'paper.pdf', 'application/pdf', pdf));
check(/paper\.pdf \(application\/pdf, \d+ /.test(readPdf), 'the PDF is read', readPdf);
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const readXlsx = await reply(chat, await send(chat, 'book.xlsx', xlsx, workbook('Chair')));
check(/book\.xlsx \(.*, \d+ characters/.test(readXlsx), 'the workbook is read', readXlsx);

const csv = await send(chat, 'prices.csv', 'text/csv', 'name,price\nChair,12.5\nTable,80\n');
const lake = (await dashboard('POST', '/data-lakes', { name: `Prices ${Date.now()}`, format: 'csv', file_url: csv.metadata.file.uri })).data_lake;
const rows = await dashboard('GET', `/data-lakes/${lake.id}/rows?sort=price`);
check(JSON.stringify(rows).includes('12.5'), 'a table is imported and queried', rows);

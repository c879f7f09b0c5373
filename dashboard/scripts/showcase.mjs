// Takes the pictures of the documentation: starts the packaged service beside a scripted chat model and a warehouse,
// seeds an organization with thirty days of use, and writes docs/pictures. Needs psql: `npm run showcase`.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "@playwright/test";
import { complete, DELIVERIES } from "./showcaseModel.mjs";

const root = resolve(import.meta.dirname, "../..");
const example = (name) => readFileSync(join(root, "examples", name), "utf8");
const EMAIL = "anna@brenner.example";
const PASSWORD = "a password for the pictures";

/** Answers requests by a function of the JSON body. */
async function serve(answer) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(answer(body && JSON.parse(body), request.url)));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

async function until(what, check, seconds = 90) {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
    const found = await check();
    if (found) return found;
    await new Promise((next) => setTimeout(next, 200));
  }
  throw new Error(`${what}: not in time`);
}

async function startService(model) {
  const data = mkdtempSync(join(tmpdir(), "parley-showcase-"));
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, "bin/java") : "java";
  const flags = ["-Xmx320m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"];
  const port = await new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const free = probe.address().port;
      probe.close(() => done(free));
    });
  });
  const url = `http://localhost:${port}`;
  const service = spawn(java, [...flags, "-jar", join(root, "service/target/quarkus-app/quarkus-run.jar")], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      PARLEY_PORT: String(port),
      PARLEY_DATA: data,
      PARLEY_ADMIN_EMAIL: EMAIL,
      PARLEY_ADMIN_PASSWORD: PASSWORD,
      PARLEY_LLM_BASE_URL: model,
      PARLEY_LLM_MODEL: "model",
      PARLEY_LLM_INPUT_PRICE: "0.4",
      PARLEY_LLM_OUTPUT_PRICE: "1.6",
      PARLEY_LLM_CURRENCY: "EUR",
      PARLEY_EGRESS_ALLOW: "127.0.0.0/8",
      PARLEY_LOG_REQUESTS: "errors",
    },
  });
  const stop = async () => {
    const ended = new Promise((done) => service.once("exit", done));
    service.kill();
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  await until("service", isReady).catch(async (late) => {
    await stop();
    throw late;
  });
  return { url, data, stop };
}

/** Calls the dashboard's API as one person. */
function person(url) {
  const headers = { "Content-Type": "application/json", "X-Requested-With": "parley", Cookie: "" };
  const call = async (method, path, body, key) => {
    const answer = await fetch(new URL(path, `${url}/dashboard/api/`), {
      method,
      headers: key ? { "Content-Type": "application/json", Authorization: `Bearer ${key}` } : headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    headers.Cookie ||= answer.headers.getSetCookie().join().split(";")[0];
    return text && JSON.parse(text);
  };
  return { call, session: () => headers.Cookie.replace("parley_session=", "") };
}

/** The organization with its people, tools and agents, and the runs and tickets of a day. */
async function seed(url, warehouse) {
  const anna = person(url);
  const me = await anna.call("POST", "login", { email: EMAIL, password: PASSWORD });
  await anna.call("PATCH", "me", { name: "Anna Berger" });
  const { id } = await anna.call("POST", "organizations", { name: "Brenner Tools" });
  const org = `organizations/${id}`;
  const colleagues = [];
  for (const name of ["Ben Aigner", "Carla Novak"]) {
    const email = `${name.split(" ")[0].toLowerCase()}@brenner.example`;
    const { invitation_token } = await anna.call("POST", `${org}/members`, { email, name, role: "member" });
    const colleague = person(url);
    const { id: userId } = await colleague.call("POST", `invitations/${invitation_token}`, {
      password: PASSWORD,
    });
    colleagues.push({ ...colleague, id: userId });
  }
  const [ben, carla] = colleagues;
  const { key } = await anna.call("POST", `${org}/api-keys`, { name: "Shop" });
  for (const [team, members] of [
    ["Claims", [me.id, ben.id]],
    ["Accounting", [carla.id]],
  ]) {
    const { id: teamId } = await anna.call("POST", `${org}/teams`, { name: team });
    for (const member of members) await anna.call("PUT", `${org}/teams/${teamId}/members/${member}`, {});
  }
  await anna.call("POST", `${org}/tool-providers`, {
    name: "warehouse",
    kind: "openapi",
    document: example("tools/warehouse.json"),
    server_url: warehouse,
  });
  await anna.call("POST", `${org}/code-artifacts`, {
    name: "Refund",
    language: "javascript",
    source: example("code/refund.mjs"),
  });

  const publish = async (document) => {
    const created = await anna.call("POST", `${org}/workflows`, document);
    await anna.call("POST", `${org}/workflows/${created.id}/publish`);
    return created.id;
  };
  const filled = (name, team) =>
    JSON.parse(example(name).replaceAll("{{team}}", team).replaceAll("{{user}}", me.id));
  const claim = filled("claim.json", "1");
  claim.name = "Refund claims";
  claim.description = "Checks a claim against the delivery, and asks the claims team before money goes out.";
  Object.assign(claim.tasks[0].input_parameters[0], { name: "complaint", source: "human_input" });
  const refunds = await publish(claim);
  const { items: tools } = await anna.call("GET", `${org}/tools?limit=100`);
  const toolId = (name) => tools.find((each) => each.tool_name === name).tool_id;
  const help = await publish({
    ...claim,
    name: "Order help",
    description: "Answers customers, and starts a refund claim when a delivery was wrong.",
    connections: [],
    tasks: [
      {
        ...claim.tasks[0],
        id: "answer",
        name: "Answer the customer",
        instructions: "Answer the customer in Markdown. Look orders up, and pass complaints on as claims.",
        tools: [toolId("getDelivery"), toolId(refunds)],
        input_parameters: [
          {
            name: "human_msg",
            type: "STRING",
            description: "Message",
            required: true,
            source: "system_generated",
          },
        ],
        expected_output: [{ name: "reply", type: "STRING", description: "The reply" }],
      },
    ],
  });
  const invoices = await publish(filled("invoice-approval.json", "2"));

  // The graph fits in one row.
  const positions = Object.fromEntries(
    claim.tasks.map((task, index) => [task.id, { x: 262 * index, y: [40, 0, 0, 40, 10][index] }]),
  );
  await anna.call("PUT", `${org}/workflows/${refunds}/positions`, { positions });

  const converse = () =>
    anna.call("POST", `${org}/conversations`, {
      usecase: "WORKFLOW_EXECUTION",
      config: { workflow_id: help },
    });
  const say = async (conversation, content, count = 1) => {
    await anna.call("POST", `${org}/conversations/${conversation}/messages`, { content });
    return async () => {
      const messages = await anna.call("GET", `${org}/conversations/${conversation}/messages`);
      return (messages.items ?? messages).filter((each) => each.type === "AGENT_RESPONSE").length >= count;
    };
  };
  const others = [];
  for (const text of [
    "Please cancel order 4733.",
    "Does the pallet need a forklift?",
    "Can order 4729 arrive before Friday?",
    "Do you have M8 bolts in stainless steel?",
    "Can I get invoice 2231 again?",
  ]) {
    const { id: other } = await converse();
    await until("reply", await say(other, text));
    others.push(other);
  }
  const { id: conversation } = await converse();
  const openTicket = () =>
    until("ticket", async () => (await anna.call("GET", `${org}/tickets?status=OPEN`)).items[0]);
  await until("reply", await say(conversation, "Hi, order 4711 should have arrived on Monday. Where is it?"));
  await anna.call("PATCH", `${org}/conversations/${conversation}`, { title: "Rusty bolts, order 4711" });
  const reply = await say(
    conversation,
    "Found it, thank you! But the bolts are rusty, I can’t use them. I want my 119.50 EUR back.",
    2,
  );
  const answered = await openTicket();
  const ticket = `${org}/tickets/${answered.id}`;
  await ben.call("POST", `${ticket}/comment`, {
    text: "@Anna Berger the customer sent photos: rust on every box of the lot. I’d pay.",
    mentions: [me.id],
  });
  await anna.call("POST", `${ticket}/claim`);
  await anna.call("POST", `${ticket}/complete`, {
    answer: { approved: true, remark: "We are sorry for the rust. You need not send the bolts back." },
  });
  await until("reply", reply);

  for (const text of [
    "Order 4718: 12 wood screws were missing, I want 18.00 EUR back.",
    "Order 4722: the drill bits are blunt, please refund 64.90 EUR.",
    "Order 4725: wrong size delivered, I want 86.40 EUR back.",
  ]) {
    await anna.call(
      "POST",
      `../../developer/api/workflows/${refunds}/trigger/sync`,
      { human_msg: text },
      key,
    );
  }
  await until(
    "tickets",
    async () => (await anna.call("GET", `${org}/tickets?status=OPEN`)).items.length === 3,
  );
  return { anna, id, org, refunds, help, invoices, conversation, others, ticket: answered };
}

/** Sixty days of usage, which grows and rests on weekends; and older conversations. */
function history({ id, refunds, help, invoices, others }) {
  const older = others.map(
    (each, index) =>
      `UPDATE message SET created_at = created_at - interval '${(others.length - index) ** 2 * 47} minutes'
       WHERE conversation_id = '${each}';`,
  );
  return `SELECT setseed(0.5);
    ${older.join("\n")}
    WITH days AS (
      SELECT at, (1 - age / 130) * CASE WHEN extract(isodow FROM at) > 5 THEN 0.25 ELSE 1 END
        * (0.9 + 0.2 * abs(sin(age * 2.3))) * (1 + 0.5 * sin((extract(hour FROM at) - 6) / 12 * pi())) AS load
      FROM generate_series(date_trunc('hour', now()) - interval '59 days', date_trunc('hour', now()) - interval '1 hour',
        interval '1 hour') at, LATERAL (SELECT extract(epoch FROM now() - at) / 86400 AS age)
      WHERE extract(hour FROM at) BETWEEN 6 AND 18),
    runs AS (
      INSERT INTO usage_hour_of_workflow
      SELECT '${id}', at, agent::uuid, round(rate * load), CASE WHEN random() < fails * (0.5 + extract(epoch FROM now() - at) / 2592000) THEN 1 ELSE 0 END, 0, 0,
        round(rate * load * 1240), round(rate * load * 310), round(rate * load * 1240 * 0.4 + rate * load * 310 * 1.6)
      FROM days, (VALUES ('${help}', 9, 0.004), ('${refunds}', 3, 0.02), ('${invoices}', 5, 0.01)) agents (agent, rate, fails)
      ON CONFLICT DO NOTHING RETURNING *),
    sums AS (
      SELECT hour, sum(runs_completed) completed, sum(runs_failed) failed, sum(input_tokens) input,
        sum(output_tokens) output, sum(cost_micros) cost FROM runs GROUP BY hour)
    INSERT INTO usage_hour
    SELECT '${id}', hour, metric, value FROM sums, LATERAL (VALUES ('runs_completed', completed), ('runs_failed', failed),
      ('input_tokens', input), ('output_tokens', output), ('cost_micros', cost), ('messages_received', completed),
      ('messages_sent', completed), ('run_millis_57', round(completed * 0.6)), ('run_millis_62', round(completed * 0.3)),
      ('run_millis_110', ceil(completed * 0.1))) counts (metric, value)
    WHERE value > 0 ON CONFLICT DO NOTHING`;
}

function sql(data, text) {
  const [, , , port] = readFileSync(join(data, "postgres/cluster/postmaster.pid"), "utf8").split("\n");
  execFileSync(
    "psql",
    ["-qX", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", port, "-U", "parley", "postgres"],
    {
      input: text,
      env: { ...process.env, PGPASSWORD: readFileSync(join(data, "postgres/password"), "utf8").trim() },
    },
  );
}

async function takePictures(url, { anna, id, org, refunds, conversation, ticket }) {
  const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) =>
    existsSync(path),
  );
  const browser = await chromium.launch({
    executablePath: process.env.PARLEY_CHROMIUM ?? installed,
    args: process.getuid() === 0 ? ["--no-sandbox"] : [],
  });
  const context = await browser.newContext({
    locale: "en-GB",
    timezoneId: "Europe/Vienna",
    deviceScaleFactor: 1.2,
    reducedMotion: "reduce",
  });
  await context.addCookies([{ name: "parley_session", value: anna.session(), url }]);
  const page = await context.newPage();
  const take = async (name, path, ready, [width, height] = [1280, 760]) => {
    await page.setViewportSize({ width, height });
    await page.goto(`${url}/organizations/${id}/${path}`);
    await page.getByText(ready).first().waitFor();
    await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => null);
    await page.screenshot({ path: join(root, `docs/pictures/${name}.png`), animations: "disabled" });
  };
  const { items: runs } = await anna.call("GET", `${org}/instances?status=PAUSED`);
  const { items: open } = await anna.call("GET", `${org}/tickets?status=OPEN`);
  mkdirSync(join(root, "docs/pictures"), { recursive: true });
  await take("overview", "overview?hours=720", "Order help");
  await take("ticket", `tickets/${open[0].id}`, "Approve the refund");
  await take("answered-ticket", `tickets/${ticket.id}`, "photos", [1280, 800]);
  // These need the width of the window.
  await page.evaluate(() => localStorage.setItem("parley.menu", "false"));
  await take("conversation", `conversations/${conversation}`, "three working days", [1060, 850]);
  await take("run", `runs/${runs[0].workflow_instance_id}`, "Write the letter", [1280, 720]);
  await take("editor", `agents/${refunds}?task=compute`, "Write the letter", [1520, 800]);
  await browser.close();
}

const stops = [];
try {
  const model = await serve(complete);
  const warehouse = await serve((_, path) => DELIVERIES[path.split("/").at(-1)]);
  stops.push(model.stop, warehouse.stop);
  const service = await startService(model.url);
  stops.unshift(service.stop);
  const seeded = await seed(service.url, warehouse.url);
  sql(service.data, history(seeded));
  await takePictures(service.url, seeded);
} finally {
  for (const stop of stops) await stop();
}

import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startProvider } from "./oidcProvider";
import { startS3 } from "./dataBucket";

const START_LIMIT = 300_000;

interface Running {
  url: string;
  data: string;
  /** The path of its log. */
  output: string;
  /** Waits until it accepts requests. */
  ready: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts the shared service and what it talks to. Returns a function that stops them. */
export default async function start(): Promise<() => Promise<void>> {
  const provider = await startProvider();
  const s3 = await startS3();
  const shared = await launch({
    PARLEY_DEMO: "true",
    // Browsers use both cores at first, which slows down code.
    PARLEY_CODER_TIME_LIMIT: "10m",
    ...provider.settings,
    ...s3.settings,
  });
  await shared.ready();
  const { url, data } = shared;
  provider.serve(url);
  const demo = readFileSync(join(data, "demo.env"), "utf8");
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(demo)?.[1] ?? "";
  process.env.TEST_URL = url;
  process.env.TEST_BUCKET = s3.bucket;
  process.env.TEST_EMAIL = value("PARLEY_EMAIL");
  process.env.TEST_PASSWORD = value("PARLEY_PASSWORD");
  process.env.TEST_ORGANIZATION = value("PARLEY_ORGANIZATION_ID");
  process.env.TEST_API_KEY = value("PARLEY_API_KEY");
  const { token, user } = await session(url);
  process.env.TEST_SESSION = token;
  process.env.TEST_USER = user;
  return async () => {
    provider.stop();
    s3.stop();
    await shared.stop();
  };
}

/** The demo user's session, shared by all tests because password hashing makes each sign-in slow. */
async function session(url: string): Promise<{ token: string; user: string }> {
  const answer = await fetch(`${url}/dashboard/api/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Requested-With": "parley" },
    body: JSON.stringify({ email: process.env.TEST_EMAIL, password: process.env.TEST_PASSWORD }),
  });
  const found = /parley_session=([^;]+)/.exec(answer.headers.getSetCookie().join());
  if (!found) {
    throw new Error(`The demo user cannot sign in: ${answer.status}`);
  }
  const { id } = (await answer.json()) as { id: string };
  return { token: found[1]!, user: id };
}

/** Starts the packaged service on a free port with its own data directory; too short-lived for the C2 compiler. */
export async function launch(settings: Record<string, string>): Promise<Running> {
  const data = mkdtempSync(join(tmpdir(), "parley-dashboard-"));
  const port = await freePort();
  const service = spawn(
    java(),
    [
      "-Xmx320m",
      "-XX:+UseSerialGC",
      "-XX:TieredStopAtLevel=1",
      "--enable-native-access=ALL-UNNAMED",
      "-jar",
      jar(),
    ],
    {
      env: {
        ...process.env,
        PARLEY_PORT: String(port),
        PARLEY_HOST: "127.0.0.1",
        PARLEY_PUBLIC_URL: `http://localhost:${port}`,
        PARLEY_DATA: data,
        PARLEY_LOG_REQUESTS: "errors",
        PARLEY_EGRESS_ALLOW: "localhost,127.0.0.0/8,::1",
        ...settings,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const output = `${data}.log`;
  writeFileSync(output, "");
  const url = `http://localhost:${port}`;
  service.stdout.on("data", (text) => appendFileSync(output, String(text)));
  service.stderr.on("data", (text) => appendFileSync(output, String(text)));
  return {
    url,
    data,
    output,
    ready: () => untilReady(url, service, output),
    stop: async () => {
      await end(service, data);
      rmSync(output, { force: true });
    },
  };
}

function java(): string {
  return process.env.JAVA_HOME ? join(process.env.JAVA_HOME, "bin/java") : "java";
}

function jar(): string {
  return resolve(import.meta.dirname, "../../service/target/quarkus-app/quarkus-run.jar");
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function untilReady(url: string, service: ChildProcess, output: string) {
  const deadline = Date.now() + START_LIMIT;
  while (Date.now() < deadline) {
    if (service.exitCode !== null) {
      throw new Error(`The service ended with ${service.exitCode}:\n${readFileSync(output, "utf8")}`);
    }
    // oxlint-disable-next-line no-await-in-loop -- polls until ready
    if (
      await fetch(`${url}/health/ready`).then(
        (answer) => answer.ok,
        () => false,
      )
    ) {
      return;
    }
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((next) => {
      setTimeout(next, 200);
    });
  }
  service.kill();
  throw new Error(`The service was not ready in time:\n${readFileSync(output, "utf8")}`);
}

async function end(service: ChildProcess, data: string) {
  if (service.exitCode === null) {
    const ended = new Promise((done) => service.once("exit", done));
    service.kill("SIGTERM");
    await ended;
  }
  rmSync(data, { recursive: true, force: true });
}

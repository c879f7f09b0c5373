import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Stored {
  body: Buffer;
  type: string;
}

/** A minimal S3 store for uploads and downloads. It ignores signatures, which the Java tests cover with a real store. */
export async function startStore() {
  const files = new Map<string, Stored>();
  const server = createServer((request, answer) => void serve(files, request, answer));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: {
      PARLEY_S3_BUCKET: "papers",
      PARLEY_S3_ENDPOINT: endpoint,
      PARLEY_S3_PATH_STYLE: "true",
      PARLEY_S3_ACCESS_KEY: "key",
      PARLEY_S3_SECRET_KEY: "a secret of the tests",
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function serve(files: Map<string, Stored>, request: IncomingMessage, answer: ServerResponse) {
  const { pathname } = new URL(request.url ?? "/", "http://store");
  answer.setHeader("Access-Control-Allow-Origin", "*");
  if (request.method === "OPTIONS") {
    answer.setHeader("Access-Control-Allow-Methods", "PUT");
    answer.setHeader("Access-Control-Allow-Headers", "content-type, if-none-match");
    answer.writeHead(204).end();
    return;
  }
  answer.setHeader("ETag", '"1"');
  if (request.method === "PUT") {
    const parts: Buffer[] = [];
    for await (const part of request) {
      parts.push(part as Buffer);
    }
    files.set(pathname, { body: Buffer.concat(parts), type: request.headers["content-type"] ?? "" });
    answer.end();
    return;
  }
  const file = files.get(pathname);
  if (!file) {
    answer.writeHead(404).end();
    return;
  }
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  const body = from ? file.body.subarray(Number(from), to ? Number(to) + 1 : undefined) : file.body;
  answer.writeHead(from ? 206 : 200, {
    "Content-Type": file.type,
    "Content-Length": body.length,
    "Last-Modified": new Date(0).toUTCString(),
    ...(from
      ? { "Content-Range": `bytes ${from}-${Number(from) + body.length - 1}/${file.body.length}` }
      : {}),
  });
  answer.end(request.method === "HEAD" ? undefined : body);
}

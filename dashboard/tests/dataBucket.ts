import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const BUCKET = "data";

/**
 * A minimal S3 bucket with listing and reads, which tests change with PUT and DELETE. It ignores signatures, which the
 * Java tests cover with a real store.
 */
export async function startS3() {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://s3");
    const [bucket, ...segments] = url.pathname.slice(1).split("/");
    const key = segments.map(decodeURIComponent).join("/");
    const answer = (status: number, type: string, body: string | Buffer) =>
      response.writeHead(status, { "Content-Type": type, ETag: '"1"' }).end(body);
    if (request.method === "PUT") {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk as Buffer);
      }
      objects.set(key, Buffer.concat(chunks));
      answer(200, "text/plain", "");
    } else if (request.method === "DELETE") {
      objects.delete(key);
      answer(204, "text/plain", "");
    } else if (bucket === BUCKET && key === "") {
      answer(200, "application/xml", listed(objects, url.searchParams.get("prefix") ?? ""));
    } else if (objects.has(key)) {
      answer(200, "application/octet-stream", objects.get(key)!);
    } else {
      answer(404, "application/xml", "<Error><Code>NoSuchKey</Code></Error>");
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** The URL of the bucket. */
    bucket: `${url}/${BUCKET}`,
    settings: {
      PARLEY_DATA_LAKE_S3: `*=s3://${BUCKET}/acme/`,
      PARLEY_S3_ENDPOINT: url,
      PARLEY_S3_PATH_STYLE: "true",
      PARLEY_S3_ACCESS_KEY: "test",
      PARLEY_S3_SECRET_KEY: "a secret of the tests",
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function listed(objects: Map<string, Buffer>, prefix: string): string {
  const contents = [...objects]
    .filter(([key]) => key.startsWith(prefix))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([key, body]) => `<Contents><Key>${key}</Key><ETag>"1"</ETag><Size>${body.length}</Size></Contents>`,
    );
  return `<ListBucketResult><Name>${BUCKET}</Name><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`;
}

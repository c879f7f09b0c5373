import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../api";
import { DraftSaver, SAVE_DELAY_MS } from "./draftSaver";

interface Saved {
  document: unknown;
  etag: number;
}

const problem = (status: number) => new ApiError(status, "Problem", "It failed.", [], null);

/** A server whose responses the test sends. */
class Server {
  readonly requests: { document: unknown; etag: number; answer: (outcome: Saved | Error) => void }[] = [];
  reachable = true;

  readonly isReachable = () => this.reachable;

  readonly put = (document: unknown, { etag }: Saved) =>
    new Promise<Saved>((resolve, reject) => {
      this.requests.push({
        document,
        etag,
        answer: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
      });
    });

  /** Accepts the latest request. */
  async accept() {
    const { document, etag, answer } = this.requests.at(-1)!;
    answer({ document, etag: etag + 1 });
    await vi.advanceTimersByTimeAsync(0);
  }

  async refuse(status: number) {
    this.requests.at(-1)!.answer(problem(status));
    await vi.advanceTimersByTimeAsync(0);
  }
}

let server: Server;
let saver: DraftSaver<Saved>;

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
  saver = new DraftSaver<Saved>({ document: { name: "a" }, etag: 1 }, server);
});

afterEach(() => vi.useRealTimers());

const pause = () => vi.advanceTimersByTimeAsync(SAVE_DELAY_MS);
const names = () => server.requests.map(({ document }) => (document as { name: string }).name);

test("edits are saved together after a pause, and those made meanwhile with the next request", async () => {
  saver.edit({ name: "b" }, null);
  await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS - 1);
  saver.edit({ name: "c" }, null);
  await pause();
  expect(names()).toEqual(["c"]);
  saver.edit({ name: "d" }, null);
  saver.edit({ name: "e" }, null);
  await pause();
  expect(names()).toEqual(["c"]);
  await server.accept();
  expect(names()).toEqual(["c", "e"]);
  expect(server.requests[1]!.etag).toBe(2);
  await server.accept();
  expect(saver.getState()).toMatchObject({ saved: { name: "e" }, workflow: { etag: 3 }, error: null });
});

test("nothing is sent without an edit, or when it has been undone", async () => {
  await saver.flush();
  saver.edit({ name: "b" }, null);
  saver.edit({ name: "a" }, null);
  await pause();
  expect(server.requests).toEqual([]);
});

test("a failure is retried with growing pauses, and at once when the connection is back", async () => {
  saver.edit({ name: "b" }, null);
  await pause();
  await server.refuse(500);
  expect(saver.getState().error).not.toBeNull();
  await vi.advanceTimersByTimeAsync(2 * SAVE_DELAY_MS);
  await server.refuse(0);
  expect(server.requests).toHaveLength(2);
  server.reachable = false;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(server.requests).toHaveLength(2);
  saver.edit({ name: "c" }, null);
  await pause();
  expect(server.requests).toHaveLength(2);
  server.reachable = true;
  saver.resume();
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["b", "b", "c"]);
  await server.accept();
  expect(saver.getState()).toMatchObject({ saved: { name: "c" }, error: null });
});

test("a conflict stops saving until the user continues from the newer version", async () => {
  saver.edit({ name: "b" }, null);
  await pause();
  await server.refuse(412);
  saver.edit({ name: "c" }, null);
  saver.resume();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(names()).toEqual(["b"]);
  saver.continueFrom({ document: { name: "theirs" }, etag: 7 });
  void saver.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.requests[1]).toMatchObject({ document: { name: "c" }, etag: 7 });
  await server.accept();
  saver.adopt({ document: { name: "other" }, etag: 9 });
  await pause();
  expect(server.requests).toHaveLength(2);
});

test("what cannot be sent is not, and what a person has to correct is not retried", async () => {
  saver.edit({ name: "b" }, problem(400));
  await pause();
  await expect(saver.flush()).rejects.toThrow("It failed.");
  expect(server.requests).toEqual([]);
  saver.edit({ name: "c" }, null);
  await pause();
  await server.refuse(413);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(names()).toEqual(["c"]);
});

test("a task after saving waits for the request before it, and no save is sent meanwhile", async () => {
  saver.edit({ name: "b" }, null);
  await pause();
  saver.edit({ name: "c" }, null);
  let finish = () => {};
  const published = saver.afterSaving(async ({ etag }) => {
    await new Promise<void>((done) => (finish = done));
    return etag;
  });
  await server.accept();
  await server.accept();
  saver.edit({ name: "d" }, null);
  await pause();
  expect(names()).toEqual(["b", "c"]);
  saver.edit({ name: "e" }, null);
  finish();
  expect(await published).toBe(3);
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["b", "c", "e"]);
});

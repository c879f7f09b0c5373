import { ApiError, isConflict } from "../../api";

/** The pause after the last edit before a draft is saved. */
export const SAVE_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 60_000;

/** The draft that the server has stored, and the reason why the latest edit is missing. */
export interface SaverState<W> {
  /** The workflow as it was last read or saved. */
  workflow: W;
  /** The document of that workflow, or the edited one that has become it. */
  saved: unknown;
  isSending: boolean;
  error: Error | null;
}

interface Server<W> {
  /** Replaces the document of a workflow that nobody else has changed. */
  put: (document: unknown, before: W) => Promise<W>;
  isReachable: () => boolean;
}

/** Whether two documents are the same, which an undone edit makes them. */
export const isSameDocument = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Whether a later attempt may succeed without another edit. */
export const isTransient = (error: Error) =>
  error instanceof ApiError && (error.transient || error.status === 429);

/**
 * Saves an edited document shortly after the last edit: one request at a time, always with the latest document, and none
 * if it is the same as on the server. A conflict stops it until the user has chosen.
 */
export class DraftSaver<W extends { document: unknown }> {
  private state: SaverState<W>;
  private document: unknown;
  /** Why the latest edit cannot be sent, such as JSON that cannot be parsed. */
  private obstacle: Error | null = null;
  private running: Promise<unknown> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private readonly server: Server<W>;
  private readonly listeners = new Set<() => void>();

  constructor(loaded: W, server: Server<W>) {
    this.state = { workflow: loaded, saved: loaded.document, isSending: false, error: null };
    this.document = loaded.document;
    this.server = server;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): SaverState<W> => this.state;

  /** Called with the document after each edit. */
  readonly edit = (document: unknown, obstacle: Error | null) => {
    this.obstacle = obstacle;
    if (document === this.document) {
      return;
    }
    this.document = document;
    if (!isConflict(this.state.error)) {
      this.failures = 0;
      this.schedule(SAVE_DELAY_MS);
    }
  };

  /** Saves at once what is not saved yet. Rejects if that fails; it is then tried again where that may help. */
  readonly flush = async (): Promise<void> => {
    clearTimeout(this.timer);
    await this.idle();
    if (this.obstacle) {
      throw this.obstacle;
    }
    if (!isSameDocument(this.document, this.state.saved)) {
      await this.exclusively(this.send());
    }
  };

  /** As `flush`, but does not repeat a save that was refused, because the user has seen the choice. */
  readonly saveOnLeaving = (): Promise<void> =>
    isConflict(this.state.error) ? Promise.reject(this.state.error as Error) : this.flush();

  /** Saves, and performs a task that requires the saved state, while no other save is sent. */
  readonly afterSaving = async <R>(task: (workflow: W) => Promise<R>): Promise<R> => {
    await this.flush();
    await this.idle();
    return this.exclusively(task(this.state.workflow));
  };

  /** Continues from another state of the workflow; edits of the document are saved to it. */
  readonly continueFrom = (workflow: W, saved: unknown = workflow.document) => {
    this.set({ ...this.state, workflow, saved, error: null });
    if (isSameDocument(this.document, saved)) {
      this.stop();
    } else {
      this.schedule(SAVE_DELAY_MS);
    }
  };

  /** Continues with the document of another state of the workflow. */
  readonly adopt = (workflow: W) => {
    this.document = workflow.document;
    this.obstacle = null;
    this.continueFrom(workflow);
  };

  /** Saves what an outage has held back; called when the server can be reached again. */
  readonly resume = () => {
    if (this.state.error === null || isTransient(this.state.error)) {
      this.flush().catch(() => {});
    }
  };

  readonly stop = () => clearTimeout(this.timer);

  private async idle() {
    while (this.running) {
      // oxlint-disable-next-line no-await-in-loop -- another request may have begun
      await this.running.catch(() => {});
    }
  }

  private async exclusively<R>(task: Promise<R>): Promise<R> {
    const running = task.finally(() => {
      if (this.running === running) {
        this.running = null;
      }
    });
    this.running = running;
    return running;
  }

  private async send() {
    const { document } = this;
    this.set({ ...this.state, isSending: true });
    try {
      const workflow = await this.server.put(document, this.state.workflow);
      this.failures = 0;
      this.set({ workflow, saved: document, isSending: false, error: null });
    } catch (cause) {
      const error = cause as Error;
      if (isTransient(error)) {
        this.failures += 1;
        this.schedule(Math.min(SAVE_DELAY_MS * 2 ** this.failures, MAX_RETRY_DELAY_MS));
      }
      this.set({ ...this.state, isSending: false, error });
      throw error;
    }
  }

  private schedule(delay: number) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // Without a connection, `resume` is called when it is back.
      if (this.server.isReachable()) {
        this.flush().catch(() => {});
      }
    }, delay);
  }

  private set(state: SaverState<W>) {
    this.state = state;
    this.listeners.forEach((listener) => listener());
  }
}

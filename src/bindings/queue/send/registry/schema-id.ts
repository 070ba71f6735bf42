import type { Attempt } from "../../../../runtime/sink.js";
import type { RegistrySchema } from "../../contract.js";
import { LostBroker } from "../faults.js";
import { whenLate } from "../link/when-late.js";
import { readRegistryUrl } from "./registry-url.js";
import type { Subject } from "./subject.js";

/** A request under way, and how many calls wait for it. */
interface Request {
  readonly answer: Promise<number>;
  readonly controller: AbortController;
  waiting: number;
}

/** A registry never changes what an id stands for. */
const ids = new Map<string, number>();
const requests = new Map<string, Request>();
const mostIds = 10_000;

/**
 * The id of a schema in a Confluent-compatible registry. It is asked once for each subject and schema; calls at the same time share the request.
 *
 * @param url `https://user:password@host/path`; with `register=false` in its query the registry must know the schema already
 * @throws UnusableUrl | LostBroker | RefusedMessage, or what the attempt was aborted with
 */
export async function schemaId(
  url: string,
  subject: Subject,
  schema: RegistrySchema,
  attempt: Attempt,
): Promise<number> {
  const key = JSON.stringify([url, subject.name, schema.text]);
  const known = ids.get(key);
  if (known !== undefined) return known;
  let request = requests.get(key);
  if (request === undefined) {
    request = start(key, url, subject, schema);
    requests.set(key, request);
  }
  return waitFor(request, key, attempt);
}

/** @throws UnusableUrl */
function start(key: string, url: string, subject: Subject, schema: RegistrySchema): Request {
  const controller = new AbortController();
  const address = readRegistryUrl(url);
  // Tools without a registry need no HTTP client.
  const asked = import("./ask-registry.js").then(({ askRegistry }) =>
    askRegistry(address, subject, schema, controller.signal),
  );
  const answer = asked
    .then((id) => {
      if (ids.size >= mostIds) ids.clear();
      ids.set(key, id);
      return id;
    })
    .finally(() => forget(key, request));
  const request: Request = { answer, controller, waiting: 0 };
  return request;
}

/** So that the next call asks anew. */
function forget(key: string, request: Request): void {
  if (requests.get(key) === request) requests.delete(key);
}

/** The last call that gives up ends the request. */
function waitFor(request: Request, key: string, attempt: Attempt): Promise<number> {
  request.waiting += 1;
  let isWaiting = true;
  return new Promise((resolve, reject) => {
    const leave = (reason: unknown) => {
      if (!isWaiting) return;
      isWaiting = false;
      // Past its answer, this does nothing.
      reject(reason);
      request.waiting -= 1;
      if (request.waiting > 0) return;
      forget(key, request);
      request.controller.abort();
    };
    const stop = whenLate(attempt, () =>
      leave(new LostBroker("schema registry: ETIMEDOUT", "not-done")),
    );
    request.answer.then(resolve, reject).finally(stop);
    attempt.onAbort((reason) => {
      stop();
      leave(reason);
      return "not-done";
    });
  });
}

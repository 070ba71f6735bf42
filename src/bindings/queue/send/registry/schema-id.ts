import type { Attempt } from "../../../../runtime/sink.js";
import type { RegistrySchema } from "../../contract.js";
import { askRegistry } from "./ask-registry.js";
import { readRegistryUrl } from "./registry-url.js";

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
  subject: string,
  schema: RegistrySchema,
  attempt: Attempt,
): Promise<number> {
  const key = JSON.stringify([url, subject, schema.text]);
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
function start(key: string, url: string, subject: string, schema: RegistrySchema): Request {
  const controller = new AbortController();
  const asked = askRegistry(readRegistryUrl(url), subject, schema, controller.signal);
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
  return new Promise((resolve, reject) => {
    request.answer.then(resolve, reject);
    attempt.onAbort((reason) => {
      // Past its answer, this does nothing.
      reject(reason);
      request.waiting -= 1;
      if (request.waiting > 0) return;
      forget(key, request);
      request.controller.abort();
    });
  });
}

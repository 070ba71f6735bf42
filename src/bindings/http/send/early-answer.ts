/**
 * Results that begin before the whole body has arrived: streams (`streamed-items.ts`), and bodies
 * that are saved to a file (`saved-file.ts`).
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import {
  type AnyResult,
  type Attempt,
  type AttemptOutcome,
  codingsOf,
} from "../../../runtime/executor.js";
import { type AnswerOptions, contentOf, requireType, single, successWith } from "./answer.js";
import { essenceOf } from "./content.js";
import { notSavedError, protocolError } from "./failures.js";
import { IncomingBody, unreadable } from "./incoming-body.js";
import { NotSaved, saveBody } from "./saved-file.js";
import { StreamedItems } from "./streamed-items.js";

export interface EarlyAnswer {
  /** The body, which consumes all further data. */
  readonly body: IncomingBody;
  /**
   * The result: at once for a stream, and after writing for a file. Rejects with the errors of
   * `beginEarly`.
   */
  readonly outcome: AttemptOutcome<AnyResult> | Promise<AttemptOutcome<AnyResult>>;
}

/** The part of a response before its body. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly controller: Dispatcher.DispatchController;
}

/**
 * Checks that the binding accepts the body, and starts reading it if the form doesn't need the
 * whole body.
 *
 * @returns undefined if the body must be collected first
 * @throws ToolError for a body that isn't accepted
 */
export function beginEarly<Body>(
  options: AnswerOptions<Body> & { readonly maxResponseBytes: number },
  { controller, headers, status }: AnswerHead,
  attempt: Attempt,
): EarlyAnswer | undefined {
  const content = contentOf(options, status);
  if (content === undefined) return undefined;
  requireType(content, headers, attempt);
  const isStream = "read" in content;
  if (!isStream && content.as !== "file") return undefined;
  const body = incomingBody(controller, headers, attempt);
  const success = (data: unknown): AnyResult =>
    successWith(options, options.statuses.of(status).name, data, headers);
  if (isStream) {
    const data = new StreamedItems(options, content, body, attempt);
    return { body, outcome: { result: success(data) } };
  }
  const outcome = savedFile(options.maxResponseBytes, body, headers, attempt).then((file) => ({
    result: success(file),
    answerBytes: file.size,
  }));
  return { body, outcome };
}

function incomingBody(
  controller: Dispatcher.DispatchController,
  headers: IncomingHttpHeaders,
  attempt: Attempt,
): IncomingBody {
  try {
    return new IncomingBody(controller, codingsOf(single(headers["content-encoding"])) ?? []);
  } catch (error) {
    throw asToolError(error, attempt);
  }
}

async function savedFile(
  most: number,
  body: IncomingBody,
  headers: IncomingHttpHeaders,
  attempt: Attempt,
): ReturnType<typeof saveBody> {
  const { downloads: folder } = attempt;
  // An earlier step of the call has checked the folder.
  if (folder === undefined) throw new Error("there is no folder for downloads");
  const type = essenceOf(single(headers["content-type"]));
  try {
    return await saveBody(body.decoded, { folder, most, type });
  } catch (error) {
    body.destroy();
    throw asToolError(error, attempt);
  }
}

/** Converts an error of reading a body to an error of the call. */
function asToolError(error: unknown, attempt: Attempt): unknown {
  if (error instanceof NotSaved) return notSavedError(attempt, error);
  const damage = unreadable(error);
  return damage === undefined ? error : protocolError(attempt, damage.message);
}

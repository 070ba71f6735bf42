/**
 * Answers that are given before their bodies are whole: streamed, whose items `streamed-items.ts`
 * gives while they come, and those that `saved-file.ts` writes to a file.
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
  /** Takes the body from here on. */
  readonly body: IncomingBody;
  /** At once where it is a stream; of a file when it is written. Rejects as `beginEarly` throws. */
  readonly outcome: AttemptOutcome<AnyResult> | Promise<AttemptOutcome<AnyResult>>;
}

/** What has come of an answer whose body has not. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly controller: Dispatcher.DispatchController;
}

/**
 * Looks whether the body is what the binding says, and has what doesn't wait for it take it.
 *
 * @returns undefined where the body is collected first
 * @throws ToolError for a body that can't be taken
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
    throw told(error, attempt);
  }
}

async function savedFile(
  most: number,
  body: IncomingBody,
  headers: IncomingHttpHeaders,
  attempt: Attempt,
): ReturnType<typeof saveBody> {
  const { downloads: folder } = attempt;
  // A step of the call has looked.
  if (folder === undefined) throw new Error("there is no folder for downloads");
  const type = essenceOf(single(headers["content-type"]));
  try {
    return await saveBody(body.decoded, { folder, most, type });
  } catch (error) {
    body.destroy();
    throw told(error, attempt);
  }
}

/** What a body has thrown, in words of the call. */
function told(error: unknown, attempt: Attempt): unknown {
  if (error instanceof NotSaved) return notSavedError(attempt, error);
  const damage = unreadable(error);
  return damage === undefined ? error : protocolError(attempt, damage.message);
}

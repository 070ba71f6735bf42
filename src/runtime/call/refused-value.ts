import { ToolError, type WriteOutcome } from "../errors.js";
import { pointerStep } from "../json/pointer.js";
import { shownPlace } from "../validation/validation.js";

/** First part of a pointer to a field of the caller: `caller/tenant`. */
export const callerRoot = "caller";

/**
 * The error for a value that matches its schema, but can't be used in the place where the binding
 * puts it. The call path turns it into a `ToolError`.
 */
export class RefusedValue extends Error {
  override readonly name = "RefusedValue";
  /**
   * JSON pointer to the parameter, or `caller/tenant` for a field of the caller; empty if several
   * make up the value.
   */
  readonly pointer: string;
  /** Rule that the value breaks, named like a schema keyword: `path-segment`. */
  readonly keyword: string;
  /**
   * If the pointer is unknown: returns whether a value of the parameters or the caller is the
   * cause.
   */
  readonly isCause: ((value: unknown) => boolean) | undefined;
  /** JSON pointer from that value to the part that can't be used. */
  readonly below: string;
  /** Outcome of the write: `unknown` if a part of the request may have been sent. */
  readonly outcome: WriteOutcome = "not-done";

  constructor(
    pointer: string,
    keyword: string,
    message: string,
    isCause?: (value: unknown) => boolean,
    below = "",
  ) {
    super(message);
    this.isCause = isCause;
    this.below = below;
    this.pointer = pointer;
    this.keyword = keyword;
  }
}

/** The error for a value whose fault shows while its request is sent. */
export class RefusedMidway extends RefusedValue {
  override readonly outcome = "unknown";
}

/** The values that a call puts into its request, as far as they were copied. */
interface GivenValues {
  readonly params?: unknown;
  /** Fields of the caller that the tool uses. */
  readonly caller?: unknown;
}

/**
 * Makes the error of a value that can't be sent, with a pointer to the parameter or the caller's
 * field if only one can be the cause.
 */
export function refusedParameter(
  tool: string,
  refused: RefusedValue,
  given: GivenValues = {},
  attempts = 0,
): ToolError {
  const { keyword, message, outcome } = refused;
  const found = pointerOf(refused, given);
  const isOfCaller = found.startsWith(callerRoot);
  const [subject, pointer] = isOfCaller
    ? (["caller", found.slice(callerRoot.length)] as const)
    : (["parameters", found] as const);
  const place = pointer === "" ? "" : `${shownPlace(pointer)} `;
  return new ToolError(
    tool,
    { code: "SCHEMA.VALIDATION_FAILED", subject, problems: [{ pointer, keyword, message }] },
    `${isOfCaller ? "fields of the caller for" : "parameters of"} \`${tool}\` can't be sent: ${place}${message}`,
    { attempts, outcome },
  );
}

function pointerOf(
  { below, isCause, pointer }: RefusedValue,
  { caller = {}, params }: GivenValues,
): string {
  if (pointer !== "" || isCause === undefined) return pointer;
  const places = [...placesIn(params, "", isCause), ...placesIn(caller, callerRoot, isCause)];
  const [only, ...others] = places;
  return only === undefined || others.length > 0 ? "" : only + below;
}

/** Returns the pointers of at most two values in JSON for which the test is true. */
function placesIn(
  root: unknown,
  start: string,
  test: (value: unknown) => boolean,
): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, pointer: string): void => {
    if (found.length > 1) return;
    if (test(value)) found.push(pointer);
    else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) visit(each, pointer + pointerStep(name));
    }
  };
  visit(root, start);
  return found;
}

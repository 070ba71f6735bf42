import { ToolError } from "../errors.js";
import { pointerStep } from "../json/pointer.js";
import { shownPlace } from "../validation/validation.js";

/** What a pointer begins with that leads to a field of the caller: `caller/tenant`. */
export const callerRoot = "caller";

/**
 * A value that fits its schema but can't be put where the binding puts it. The call path turns
 * it into a `ToolError`.
 */
export class RefusedValue extends Error {
  override readonly name = "RefusedValue";
  /**
   * JSON pointer to the parameter, or `caller/tenant` for what the caller gives; empty when several
   * make up the value.
   */
  readonly pointer: string;
  /** The rule, as a schema keyword would be named: `path-segment`. */
  readonly keyword: string;
  /**
   * Where the pointer isn't known: whether a value among the parameters, or within one, or of the
   * caller, is what can't be put there.
   */
  readonly isCause: ((value: unknown) => boolean) | undefined;
  /** JSON pointer from that value to what of it can't be put there. */
  readonly below: string;

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

/** The values that a call puts into its request, as far as there are copies of them. */
interface GivenValues {
  readonly params?: unknown;
  /** The fields of the caller that the tool takes. */
  readonly caller?: unknown;
}

/**
 * The error of a value that can't be sent, with the pointer of the parameter, or of the caller's
 * field, where only one can be meant.
 */
export function refusedParameter(
  tool: string,
  refused: RefusedValue,
  given: GivenValues = {},
  attempts = 0,
): ToolError {
  const { keyword, message } = refused;
  const found = pointerOf(refused, given);
  const isOfCaller = found.startsWith(callerRoot);
  const [subject, pointer] = isOfCaller
    ? (["caller", found.slice(callerRoot.length)] as const)
    : (["parameters", found] as const);
  const place = pointer === "" ? "" : `${shownPlace(pointer)} `;
  return new ToolError(
    tool,
    { code: "SCHEMA.VALIDATION_FAILED", subject, problems: [{ pointer, keyword, message }] },
    `${isOfCaller ? "what the caller gives to" : "parameters of"} \`${tool}\` can't be sent: ${place}${message}`,
    { attempts },
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

/** The pointers of values below `root`, which is JSON, that the test is true of: two at most. */
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

import { type SchemaProblem, ToolError } from "../errors.js";
import { pointerStep } from "../json/pointer.js";
import { shownPlace } from "../validation/validation.js";

/**
 * A parameter that fits its schema but can't be put where the binding puts it. The call path turns
 * it into a `ToolError`.
 */
export class RefusedValue extends Error {
  override readonly name = "RefusedValue";
  /** JSON pointer to the parameter; empty when several make up the value. */
  readonly pointer: string;
  /** The rule, as a schema keyword would be named: `path-segment`. */
  readonly keyword: string;
  /**
   * Where the pointer isn't known: whether a value among the parameters, or within one, is what
   * can't be put there.
   */
  readonly isCause: ((value: unknown) => boolean) | undefined;

  constructor(
    pointer: string,
    keyword: string,
    message: string,
    isCause?: (value: unknown) => boolean,
  ) {
    super(message);
    this.isCause = isCause;
    this.pointer = pointer;
    this.keyword = keyword;
  }
}

/**
 * The error of a value that can't be sent, with the pointer of the parameter where only one can be
 * meant.
 *
 * @param params the call's, where there is a copy of them
 */
export function refusedParameter(
  tool: string,
  refused: RefusedValue,
  params?: unknown,
  attempts = 0,
): ToolError {
  const problem = problemOf(refused, params);
  const place = problem.pointer === "" ? "" : `${shownPlace(problem.pointer)} `;
  return new ToolError(
    tool,
    { code: "SCHEMA.VALIDATION_FAILED", subject: "parameters", problems: [problem] },
    `parameters of \`${tool}\` can't be sent: ${place}${problem.message}`,
    { attempts },
  );
}

function problemOf(
  { isCause, keyword, message, pointer }: RefusedValue,
  params: unknown,
): SchemaProblem {
  if (pointer !== "" || isCause === undefined) return { pointer, keyword, message };
  return { pointer: onlyPlace(params, isCause) ?? "", keyword, message };
}

/**
 * The pointer of the one value below `root`, which is JSON, that the test is true of; undefined
 * when there are none or several.
 */
function onlyPlace(root: unknown, test: (value: unknown) => boolean): string | undefined {
  const found: string[] = [];
  const visit = (value: unknown, pointer: string): void => {
    if (found.length > 1) return;
    if (test(value)) found.push(pointer);
    else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) visit(each, pointer + pointerStep(name));
    }
  };
  visit(root, "");
  const [place, ...others] = found;
  return others.length === 0 ? place : undefined;
}

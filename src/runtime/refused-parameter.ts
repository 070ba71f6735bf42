import { type SchemaProblem, ToolError } from "./errors.js";
import { onlyPlace } from "./find-parameter.js";
import type { RefusedValue } from "./refused-value.js";
import { shownPlace } from "./validation.js";

/**
 * The error of a value that can't be sent, with the pointer of the parameter where only one can be meant.
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

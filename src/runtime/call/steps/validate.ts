import { problemsOf, tellProblems } from "../../validation/validation.js";
import { callError } from "../call-error.js";
import type { Call } from "../call.js";
import { requireCaller } from "../require-caller.js";
import { withDefaults } from "../defaults.js";
import { unsafeIntegers } from "../unsafe-integers.js";

/** Validates the parameters and the caller's fields that the binding uses, and adds defaults. */
export function validate(call: Call): undefined {
  const { params, tool } = call;
  const misfits = problemsOf(tool.params, params);
  const problems =
    misfits.length === 0 && call.hasLargeInteger ? unsafeIntegers(tool.params, params) : misfits;
  if (problems.length > 0) {
    throw callError(
      call,
      { code: "SCHEMA.VALIDATION_FAILED", subject: "parameters", problems },
      `parameters of \`${call.toolId}\` don't fit their schema: ${tellProblems(problems)}`,
    );
  }
  call.areParamsFit = true;
  if (tool.caller !== undefined) requireCaller(call);
  // The generated `Arguments` is the type of this schema with defaults.
  call.args = tool.defaults ? withDefaults(params, tool.defaults) : params;
}

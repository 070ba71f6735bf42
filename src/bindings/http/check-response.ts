import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { checkReturns } from "./check-returns.js";
import { followPath } from "./follow-path.js";
import type { HttpConfig } from "./model.js";

/** Response paths against the schemas of the bodies, and `returns` against what a path finds. */
export function checkResponse(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { response, dataPath } = config;
  if (response !== undefined) {
    const data = followPath(response, dataPath);
    if (data.kind === "fault") report.add(data.fault);
    else if (tool.returns)
      checkReturns({ ...config, response, returns: tool.returns, data }, report);
  }
  checkErrorPath(config, report);
}

/** Where the body of a success stands in for that of an error, the way out is to say what errors look like. */
function checkErrorPath({ response, errorResponse, errorPath }: HttpConfig, report: Report): void {
  const schema = errorResponse ?? response;
  const error = schema && followPath(schema, errorPath);
  if (error?.kind !== "fault") return;
  const otherwise = errorResponse
    ? {}
    : { help: "describe the bodies of errors in `error_schema`" };
  report.add({ ...error.fault, ...otherwise });
}

import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import { lookUp } from "../../../schema/look-up.js";
import { typeWords } from "../../type-words.js";
import { checkReturns } from "./check-returns.js";
import { followPath } from "./follow-path.js";
import type { HttpConfig, PathModel } from "../model.js";

/** Response paths against the schemas of the bodies, and `returns` against what a path finds. */
export function checkResponse(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { response, dataPath } = config;
  if (response !== undefined) {
    const data = followPath(response, dataPath);
    if (data.kind === "fault") report.add(data.fault);
    else if (tool.returns)
      checkReturns({ ...config, response, returns: tool.returns, data }, report);
  } else if (dataPath?.singular === false && tool.returns) {
    checkListPath(dataPath, tool.returns, report);
  }
  checkErrorPath(config, report);
}

/** A query that may find several values gives a list of them, whatever the body is. */
function checkListPath(path: PathModel, returns: SchemaModel, report: Report): void {
  const { types } = lookUp(returns, [], "stated");
  if (types.length === 0 || types.includes("array")) return;
  report.add({
    code: "http/returns-mismatch",
    span: path.span,
    message: `\`${shown(path.text)}\` gives a list of what it finds, and \`returns\` asks for ${typeWords(types)}`,
    help: "let `returns` be an array, or let `path` lead to one value, as with `[0]` in place of `[*]`",
    related: [{ span: returns.span, message: "`returns`" }],
  });
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

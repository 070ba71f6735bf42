import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { checkCoverage } from "../coverage.js";
import { checkRequest } from "./check-request.js";
import { checkResponse } from "./check-response.js";
import type { HttpConfig } from "./model.js";

/** The rules of HTTP bindings that need the whole tool: what its parameters are, what it returns, what it leaves unused. */
export function checkHttp(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { references } = tool.binding;
  const sendsRest = config.body.kind === "rest";
  checkCoverage(tool, { kind: "http", references, whole: config.whole, sendsRest }, report);
  checkRequest(tool, config, report);
  checkResponse(tool, config, report);
}

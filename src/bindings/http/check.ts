import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { checkCoverage } from "../coverage.js";
import { betweenBracesIn } from "../unused-parameters.js";
import { checkClearText } from "./check/check-clear-text.js";
import { checkEffect } from "./check/check-effect.js";
import { checkEmptySuccess } from "./check/check-empty-success.js";
import { checkRequest } from "./check/request.js";
import { checkResponse } from "./check/response.js";
import type { HttpConfig } from "./model.js";
import { templatesIn } from "./templates-in.js";

/** The rules of HTTP bindings that need the whole tool: what its parameters are, what it returns, what it leaves unused. */
export function checkHttp(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { references } = tool.binding;
  const coverage = {
    kind: "http",
    references,
    whole: config.whole,
    sendsRest: config.body.kind === "rest",
    betweenBraces: namesBetweenBraces(config),
  };
  checkCoverage(tool, coverage, report);
  checkEffect(tool, config, report);
  checkRequest(tool, config, report);
  checkResponse(tool, config, report);
  checkEmptySuccess(tool, config, report);
  checkClearText(tool, config, report);
}

/** In every template, and in the URL, whose literal text is kept as it is sent. */
function namesBetweenBraces(config: HttpConfig): readonly string[] {
  const { path, literalQuery } = config.url;
  const texts = path.flatMap((piece) => (piece.kind === "text" ? [piece.text] : piece.fixed));
  const inUrl = [...texts, literalQuery.text].flatMap((text) =>
    [...text.matchAll(/%7B([\w.-]+)%7D/g)].flatMap(([, name]) => name ?? []),
  );
  return [...inUrl, ...templatesIn(config).flatMap(({ parts }) => betweenBracesIn(parts))];
}

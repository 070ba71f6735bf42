import type { JsonSchema } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { statusNameProblem } from "../../../kit/status-names.js";
import { compare } from "../../../schema/compare/compare.js";
import { spanOfType } from "../../../schema/schema-spans.js";
import { type CommandConfig, statusesOf } from "./model.js";

/** Checks exit codes, and the form of the data against `returns`. */
export function checkAnswer(tool: ToolModel, config: CommandConfig, report: Report): void {
  checkExitCodes(config, report);
  checkReturns(tool, config, report);
}

function checkExitCodes(config: CommandConfig, report: Report): void {
  const { failed, succeeded } = statusesOf(config);
  for (const { code, span, status } of config.exitCodes) {
    const problem = statusNameProblem(status);
    if (Number.isNaN(code) || code > 255)
      report.add({
        code: "command/bad-exit-code",
        span,
        message: "this is not an exit code: a process ends with a number from 0 to 255",
        help: "write the code that the program's manual names; a process that a signal ends has no code",
      });
    else if (problem !== undefined) report.add({ code: "command/bad-exit-code", span, ...problem });
    else if (
      code !== 0 &&
      status !== "success" &&
      succeeded.includes(status) &&
      failed.includes(status)
    )
      report.add({
        code: "command/bad-exit-code",
        span,
        message: `${quote(status)} is the status of code 0, which carries data, and of code ${code}, which carries an error`,
        help: "choose another name, or `success` if the output is data",
      });
  }
}

/** Schema of the data that standard output makes; undefined if only `returns` can tell. */
export function outputSchema({ output }: Pick<CommandConfig, "output">): JsonSchema | undefined {
  switch (output) {
    case "json":
      return undefined;
    case "text":
      return { type: "string" };
    case "lines":
      return { type: "array", items: { type: "string" } };
    case "none":
      return { type: "null" };
  }
}

function checkReturns({ returns }: ToolModel, config: CommandConfig, report: Report): void {
  const given = outputSchema(config);
  if (given === undefined) {
    if (returns !== undefined) return;
    report.add({
      code: "command/json-without-returns",
      span: config.outputSpan,
      message: "the output is JSON, but nothing declares its form",
      help: "write its JSON Schema under `returns`, beside `binding`; or `output: text`",
    });
    return;
  }
  if (returns === undefined) return;
  const { schema } = returns;
  const all = compare({ schema: given, root: given }, { schema, root: schema });
  // A program's output may be narrower than its form, which only its author knows.
  const first = all.find(({ fits }) => fits === "no");
  if (first === undefined) return;
  const what = { json: "", text: "text", lines: "a list of lines", none: "null" }[config.output];
  report.add({
    code: "command/returns-mismatch",
    span: spanOfType({ model: returns, pointer: "" }),
    message: `the data is ${what}, but \`returns\` ${first.wanted}`,
    help: "write `output: json` if the program prints JSON; without `returns`, the tool has the type of its output",
  });
}

/*
 * The rules of commands. `check-program.ts` judges what starts, with the tables of
 * `known-programs.ts`; `check-arguments.ts` judges the values that it gets; `check-answer.ts` judges
 * exit codes and output. This file judges where the process runs.
 */
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { callerRoot } from "../../../kit/caller-root.js";
import { checkCoverage } from "../../../kit/coverage.js";
import { betweenBracesIn } from "../../../kit/unused-parameters.js";
import type { CheckContext } from "../../../kit/values/check-value.js";
import { checkAnswer } from "./check-answer.js";
import { checkArguments } from "./check-arguments.js";
import { checkImage } from "./check-image.js";
import { checkProgram } from "./check-program.js";
import { type CommandConfig, templatesOfArguments } from "./model.js";

/** Checks the rules of commands that need the whole tool. */
export function checkCommand(tool: ToolModel, config: CommandConfig, report: Report): void {
  const place: CheckContext = { kind: "command", json: "`stdin: json`", tool, report };
  checkCoverage(
    tool,
    {
      kind: "command",
      references: tool.binding.references,
      roots: [callerRoot],
      whole: config.whole,
      sendsRest: config.stdin === "rest",
      betweenBraces: templatesOfArguments(config).flatMap(({ parts }) => betweenBracesIn(parts)),
    },
    report,
  );
  checkProgram(config, report);
  checkArguments(place, config);
  checkAnswer(tool, config, report);
  checkExecutor(config, report);
  checkAllowedPaths(config, report);
}

function checkExecutor(
  { executor, executorSpan, image, settings, span }: CommandConfig,
  report: Report,
) {
  if (image !== undefined) checkImage(image, report);
  const at = executorSpan ?? span;
  if (executor === "host")
    report.add({
      code: "command/unsandboxed",
      span: at,
      message:
        "nothing confines this process: it can read, change and send whatever the application can",
      help: "write `executor: sandbox`; or accept it with a reason: `accept: { command/unsandboxed: … }`",
    });
  if (executor === "docker" && image === undefined && settings?.image === undefined)
    report.add({
      code: "command/no-image",
      span: at,
      message: "the executor `docker` has no image",
      help: "write `docker: { image: … }` in the binding, or `commands: { docker: { image: … } }` in skillc.yaml",
    });
}

function checkAllowedPaths(
  { paths, read, span, temporary, write }: CommandConfig,
  report: Report,
): void {
  const [first] = paths;
  if (first === undefined || read.length + write.length > 0 || temporary !== undefined) return;
  report.add({
    code: "command/no-allowed-paths",
    span,
    message: `${quote(first)} is a path, but the tool has no folder in which it may be`,
    help: "write `allowed_paths: { read: [./workspace] }`, and `write` for folders that the command changes",
  });
}

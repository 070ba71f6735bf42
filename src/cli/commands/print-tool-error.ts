import type { ToolError } from "@skillc/runtime";
import type { CommandContext } from "../command-context.js";
import { printFailure } from "../console/print-failure.js";
import { printJson } from "../console/print-json.js";
import { visible } from "../console/visible.js";

/** Says why a call has no answer, and what to do about it; as JSON on stdout, everything that the error has. */
export function printToolError(
  { io, err }: CommandContext,
  error: ToolError,
  asJson: boolean,
): void {
  const { code, message, tool, attempts, failure, outcome } = error;
  if (asJson) {
    printJson(io.stdout, { error: { ...failure, code, message, tool, attempts, outcome } });
    return;
  }
  if (failure.code !== "SCHEMA.VALIDATION_FAILED") {
    printFailure(io.stderr, err, `${code}: ${message}`, helpFor(error));
    if (failure.code === "UNKNOWN.INTERNAL" && error.cause instanceof Error)
      io.stderr.write(`  ${err.dim(visible(String(error.cause)))}\n`);
    return;
  }
  const { problems, subject } = failure;
  const fits = subject === "parameters" ? "don't fit their" : "doesn't fit its";
  printFailure(io.stderr, err, `${code}: ${subject} of \`${tool}\` ${fits} schema`);
  for (const { pointer, message: problem } of problems) {
    const place = pointer === "" ? "(the whole)" : visible(pointer);
    io.stderr.write(`  ${err.cyan(place)} ${visible(problem)}\n`);
  }
}

function helpFor({ attempts, failure, outcome }: ToolError): string | undefined {
  if (outcome === "unknown")
    return "the write may have been carried out: look before you repeat it; `skillc ledger list --status unknown` has it";
  if (failure.code === "POLICY.DENY_TOOL") {
    const handlers = failure.missing.some(({ kind }) => kind === "handlers");
    return handlers ? "`--handlers FILE` names a module that exports `handlers`" : undefined;
  }
  if (failure.code === "CREDENTIAL.MISSING")
    return "`skillc check --env` looks at the settings of every tool, and for names that are nearly these";
  if (failure.code === "PROVIDER.UNAVAILABLE")
    return "is the service running? `skillc check --env` looks at the settings of every tool";
  return failure.code === "PROVIDER.PROTOCOL" && attempts === 0
    ? "set it in the environment or in .env; `skillc check --env` looks at the settings of every tool"
    : undefined;
}

import type { ToolError, ToolFailure } from "@skillc/runtime";
import type { CommandContext } from "../command-context.js";
import { type Palette, withCodeSpans } from "../console/palette.js";
import { printFailure } from "../console/print-failure.js";
import { printJson } from "../console/print-json.js";
import { visible } from "../console/visible.js";
import { wrap } from "../console/wrap.js";
import { fieldsOf, type ToolErrorEntry } from "../tool-errors.js";

/**
 * Prints the reason why a call failed, and a help. With `--json`, prints all fields of the error on
 * stdout.
 */
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
    if (failure.code === "ROLLBACK.REFUSED")
      for (const { path, what } of failure.differences ?? [])
        io.stderr.write(`  ${err.cyan(visible(path))} ${visible(what)}\n`);
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
    return "the write may have happened: check before you repeat it; `skillc ledger list --status unknown` lists it";
  if (failure.code === "POLICY.DENY_TOOL") {
    const handlers = failure.missing.some(({ kind }) => kind === "handlers");
    return handlers ? "`--handlers FILE` names a module that exports `handlers`" : undefined;
  }
  if (failure.code === "PLAN.CHANGED")
    return "`--was` names the folder or git revision that the run began with: the run then goes on, unless a change is major";
  if (failure.code === "ROLLBACK.REFUSED") return rollbackHelp(failure);
  if (failure.code === "AUTH.APPROVAL_REQUIRED") return approvalHelp(failure);
  if (failure.code === "CREDENTIAL.MISSING")
    return "`skillc check --env` checks the settings of every tool, and finds similar names";
  if (failure.code === "PROVIDER.UNAVAILABLE" && failure.exit === undefined)
    return "is the service running? `skillc check --env` checks the settings of every tool";
  return failure.code === "PROVIDER.PROTOCOL" && attempts === 0
    ? "set it in the environment or in .env; `skillc check --env` checks the settings of every tool"
    : undefined;
}

function rollbackHelp({
  by,
  call,
  reason,
}: Extract<ToolFailure, { readonly code: "ROLLBACK.REFUSED" }>): string | undefined {
  switch (reason) {
    case "unknown-call":
      return 'a call of a tenant needs a caller of this tenant: `--caller \'{"tenant": "acme", "subject": "ada"}\'`';
    case "conflict":
    case "changed-ledger":
      return "find out what has changed; `--force REASON` undoes the call all the same";
    case "changed-tool":
      return "find out what has changed; `--force REASON` undoes the call all the same, if its tool still names the same way back";
    case "unknown-outcome":
      return `find out whether it was made, and record that: \`skillc ledger settle ${by ?? call} --as done --because REASON\`${by === undefined ? "" : "; `--force REASON` makes the call of the other tool again, even if it was made"}`;
    case "rolled-back":
      return by === undefined ? undefined : `\`skillc rollback ${by}\` undoes the rollback`;
    default:
      return undefined;
  }
}

type ApprovalFailure = Extract<ToolFailure, { readonly code: "AUTH.APPROVAL_REQUIRED" }>;

function approvalHelp({ keyMissing, reason, request }: ApprovalFailure): string {
  const { id, subject, trial } = request;
  if (subject === undefined)
    return 'name the caller, because nobody can approve the call of an unknown subject: `--caller \'{"subject": "ada"}\'`';
  if (reason === "denied") return `\`skillc approvals show ${id}\` shows who denied it`;
  if (reason === "stale")
    return "if another machine keeps the effects, make the call there; otherwise call again, and somebody approves the new effects";
  if (keyMissing === true)
    return "the tool masks parameters, so a later command finds the approval only if skillc.yaml names a key: `key: ${NAME}`, with 32 random bytes in base64; or wait for the approval: `--wait`";
  if (trial !== undefined)
    return `somebody looks at its effects and approves them, and then you repeat the call: \`skillc approvals show ${id}\``;
  return `somebody approves it, and then you repeat the call: \`skillc approvals approve ${id} --as SUBJECT\``;
}

/** Renders the output of `skillc explain PROVIDER.TIMEOUT`. */
export function renderToolError(
  code: string,
  entry: ToolErrorEntry,
  palette: Palette,
  width: number,
): readonly string[] {
  const paragraph = (text: string, indent = "") =>
    wrap(text, width - indent.length).map((line) => indent + withCodeSpans(line, palette));
  const fields = fieldsOf(entry).flatMap(([name, about]) =>
    typeof about === "string"
      ? paragraph(`\`${name}\`: ${about}`, "  ")
      : [`  ${palette.cyan(name)}`, ...words(about).flatMap((each) => paragraph(each, "    "))],
  );
  return [
    `${palette.red(code)}${palette.bold(`: ${entry.title}`)}`,
    ...entry.explanation.split("\n\n").flatMap((each) => ["", ...paragraph(each)]),
    "",
    palette.bold("Fields of `failure`"),
    ...fields,
    "",
    palette.bold("What to do"),
    ...paragraph(`Retry: ${entry.retry}`, "  "),
    ...paragraph(`Report to the model: ${entry.model}`, "  "),
    ...paragraph(`Alert an operator: ${entry.operator}`, "  "),
  ];
}

function words(about: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(about).map(([word, meaning]) => `\`${word}\`: ${meaning}`);
}

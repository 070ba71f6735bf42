import { fieldsOf, type ToolErrorEntry } from "../tool-errors.js";

type ToolErrorEntries = Readonly<Record<string, ToolErrorEntry>>;

/** Renders docs/runtime/errors.md: how a caller handles errors of calls, with one row for each code. */
export function renderToolErrors(errors: ToolErrorEntries): string {
  return [
    "# Handle errors of calls",
    "",
    "A generated tool returns every answer, and throws a `ToolError` if there is no usable answer. Statuses such as `not_found` and `error` are answers, so handle them by `status`.",
    "",
    "```ts",
    'import { isToolError } from "@skillc/runtime";',
    'import { createOrder, type CreateOrderParams } from "./generated/order-desk/index.js";',
    "",
    "export async function place(order: CreateOrderParams, findOut: () => Promise<void>) {",
    "  try {",
    "    return await createOrder(order);",
    "  } catch (error) {",
    '    if (isToolError(error, "PROVIDER.TIMEOUT")) console.warn(error.failure.timeoutMs);',
    '    if (isToolError(error) && error.outcome === "unknown") await findOut();',
    "    else if (isToolError(error)) console.error(error.code, error.tool, error.attempts);",
    "    throw error;",
    "  }",
    "}",
    "```",
    "",
    "`error.failure` has fields that depend on `error.code`. `isToolError(error, code)` narrows its type. `error.message` contains no credential and no value of a parameter, so you may log it.",
    "",
    "## Find out whether a write happened",
    "",
    "`error.outcome` says for every code what is known about the change that the call would have made:",
    "",
    "- `not-done`: the change was certainly not made. Nothing was sent, or the service or the database rejected it or rolled it back, or the tool is a read. " +
      "You may make the call again.",
    "- `unknown`: the change may have been made. The request (or the COMMIT of a SQL write) was sent and no usable answer came back, or a handler threw. " +
      "Find out whether it happened before you make the call again.",
    "",
    "If a call had several attempts, one attempt that may have made the change is enough for `unknown`.",
    "",
    "The ledger lists calls with an unknown outcome, including calls whose process died: `skillc ledger list --status unknown`, " +
      '`queryLedger({ status: "unknown" })`. [`skillc ledger settle`](../ledger/settle.md) records your finding.',
    "",
    "## What to do about each code",
    "",
    "The column for the model shows what [`resultForModel`](model-loop.md#report-the-result-resultformodel) reports. " +
      "Each code links to its fields on [the reference page](error-reference.md). `npx skillc explain CODE` prints the same.",
    "",
    ...generated([
      "| code | what happened | retry? | report to the model | alert an operator? |",
      "| --- | --- | --- | --- | --- |",
      ...Object.entries(errors).map(([code, entry]) => summaryRow(code, entry)),
      "",
    ]),
  ].join("\n");
}

/** Renders docs/runtime/error-reference.md: every code that a call can throw, with its fields. */
export function renderToolErrorReference(errors: ToolErrorEntries): string {
  return [
    "# Error codes",
    "",
    "Every code of a `ToolError`, with the fields of `error.failure`. [Handle errors of calls](errors.md) says what to do about each code.",
    "",
    ...generated(Object.entries(errors).flatMap(([code, entry]) => renderEntry(code, entry))),
  ].join("\n");
}

/** Keeps prettier from changing the lines, so that the page stays as rendered here. */
function generated(lines: readonly string[]): readonly string[] {
  return [
    "<!-- Written by `npm run docs` from the source. -->",
    "",
    "<!-- prettier-ignore-start -->",
    "",
    ...lines,
    "<!-- prettier-ignore-end -->",
    "",
  ];
}

/** The anchor that GitHub gives the heading. */
function anchorOf(code: string): string {
  return code.toLowerCase().replace(".", "");
}

function summaryRow(code: string, { title, retry, model, operator }: ToolErrorEntry): string {
  return `| [\`${code}\`](error-reference.md#${anchorOf(code)}) | ${title} | ${retry} | ${model} | ${operator} |`;
}

function renderEntry(code: string, entry: ToolErrorEntry): readonly string[] {
  return [
    `## ${code}`,
    "",
    entry.explanation,
    "",
    "| field of `failure` | meaning |",
    "| --- | --- |",
    ...fieldsOf(entry).flatMap(([name, about]) =>
      typeof about === "string" ? [`| \`${name}\` | ${about} |`] : wordRows(name, about),
    ),
    "",
  ];
}

function wordRows(name: string, words: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(words).map(([word, about]) => `| \`${name}\`: \`${word}\` | ${about} |`);
}

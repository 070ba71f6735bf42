import { fieldsOf, type ToolErrorEntry } from "../tool-errors.js";

type ToolErrorEntries = Readonly<Record<string, ToolErrorEntry>>;

/** Renders docs/runtime/errors.md: how a caller handles errors of calls, with one row for each code. */
export function renderToolErrors(errors: ToolErrorEntries): string {
  return [
    "# Handle errors of calls",
    "",
    "A generated tool returns each answer of its service as an object with a `status`, such as `success`, `not_found` or `error`. " +
      "If there is no usable answer, the tool throws a `ToolError`. This page shows how to handle this error. [Call a tool](call-a-tool.md#handle-the-result) shows how to handle a `status`.",
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
    "`findOut` is a function of your application that finds out if the order was made. `error.code` names the problem. The fields of `error.failure` depend on the code. `isToolError(error, code)` narrows the type of `error.failure`. " +
      "You may log `error.message`: it contains no credential and no value of a parameter.",
    "",
    "## Find out whether a write happened",
    "",
    "A write is a call that changes something, such as `createOrder`. After every error, `error.outcome` says what the runtime knows about the change:",
    "",
    "- `not-done`: the change was certainly not made. You may repeat the call. Either nothing was sent, or the service or the database rejected or undid the change. Reads always have this outcome.",
    "- `unknown`: the change may have been made. Find out whether the change was made before you repeat the call. Either the request (or the COMMIT of a SQL write) was sent and no usable answer arrived, or a handler threw.",
    "",
    "A call can have several attempts. If one of them may have made the change, the outcome is `unknown`.",
    "",
    "The [ledger](../ledger/index.md) lists calls with an unknown outcome, including calls of a process that died:",
    "",
    "```sh",
    "npx skillc ledger list --status unknown",
    "```",
    "",
    "When you have found out what happened, record your finding with [`skillc ledger settle`](../ledger/settle.md).",
    "",
    "## What to do about each code",
    "",
    "- **Report to the model** is the text that [`resultForModel`](model-loop.md#report-the-result-resultformodel) gives to a language model.",
    "- Each code links to its fields in the [reference](error-reference.md). `npx skillc explain CODE` prints the same text.",
    "- Scopes, policies, approvals and budgets belong to [governance](../governance/index.md).",
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
    "This page explains every code of a `ToolError` and the fields of `error.failure`. [Handle errors of calls](errors.md) says what to do about each code. The command line prints one entry:",
    "",
    "```sh",
    "npx skillc explain PROVIDER.TIMEOUT",
    "```",
    "",
    "For every code, [`error.outcome`](errors.md#find-out-whether-a-write-happened) says if a write may have happened. [Skills](../skills/index.md) explains bindings. [Governance](../governance/index.md) explains policies, approvals and budgets.",
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

/** Returns the anchor that GitHub gives the heading. */
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
    ...fieldsOf(entry).flatMap(([name, about]) =>
      typeof about === "string"
        ? [`- \`failure.${name}\`: ${about}`]
        : [`- \`failure.${name}\`:`, ...wordItems(about)],
    ),
    "",
  ];
}

/** Lists the values of a field, below the item of the field. */
function wordItems(words: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(words).map(([word, about]) => `  - \`${word}\`: ${about}`);
}

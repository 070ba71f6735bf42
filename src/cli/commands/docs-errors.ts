import { fieldsOf, type ToolErrorEntry } from "../tool-errors.js";

/** docs/errors.md: every code that a call can throw, its fields, and what a caller does with it. */
export function renderToolErrors(errors: Readonly<Record<string, ToolErrorEntry>>): string {
  const entries = Object.entries(errors);
  return [
    "# Errors of calls",
    "",
    "A generated tool returns whatever is an answer, told apart by `status`: `not_found` and `error` are answers too. Where there is none it throws a `ToolError`:",
    "",
    "```ts",
    'import { isToolError } from "@skillc/runtime";',
    "",
    "try {",
    "  await createOrder(order);",
    "} catch (error) {",
    '  if (isToolError(error, "PROVIDER.TIMEOUT")) log(error.failure.timeoutMs);',
    '  else if (isToolError(error) && error.outcome === "unknown") await lookWhetherItHappened(order);',
    "  else if (isToolError(error)) log(error.code, error.tool, error.attempts, error.message);",
    "  else throw error;",
    "}",
    "```",
    "",
    "`error.message` holds no credential and no value of a parameter: it can be logged, and given to a model where the table says so, " +
      "which [`resultForModel`](runtime.md#what-a-model-asks-for-dispatchtool-dispatchtooljson) does. " +
      "`skillc explain CODE` prints the same as this page.",
    "",
    "`error.outcome` says what is known of the change that the call would have made, for every code:",
    "",
    "- `not-done`: it was certainly not made. Nothing was sent, or the service or the database refused it or rolled it back, or the tool is a read. It " +
      "can be made again.",
    "- `unknown`: it may have been made: the request, or the COMMIT of a SQL write, had left, and no answer that can be used came back; or a handler threw. " +
      "Look whether it happened before it is made again. The ledger has such a call with the status `unknown`, beside those whose process died: " +
      '`skillc ledger list --status unknown`, `queryLedger({ status: "unknown" })`. `skillc ledger settle` records what you find.',
    "",
    "Of several attempts, one that may have made the change is enough for `unknown`.",
    "",
    "<!-- Written by `npm run docs` from the source. -->",
    "",
    "<!-- prettier-ignore-start -->",
    "",
    "| code | what happened | try again? | tell the model? | page someone? |",
    "| --- | --- | --- | --- | --- |",
    ...entries.map(([code, entry]) => summaryRow(code, entry)),
    "",
    ...entries.flatMap(([code, entry]) => renderEntry(code, entry)),
    "<!-- prettier-ignore-end -->",
    "",
  ].join("\n");
}

/** As GitHub makes them of headings. */
function anchorOf(code: string): string {
  return code.toLowerCase().replace(".", "");
}

function summaryRow(code: string, { title, retry, model, operator }: ToolErrorEntry): string {
  return `| [\`${code}\`](#${anchorOf(code)}) | ${title} | ${retry} | ${model} | ${operator} |`;
}

function renderEntry(code: string, entry: ToolErrorEntry): readonly string[] {
  return [
    `## ${code}`,
    "",
    entry.explanation,
    "",
    "| field of `failure` | |",
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

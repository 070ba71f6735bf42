import { usualIntervalMs, usualPollLimits } from "@skillc/runtime/internal/http";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import { entryOf, type MapNode, type SyntaxNode, valueOf } from "../../../core/syntax-node.js";
import { textNode } from "../../../kit/text-template.js";
import type { PathModel, PollModel } from "../model.js";
import { singlePathOf } from "./statuses.js";

/** A field name (RFC 9110, 5.1). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** The `poll:` mapping. */
export function readPoll(node: SyntaxNode | undefined, report: Report): PollModel | undefined {
  if (node?.kind !== "map") return undefined;
  const at = singlePath(node, "at", report);
  const state = singlePath(node, "state", report);
  const done = statesIn(node, "done");
  const failed = statesIn(node, "failed");
  checkKeys(node, [...done, ...failed], report);
  checkInterval(node, report);
  const location = textNode(valueOf(node, "location"));
  return {
    span: node.span,
    ...(location && { location: location.value }),
    ...(at && { at }),
    ...(state && { state }),
    done: done.map(({ value }) => value),
    failed: failed.map(({ value }) => value),
    ...(done.length > 0 && { doneSpans: done.map(({ span }) => span) }),
    ...(failed.length > 0 && { failedSpans: failed.map(({ span }) => span) }),
    ...numberOf(node, "interval_ms", "intervalMs"),
    ...numberOf(node, "timeout_ms", "timeoutMs"),
    ...numberOf(node, "max_polls", "mostPolls"),
  };
}

interface State {
  readonly value: string;
  readonly span: Span;
}

function statesIn(node: MapNode, key: "done" | "failed"): readonly State[] {
  const list = valueOf(node, key);
  if (list?.kind !== "list") return [];
  return list.items.flatMap((each) =>
    each.kind === "scalar" && each.value !== null
      ? [{ value: String(each.value), span: each.span }]
      : [],
  );
}

function numberOf<Key extends string>(
  node: MapNode,
  name: string,
  key: Key,
): { readonly [K in Key]?: number } {
  const value = valueOf(node, name);
  const isNumber = value?.kind === "scalar" && typeof value.value === "number";
  return (isNumber ? { [key]: value.value } : {}) as { readonly [K in Key]?: number };
}

/** Reports a first poll after the end of the time for all polls. */
function checkInterval(node: MapNode, report: Report): void {
  const { intervalMs = usualIntervalMs } = numberOf(node, "interval_ms", "intervalMs");
  const { timeoutMs = usualPollLimits.timeoutMs } = numberOf(node, "timeout_ms", "timeoutMs");
  const span = (valueOf(node, "interval_ms") ?? valueOf(node, "timeout_ms"))?.span;
  if (span === undefined || intervalMs < timeoutMs) return;
  report.add({
    code: "http/bad-poll",
    span,
    message: `the first poll would be after ${intervalMs} ms, but \`timeout_ms\` ends all polls after ${timeoutMs} ms`,
    help: "choose a smaller `interval_ms`, or a larger `timeout_ms`",
  });
}

function checkKeys(node: MapNode, states: readonly State[], report: Report): void {
  const add = (span: Span, message: string, help: string): void =>
    void report.add({ code: "http/bad-poll", span, message, help });
  const [location, at, state] = ["location", "at", "state"].map((key) => entryOf(node, key));
  const header = textNode(location?.value);
  if (header !== undefined && !headerName.test(header.value))
    add(
      header.span,
      `${quote(header.value)} is not the name of a header`,
      "write the header's name: `Operation-Location`",
    );
  if (location !== undefined && at !== undefined)
    add(
      at.key.span,
      "`location` and `at` both say where the address is",
      "remove one: `at` is a place in the body, `location` is a header",
    );
  if (state !== undefined && entryOf(node, "done") === undefined)
    add(
      state.key.span,
      "`state` needs `done`",
      "list the states in which the body is the result: `done: [succeeded]`",
    );
  for (const key of ["done", "failed"]) {
    const entry = entryOf(node, key);
    if (entry !== undefined && state === undefined)
      add(
        entry.key.span,
        `${quote(key)} needs ${quote("state")}`,
        "name the place of the state in the body: `state: $.status`",
      );
  }
  const seen = new Set<string>();
  for (const { span, value } of states) {
    if (seen.has(value))
      add(
        span,
        `the state ${quote(value)} is listed twice`,
        "list a state under `done` or `failed`; in any other state, skillc asks again",
      );
    seen.add(value);
  }
}

function singlePath(node: MapNode, key: string, report: Report): PathModel | undefined {
  const at = { key, node: valueOf(node, key) };
  return singlePathOf(at, { code: "http/bad-poll", example: "$.status" }, report);
}

import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Declaration } from "./declarations.js";
import type { ProtoFile } from "./proto-file.js";
import { spanOf, type Token } from "./tokens.js";

/** What is left to be read. */
export interface Budget {
  tokens: number;
  names: number;
  extensions: number;
}

/** Of all files together. */
export const most: Budget = { tokens: 100_000, names: 20_000, extensions: 1000 };
/** The library looks at all fields of a message for each one that it adds. */
const mostFields = 1000;

/** Reports what the library would take very long for, or drop without a word. */
export function checkOutline(file: ProtoFile, budget: Budget, report: Report): boolean {
  const { outline, tokens } = file;
  budget.tokens -= tokens.length;
  budget.names -= outline.declared.length;
  budget.extensions -= outline.extensions.length;
  const crowded = crowdedBy(file, budget);
  if (crowded === undefined) return checkNames(file, report);
  const { at, what } = crowded;
  const message = `the schema has more than ${what}`;
  report.add({ code: "schema/too-large", span: spanOf(file.source.path, at), message });
  return false;
}

function crowdedBy(
  { outline }: ProtoFile,
  budget: Budget,
): { readonly at: Token; readonly what: string } | undefined {
  const last = outline.declared.at(-1)?.name;
  if (budget.names < 0 && last !== undefined) return { at: last, what: `${most.names} names` };
  const added = outline.extensions.at(-1);
  if (budget.extensions < 0 && added !== undefined)
    return { at: added, what: `${most.extensions} extensions` };
  const field = mostIn(outline.declared)?.name;
  return field && { at: field, what: `${mostFields} fields in one message` };
}

/** The first that is one too many where it is. */
function mostIn(declared: readonly Declaration[]): Declaration | undefined {
  const counts = new Map<string, number>();
  return declared.find(({ number, parent, type }) => {
    if (number === undefined || type === undefined) return false;
    const count = (counts.get(parent) ?? 0) + 1;
    counts.set(parent, count);
    return count > mostFields;
  });
}

function checkNames(file: ProtoFile, report: Report): boolean {
  const { outline, tokens } = file;
  const lost = tokens.find(({ text }) => !isQuoted(text) && text.split(".").includes("__proto__"));
  if (lost !== undefined) {
    fault(file, lost, `${quote("__proto__")} can't be a name`, report);
    return false;
  }
  if (!/^google\.protobuf(?:\.|$)/.test(outline.package)) return true;
  const at = tokens.find(({ text }) => text === outline.package) ?? tokens[0];
  if (at !== undefined) fault(file, at, "the package `google.protobuf` is Protobuf's own", report);
  return false;
}

function isQuoted(text: string): boolean {
  return text.startsWith('"') || text.startsWith("'");
}

function fault(file: ProtoFile, at: Token, message: string, report: Report): void {
  report.add({ code: "queue/bad-protobuf-schema", span: spanOf(file.source.path, at), message });
}

import {
  statusOf,
  type LedgerStore,
  type QueryFilter,
  queryStore,
} from "@skillc/runtime/internal/ledger";
import { compareText } from "../../core/report.js";
import { printable } from "./console-style.js";

/** More names than this help nobody. */
const mostNamed = 12;

/**
 * Why nothing was found: each name that was asked for and that no call of the ledger has, beside
 * those that calls have. Empty when the names do occur, or when there are no calls at all.
 */
export async function unmatchedNames(
  store: LedgerStore,
  {
    status,
    skill,
    subject,
    tenant,
    tool,
  }: Pick<QueryFilter, "skill" | "status" | "subject" | "tenant" | "tool">,
): Promise<readonly string[]> {
  const known = {
    statuses: new Set<string>(),
    skills: new Set<string>(),
    tools: new Set<string>(),
    tenants: new Set<string>(),
    subjects: new Set<string>(),
  };
  for await (const call of queryStore(store)) {
    known.statuses.add(statusOf(call));
    known.skills.add(call.skill);
    known.tools.add(`${call.skill}/${call.tool}`);
    if (call.caller?.tenant !== undefined) known.tenants.add(call.caller.tenant);
    if (call.caller?.subject !== undefined) known.subjects.add(call.caller.subject);
  }
  if (known.statuses.size === 0) return [];
  const isTool = (id: string): boolean => id === tool || id.endsWith(`/${tool}`);
  return [
    ...(status === undefined || known.statuses.has(status)
      ? []
      : [note(`ended as ${quoted(status)}`, known.statuses)]),
    ...(skill === undefined || known.skills.has(skill)
      ? []
      : [note(`is of the skill ${quoted(skill)}`, known.skills)]),
    ...(tool === undefined || [...known.tools].some(isTool)
      ? []
      : [note(`is of the tool ${quoted(tool)}`, known.tools)]),
    ...(tenant === undefined || known.tenants.has(tenant)
      ? []
      : [note(`was for the tenant ${quoted(tenant)}`, known.tenants)]),
    ...(subject === undefined || known.subjects.has(subject)
      ? []
      : [note(`was made by ${quoted(subject)}`, known.subjects)]),
  ];
}

function note(what: string, known: ReadonlySet<string>): string {
  // Ungoverned calls name nobody.
  if (known.size === 0) return `no call ${what}; the ledger names none`;
  const names = [...known].toSorted(compareText);
  const shown = names.slice(0, mostNamed).map(quoted).join(", ");
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return `no call ${what}; the ledger has ${shown}${more}`;
}

function quoted(name: string): string {
  return `\`${printable(name, 80)}\``;
}

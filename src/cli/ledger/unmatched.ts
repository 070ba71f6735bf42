import {
  statusOf,
  type LedgerCall,
  type LedgerStore,
  type QueryFilter,
  queryStore,
} from "@skillc/runtime/internal/ledger";
import { compareText } from "../../core/report.js";
import { printable } from "./console-style.js";

/** Maximum number of names in a note. */
const maxNamed = 12;

/**
 * Maximum number of newest calls that names are suggested from, because a large ledger takes long
 * to read.
 */
const maxRead = 1000;

type NamedFilter = Pick<QueryFilter, "skill" | "status" | "subject" | "tenant" | "tool">;

/** Filters by name: the word in notes, and the value of a call. */
const facets: Readonly<
  Record<keyof NamedFilter, readonly [called: string, of: (call: LedgerCall) => string | undefined]>
> = {
  status: ["ended as", statusOf],
  skill: ["belongs to the skill", ({ skill }) => skill],
  tool: ["belongs to the tool", ({ skill, tool }) => `${skill}/${tool}`],
  tenant: ["was for the tenant", ({ caller }) => caller?.tenant],
  subject: ["was made by", ({ caller }) => caller?.subject],
};

/**
 * Explains an empty result. Lists each name in the query that no call in the ledger has, with the
 * names of the newest calls. Empty if the names occur, or if there are no calls.
 */
export async function unmatchedNames(
  store: LedgerStore,
  asked: NamedFilter,
): Promise<readonly string[]> {
  const missing: (keyof NamedFilter)[] = [];
  // The keys are those of the object above.
  for (const facet of Object.keys(facets) as (keyof NamedFilter)[]) {
    const name = asked[facet];
    if (name !== undefined && !(await occurs(store, { [facet]: name }))) missing.push(facet);
  }
  if (missing.length === 0) return [];
  const newest: LedgerCall[] = [];
  for await (const call of queryStore(store, { limit: maxRead })) newest.push(call);
  if (newest.length === 0) return [];
  return missing.map((facet) => {
    const [called, of] = facets[facet];
    return note(`${called} ${quoted(asked[facet] ?? "")}`, newest.map(of));
  });
}

async function occurs(store: LedgerStore, filter: NamedFilter): Promise<boolean> {
  for await (const _ of queryStore(store, { ...filter, limit: 1 })) return true;
  return false;
}

function note(what: string, newest: readonly (string | undefined)[]): string {
  const whose = newest.length < maxRead ? "the ledger" : `its newest ${maxRead} calls`;
  const names = [...new Set(newest.flatMap((name) => name ?? []))].toSorted(compareText);
  // Calls without governance have no names.
  if (names.length === 0)
    return `no call ${what}; ${newest.length < maxRead ? "the ledger names" : `${whose} name`} none`;
  const shown = names.slice(0, maxNamed).map(quoted).join(", ");
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return `no call ${what}; ${whose} ${newest.length < maxRead ? "has" : "have"} ${shown}${more}`;
}

function quoted(name: string): string {
  return `\`${printable(name, 80)}\``;
}

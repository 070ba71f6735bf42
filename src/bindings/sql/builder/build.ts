/**
 * Turns a statement into Kysely builder code that is proved to be equivalent, or into one template
 * of the author's own text.
 *
 * - `translate/`: translates PostgreSQL's tree to a chain; begin at `translate/statement.ts`
 * - `chain.ts`: builder code as data; `print.ts`: prints it as TypeScript; `evaluate.ts`: compiles
 *   it to SQL with Kysely
 * - `prove.ts`: proves that the SQL is the author's statement
 * - `place.ts`, `scope.ts`, `relations.ts`: scopes and name lookups of the translation
 * - `nodes.ts`: reads parts of PostgreSQL's tree
 * - `emit-database.ts`: the types of a connection's tables
 * - `selected-row.ts`: the row that TypeScript infers for a chain
 */
import type { Node } from "@pgsql/types";
import { scanSync } from "libpg-query";
import type { Statement } from "../statement/statement.js";
import { walk } from "../statement/tree.js";
import { type Chain, childrenOf, name, type ReferenceCount, unknownType } from "./chain.js";
import { compileChain } from "./evaluate.js";
import { NoWords } from "./nodes.js";
import type { BuildFacts, Names } from "./place.js";
import { nameEverything, whyDifferent } from "./prove.js";
import { inheritedColumn, storedParameters } from "./relations.js";
import { countReferences } from "./scope.js";
import { createTranslator, statementQuery } from "./translate/statement.js";

export type Built =
  | { readonly proved: true; readonly chain: Chain; readonly references: ReferenceCount }
  /** The chain is the author's text as one template; `why` names the obstacle, in lower case. */
  | {
      readonly proved: false;
      readonly chain: Chain;
      readonly why: string;
      readonly references: ReferenceCount;
    };

/**
 * Builds Kysely code for a statement: proved builder code if possible, or else one template of the
 * author's text. Never throws for a statement of `parseStatement`. Call `loadParser()` first.
 */
export function buildStatement(statement: Statement, facts: BuildFacts = {}): Built {
  const translated = translate(statement, facts);
  if (typeof translated !== "string") {
    const references = countReferences(statement.tree, translated);
    return { proved: true, chain: translated, references };
  }
  return templateOf(statement, translated);
}

/**
 * Makes one template of the author's own text.
 *
 * @param why the reason why it is not builder code, in lower case
 */
export function templateOf(statement: Statement, why: string): Extract<Built, { proved: false }> {
  const chain = authorTemplate(statement);
  return { proved: false, chain, why, references: countReferences(statement.tree, chain) };
}

/** Translates and proves a statement. Returns the chain, or the reason why there is none. */
function translate(statement: Statement, facts: BuildFacts): Chain | string {
  const parameters = statement.placeholders.map((placeholder) => placeholder.name);
  try {
    const inherited = inheritedColumn(statement.tree, facts);
    if (inherited !== undefined) throw new NoWords(`a table with a column \`${inherited}\``);
    const tree = nameEverything(statement.tree);
    const { chain } = statementQuery(tree, {
      names: namesAt(tree, parameters, facts),
      seesOuter: false,
      depth: 0,
      say: createTranslator(),
    });
    if (isDeeper(chain, MAX_DEPTH)) throw new NoWords("such deep nesting");
    return whyDifferent(statement.tree, parameters, compileChain(chain)) ?? chain;
  } catch (error) {
    if (error instanceof NoWords) return `Kysely can't express ${error.message}`;
    if (error instanceof Error) return `Kysely rejects it: ${error.message}`;
    throw error;
  }
}

/** Maximal nesting of chains. Every call nests the call before it. */
const MAX_DEPTH = 500;

function isDeeper(chain: Chain, depth: number): boolean {
  let level: readonly Chain[] = [chain];
  for (let at = 0; at < depth && level.length > 0; at++) level = level.flatMap(childrenOf);
  return level.length > 0;
}

function namesAt(tree: Node, parameters: readonly string[], facts: BuildFacts): Names {
  return {
    facts,
    qualified: qualifiedTables(tree),
    parameters,
    stored: storedParameters(tree, facts),
    ctes: new Map(),
    dbKnows: new Set(),
    startKnows: new Set(),
    start: name("db"),
  };
}

function qualifiedTables(tree: Node): ReadonlySet<string> {
  const tables = new Set<string>();
  walk(tree, (node) => {
    if (!("ColumnRef" in node)) return;
    const names = (node.ColumnRef.fields ?? []).map((each) =>
      "String" in each ? (each.String.sval ?? "") : "*",
    );
    if (names.length === 3) tables.add(names.slice(0, 2).join("."));
  });
  return tables;
}

/** Makes one template of the author's text, with a hole for each parameter. */
function authorTemplate({ sql, placeholders }: Statement): Chain {
  const bytes = Buffer.from(sql);
  const strings: string[] = [];
  const values: Chain[] = [];
  let end = 0;
  for (const token of scanSync(sql).tokens) {
    const number = /^\$(\d+)$/.exec(token.text)?.[1];
    const placeholder = number === undefined ? undefined : placeholders[Number(number) - 1];
    if (token.tokenName !== "PARAM" || placeholder === undefined) continue;
    strings.push(bytes.toString("utf8", end, token.start));
    values.push({ kind: "parameter", name: placeholder.name });
    end = token.end;
  }
  return {
    kind: "template",
    type: unknownType,
    strings: [...strings, bytes.toString("utf8", end)],
    values,
  };
}

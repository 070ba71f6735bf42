/**
 * Describes a statement with PostgreSQL: its parameters, its columns, its effect, and its code.
 *
 * - `input.ts`: the input of a description
 * - `sent.ts`: lets PostgreSQL describe the statement as it is sent, and finds the result columns
 * - `parameters.ts`: finds where parameters go and how they affect conditions
 * - `listed-values.ts`: finds values of a schema that PostgreSQL rejects
 * - `sql-error.ts`: explains PostgreSQL's errors in the author's words
 * - `name-help.ts`, `type-help.ts`: suggest names and types; `scope.ts`: finds the tables around a
 *   position
 * - `write-reason.ts`: explains why the statement is a write
 */
import type { Span } from "../../../core/span.js";
import { type JsonType, lookUp } from "../../../schema/look-up.js";
import { type StatedFacts, statedFacts } from "../../../schema/stated-facts.js";
import { marksSession } from "../analysis/effect/effect-reason.js";
import { effectOf } from "../analysis/effect/effect.js";
import { touchedBy } from "../analysis/touched.js";
import { buildStatement, type Built, templateOf } from "../builder/build.js";
import { compileChain } from "../builder/evaluate.js";
import type { KnownDatabase } from "../database/open-database.js";
import { namedPath } from "../database/pg-catalog.js";
import {
  type SentParameter,
  type StatementModel,
  type ValueSource,
  within,
  type WriteReason,
} from "../model.js";
import { placeOfSource, sourceOf } from "../sources.js";
import { readPlaces } from "../statement/places.js";
import { type Statement, trimmedRange } from "../statement/statement.js";
import type { StatementInput } from "./input.js";
import { invalidListedValues } from "./listed-values.js";
import {
  argumentTypes,
  findFilled,
  findLeftOut,
  findNeverTrue,
  findSuspicious,
  findUses,
  findUnrestrictedWrites,
  findWrittenNulls,
} from "./parameters.js";
import { type DescribedStatement, describeSent, resultColumns, selectedColumns } from "./sent.js";
import { placeOfWrite, writeReason } from "./write-reason.js";

/** Describes a statement. If PostgreSQL rejects it, reports the error and returns undefined. */
export async function describeStatement(
  statement: Statement,
  input: StatementInput & { readonly database: KnownDatabase },
): Promise<StatementModel | undefined> {
  const { config, database, tool } = input;
  const { snapshot } = database;
  const built = build(statement, { ...input, database });
  const described = await describeSent(statement, compileChain(built.chain), database, input);
  if (described === undefined) return undefined;
  const places = readPlaces(statement);
  const spanOf = (byte: number | undefined): Span =>
    within(config, byte === undefined ? trimmedRange(config.query.value) : places.ofByte(byte));
  const listed = new Set(database.settings.functions);
  const { reasons } = effectOf(statement.tree, snapshot, { listed });
  const where = { statement, config, snapshot, spanOf };
  const columns = resultColumns(statement, described, tool, config, snapshot, spanOf);
  return {
    ...chainOf(built),
    parameters: await parametersOf(described, input),
    uses: findUses(where),
    leftOut: findLeftOut(where),
    writtenNulls: findWrittenNulls(where),
    filled: built.proved ? findFilled(built.chain, where) : [],
    ...findSuspicious(where),
    neverTrue: findNeverTrue(where, (parameter) => mayBeNull(input, parameter)),
    unrestrictedWrites: findUnrestrictedWrites(
      where,
      (parameter) => mayBeNull(input, parameter),
      (parameter) => mayBeEmpty(input, parameter),
    ),
    columns,
    selected: selectedColumns(built.chain, columns, snapshot),
    writes: reasons.map((each): WriteReason => {
      const at = placeOfWrite(each, places, config.query.value);
      const { remedy } = each;
      return {
        what: writeReason(each),
        span: within(config, at),
        ...(remedy !== undefined && { remedy }),
      };
    }),
    marksSession: marksSession(reasons),
    searchPath: namedPath(snapshot.searchPath),
    touched: touchedBy(statement.tree, snapshot),
  };
}

function build(
  statement: Statement,
  input: StatementInput & { readonly database: KnownDatabase },
): Built {
  const { config, database, form, tool } = input;
  if (form === "plain") return templateOf(statement, "TypeScript rejects the code for it");
  return buildStatement(statement, {
    snapshot: database.snapshot,
    argumentType: argumentTypes(tool, config),
    mayBeNull: (placeholder) => mayBeNull(input, sourceOf(placeholder, config)),
  });
}

function chainOf(built: Built): Pick<StatementModel, "chain" | "notTranslated" | "references"> {
  const { chain, references } = built;
  return built.proved ? { chain, references } : { chain, references, notTranslated: built.why };
}

async function parametersOf(
  { parameters, written }: DescribedStatement,
  { config, database, tool }: StatementInput & { readonly database: KnownDatabase },
): Promise<readonly SentParameter[]> {
  const sent = parameters.map(async ({ oid, placeholder, type }) => {
    const own = written.filter((each) => each.placeholder === placeholder);
    const first = own.find((each) => each.type.name === type.name) ?? own[0];
    const parameter = sourceOf(placeholder, config);
    return {
      placeholder,
      parameter,
      type,
      refused: await invalidListedValues(tool, parameter, { oid, type }, database),
      span: first === undefined ? config.query.span : within(config, first.at),
    };
  });
  return Promise.all(sent);
}

/**
 * True if a call may leave a parameter without a value. Returns false for a parameter that the tool
 * doesn't have, which is reported elsewhere.
 */
function mayBeNull({ tool }: StatementInput, parameter: ValueSource): boolean {
  const { model, path } = placeOfSource(tool, parameter);
  const { presence, types } = lookUp(model, path);
  return presence === "sometimes" || (presence === "always" && types.includes("null"));
}

/** True if a call may give an empty list, object or text. */
function mayBeEmpty({ tool }: StatementInput, parameter: ValueSource): boolean {
  const { model, path } = placeOfSource(tool, parameter);
  const facts = statedFacts(model, path);
  if (facts.values !== undefined) return facts.values.includes("");
  return facts.types.some((type) => isEmptyOne(type, facts));
}

function isEmptyOne(
  type: JsonType,
  { format, minItems = 0, minLength = 0, minProperties = 0, pattern }: StatedFacts,
): boolean {
  if (type === "array") return minItems === 0;
  if (type === "object") return minProperties === 0;
  // No checked format accepts an empty text, except references to the document itself.
  if (type !== "string" || minLength > 0 || format !== undefined) return false;
  return pattern === undefined || new RegExp(pattern, "u").test("");
}

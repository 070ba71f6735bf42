/**
 * What PostgreSQL makes of a statement: its parameters, its columns, its effect, and its code.
 *
 * - `sent.ts`: what PostgreSQL says of the statement as it is sent, and the columns that callers
 *   see
 * - `parameters.ts`: where parameters go, and what the conditions do with them; `listed-values.ts`:
 *   values of a schema that PostgreSQL doesn't read
 * - `sql-error.ts`: why PostgreSQL refuses a statement, in the author's words; `name-help.ts` and
 *   `type-help.ts`: what was meant, by the names and types that `scope.ts` finds around a place
 * - `write-reason.ts`: why it is a write, in words
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

/** What PostgreSQL makes of a statement; undefined, and reported, when it refuses it. */
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
  if (form === "plain") return templateOf(statement, "TypeScript does not take the code for it");
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
 * Whether a call can leave a parameter without a value. One that the tool doesn't have is reported
 * by its name.
 */
function mayBeNull({ tool }: StatementInput, parameter: ValueSource): boolean {
  const { model, path } = placeOfSource(tool, parameter);
  const { presence, types } = lookUp(model, path);
  return presence === "sometimes" || (presence === "always" && types.includes("null"));
}

/** Whether a call may give a list, an object or a text with nothing in it. */
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
  // No format that is checked takes an empty text, but for references to the document itself.
  if (type !== "string" || minLength > 0 || format !== undefined) return false;
  return pattern === undefined || new RegExp(pattern, "u").test("");
}

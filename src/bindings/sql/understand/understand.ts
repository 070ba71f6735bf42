import type { Span } from "../../../core/span.js";
import { lookUp } from "../../../schema/look-up.js";
import { effectOf } from "../analysis/effect/effect.js";
import { touchedBy } from "../analysis/touched.js";
import type { StatementInput } from "./statement-input.js";
import { argumentTypes } from "./argument-types.js";
import { buildStatement, type Built } from "../builder/build.js";
import { compileChain } from "../builder/evaluate.js";
import { describeSent, type DescribedStatement } from "./describe.js";
import type { SentParameter, SqlConfig, StatementModel, WriteReason } from "../model.js";
import type { KnownDatabase } from "../database/open-database.js";
import { findNeverTrue, findUses } from "./parameter-uses.js";
import { resultColumns } from "./result-columns.js";
import { within } from "../spans.js";
import { wholeOf } from "../statement/fault.js";
import { readPlaces } from "../statement/places.js";
import type { Statement } from "../statement/statement.js";
import { placeOfWrite, writeReason } from "./write-reason.js";

/** What PostgreSQL makes of a statement; undefined, and reported, when it refuses it. */
export async function understand(
  statement: Statement,
  input: StatementInput & { readonly database: KnownDatabase },
): Promise<StatementModel | undefined> {
  const { config, database, tool } = input;
  const { snapshot } = database;
  const argumentType = argumentTypes(tool, config);
  const built = buildStatement(statement, { snapshot, argumentType });
  const described = await describeSent(statement, compileChain(built.chain), database, input);
  if (described === undefined) return undefined;
  const places = readPlaces(statement);
  const spanOf = (byte: number | undefined): Span =>
    within(config, byte === undefined ? wholeOf(config.query.value) : places.ofByte(byte));
  const listed = new Set(database.settings.functions);
  const { reasons } = effectOf(statement.tree, snapshot, { listed });
  const where = { statement, config, snapshot, spanOf };
  return {
    ...chainOf(built),
    parameters: parametersOf(described, config),
    uses: findUses(where),
    neverTrue: findNeverTrue(where, (parameter) => mayBeNull(input, parameter)),
    columns: resultColumns(statement, described, tool, config, snapshot, spanOf),
    writes: reasons.map((each): WriteReason => {
      const at = placeOfWrite(each, places, config.query.value);
      return { what: writeReason(each), span: within(config, at) };
    }),
    touched: touchedBy(statement.tree, snapshot),
  };
}

function chainOf(built: Built): Pick<StatementModel, "chain" | "notTranslated" | "references"> {
  const { chain, references } = built;
  return built.proved ? { chain, references } : { chain, references, notTranslated: built.why };
}

function parametersOf(
  { parameters, written }: DescribedStatement,
  config: SqlConfig,
): readonly SentParameter[] {
  return parameters.map(({ placeholder, type }) => {
    const own = written.filter((each) => each.placeholder === placeholder);
    const first = own.find((each) => each.type.name === type.name) ?? own[0];
    const mapped = config.mapping.find((each) => each.placeholder === placeholder);
    return {
      placeholder,
      parameter: mapped?.parameter ?? placeholder,
      type,
      span: first === undefined ? config.query.span : within(config, first.at),
    };
  });
}

/** Whether a call can leave a parameter without a value. One that the tool doesn't have is reported by its name. */
function mayBeNull({ tool }: StatementInput, parameter: string): boolean {
  const { presence, types } = lookUp(tool.parameters, [parameter]);
  return presence === "sometimes" || (presence === "always" && types.includes("null"));
}

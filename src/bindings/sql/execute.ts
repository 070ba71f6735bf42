import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type {
  AnyResult,
  Attempt,
  Binding,
  JsonValue,
  AttemptOutcome,
  PreparedCall,
} from "../../runtime/executor.js";
import type { Buildable, Format, SqlContract, SqlTables } from "./contract.js";
import { databaseAt } from "./send/databases.js";
import { failureOf, ServerError } from "./send/failures.js";
import { codecOf } from "./send/formats.js";
import { sqlReach, type SqlReach, withoutLogin } from "./send/reach.js";
import {
  type AnswerPlan,
  columnReaders,
  constraintAnswer,
  mostRows,
  readAnswer,
} from "./send/rows.js";
import {
  committed,
  committedOnceRead,
  readOnly,
  type Session,
  type Statement,
} from "./send/session.js";
import { defaultSearchPath } from "./send/settings.js";

export { closeSql, openPglite } from "./send/databases.js";

/**
 * The binding of a SQL tool.
 *
 * @typeParam Row what the statement selects, as far as Kysely's types know it: a database in which
 *   a column is no longer so doesn't pass `tsc`
 * @typeParam Result the tool's result. The contract is data, so nothing ties its rows to this type
 *   but the compiler that wrote both; left out, the binding fits any tool.
 */
export function query<Database, Arguments, Row = unknown, Result extends AnyResult = never>(
  contract: SqlContract<Database, Arguments, Row>,
): Binding<Arguments, Result> {
  const { build, connection, effect, marksSession = false } = contract;
  const { searchPath = defaultSearchPath, tables = {} } = contract;
  const columns = columnReaders(contract);
  const plan: CallPlan = {
    connection,
    effect,
    columns,
    marksSession,
    searchPath,
    tables,
    rows: contract,
  };
  // What is masked stands where the compiler saw an argument; the statement is only written down.
  const compile = (args: unknown) => compileStatement(build, args as Arguments);
  return {
    kind: "sql",
    prepare(args) {
      const call = new SqlCall(plan, compile(args), contract.parameters, compile);
      // See `Result`.
      return call as PreparedCall<AnyResult> as PreparedCall<Result>;
    },
  };
}

interface CallPlan extends AnswerPlan {
  readonly connection: string;
  readonly effect: "read" | "write";
  readonly marksSession: boolean;
  readonly searchPath: readonly string[];
  readonly tables: SqlTables;
}

class SqlCall implements PreparedCall<AnyResult> {
  readonly credentials: readonly string[];
  readonly #plan: CallPlan;
  readonly #compiled: CompiledQuery;
  readonly #compile: (args: unknown) => CompiledQuery;
  readonly #statement: Statement;

  /** @throws RefusedValue when a value can't be a parameter */
  constructor(
    plan: CallPlan,
    compiled: CompiledQuery,
    formats: readonly Format[],
    compile: (args: unknown) => CompiledQuery,
  ) {
    this.credentials = [plan.connection];
    this.#plan = plan;
    this.#compiled = compiled;
    this.#compile = compile;
    const { effect, marksSession, searchPath } = plan;
    const { parameters: values, sql } = compiled;
    const parameters = printAll(values, formats);
    this.#statement = {
      sql,
      parameters,
      mostRows: mostRows(plan, effect),
      marksSession,
      searchPath,
    };
  }

  reach(open?: (name: string) => string): readonly SqlReach[] {
    const { connection, effect, tables } = this.#plan;
    const at = open === undefined ? placeholder(connection) : withoutLogin(open(connection));
    return [sqlReach(at, effect, tables)];
  }

  describe(): JsonValue {
    return recordOf(this.#plan, this.#compiled);
  }

  /** A mask need be no value of the parameter's type. */
  describeMasked(args: unknown): JsonValue {
    return recordOf(this.#plan, this.#compile(args));
  }

  async send(attempt: Attempt): Promise<AttemptOutcome<AnyResult>> {
    const { connection, effect, searchPath } = this.#plan;
    try {
      const database = await databaseAt(attempt.open(connection), attempt.directory, searchPath);
      return { result: await database.run(attempt, (session) => this.#run(session, attempt)) };
    } catch (error) {
      const refusal =
        effect === "write" && error instanceof ServerError ? constraintAnswer(error) : undefined;
      if (refusal !== undefined) return { result: refusal };
      throw failureOf({ attempt, connection: placeholder(connection), effect }, error);
    }
  }

  async #run(session: Session, { timeoutMs }: Attempt): Promise<AnyResult> {
    const plan = this.#plan;
    if (plan.effect === "read")
      return readAnswer(plan, await readOnly(session, this.#statement, timeoutMs));
    if (plan.rows.rows === "none")
      return readAnswer(plan, await committed(session, this.#statement, timeoutMs));
    return committedOnceRead(session, this.#statement, timeoutMs, (reply) =>
      readAnswer(plan, reply),
    );
  }
}

function printAll(
  values: readonly unknown[],
  formats: readonly Format[],
): readonly (string | null)[] {
  if (values.length !== formats.length)
    throw new Error(`${values.length} parameters where ${formats.length} were compiled`);
  return values.map((value, at) => codecOf(formats[at] ?? "text").print(value));
}

/** A `SqlRecord`. */
function recordOf({ connection }: CallPlan, { parameters, sql }: CompiledQuery): JsonValue {
  return {
    connection: placeholder(connection),
    sql,
    // Arguments have passed their validator: they are JSON, or absent.
    parameters: parameters.map((value) => (value ?? null) as JsonValue),
  };
}

function placeholder(name: string): string {
  return `\${${name}}`;
}

/** Kysely that writes statements and sends none. */
const writer = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

function compileStatement<Database, Arguments>(
  build: (db: Kysely<Database>, args: Arguments) => Buildable,
  args: Arguments,
): CompiledQuery {
  // A database's type is there for `tsc` alone; Kysely itself never looks at tables.
  return build(writer as Kysely<Database>, args).compile(writer);
}

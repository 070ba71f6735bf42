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
import { type BoundCaller, boundCaller } from "../../runtime/caller.js";
import type { Buildable, Format, SettingTemplate, SqlContract, SqlTables } from "./contract.js";
import { databaseAt } from "./send/databases.js";
import { ServerError } from "../../runtime/postgres/errors.js";
import { failureOf } from "./send/failures.js";
import { codecOf } from "./send/formats.js";
import { sqlReach, type SqlReach, withoutLogin } from "./send/reach.js";
import {
  type AnswerOptions,
  columnReaders,
  constraintAnswer,
  rowLimit,
  readAnswer,
} from "./send/rows.js";
import {
  committed,
  committedOnceRead,
  readOnly,
  type Session,
  type Setting,
  type Statement,
} from "./send/session.js";
import { defaultSearchPath } from "./send/settings.js";

export { closeSql, openPglite } from "./send/databases.js";

/**
 * Makes the binding of a SQL tool from its contract.
 *
 * @typeParam Row columns of a row that Kysely's types know. If the type of one changes in the
 * database module, `tsc` rejects the tool.
 * @typeParam Result the tool's result. The contract is plain data, so only the compiler ensures
 * that its rows have this type. If left out, the binding fits any tool.
 */
export function query<Database, Arguments, Row = unknown, Result extends AnyResult = never>(
  contract: SqlContract<Database, Arguments, Row>,
): Binding<Arguments, Result> {
  const { build, connection, effect, marksSession = false } = contract;
  const { searchPath = defaultSearchPath, setConfig = [], tables = {} } = contract;
  const columns = columnReaders(contract);
  const options: CallOptions = {
    connection,
    effect,
    columns,
    marksSession,
    searchPath,
    tables,
    rows: contract,
  };
  // For records, masks replace the arguments, so that they may not have the type `Arguments`. The
  // masked statement is never sent.
  const compileFor = (caller: BoundCaller) => (args: unknown) =>
    compileStatement(build, args as Arguments, caller);
  return {
    kind: "sql",
    prepare(args, call) {
      const caller = boundCaller(call);
      const settings = setConfig.map((each) => settingOf(each, caller));
      const prepared = new SqlCall(
        options,
        contract.parameters,
        settings,
        args,
        compileFor(caller),
      );
      // Safe for the reason given at `@typeParam Result`.
      return prepared as PreparedCall<AnyResult> as PreparedCall<Result>;
    },
  };
}

interface CallOptions extends AnswerOptions {
  readonly connection: string;
  readonly effect: "read" | "write";
  readonly marksSession: boolean;
  readonly searchPath: readonly string[];
  readonly tables: SqlTables;
}

class SqlCall implements PreparedCall<AnyResult> {
  readonly credentials: readonly string[];
  readonly #options: CallOptions;
  readonly #compiled: CompiledQuery;
  readonly #compile: (args: unknown) => CompiledQuery;
  readonly #statement: Statement;

  /** @throws RefusedValue if a value can't be sent as a parameter */
  constructor(
    options: CallOptions,
    formats: readonly Format[],
    settings: readonly Setting[],
    args: unknown,
    compile: (args: unknown) => CompiledQuery,
  ) {
    const compiled = compile(args);
    this.credentials = [options.connection];
    this.#options = options;
    this.#compiled = compiled;
    this.#compile = compile;
    const { effect, marksSession, searchPath } = options;
    const { parameters: values, sql } = compiled;
    const parameters = printAll(values, formats);
    this.#statement = {
      sql,
      parameters,
      rowLimit: rowLimit(options, effect),
      marksSession,
      searchPath,
      settings,
    };
  }

  reach(open?: (name: string) => string): readonly SqlReach[] {
    const { connection, effect, tables } = this.#options;
    const at = open === undefined ? placeholder(connection) : withoutLogin(open(connection));
    return [sqlReach(at, effect, tables)];
  }

  describe(): JsonValue {
    return this.#record(this.#compiled);
  }

  /** A mask may not be a value of the parameter's type, so the values are not formatted. */
  describeMasked(args: unknown): JsonValue {
    return this.#record(this.#compile(args));
  }

  /** Makes a `SqlRecord`. */
  #record({ parameters, sql }: CompiledQuery): JsonValue {
    const { settings } = this.#statement;
    return {
      connection: placeholder(this.#options.connection),
      sql,
      // The validator has accepted the arguments, so each is JSON or absent.
      parameters: parameters.map((value) => (value ?? null) as JsonValue),
      ...(settings.length > 0 && { settings: Object.fromEntries(settings) }),
    };
  }

  async send(attempt: Attempt): Promise<AttemptOutcome<AnyResult>> {
    const { connection, effect, searchPath } = this.#options;
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

  async #run(session: Session, { requireTurn, timeoutMs }: Attempt): Promise<AnyResult> {
    const options = this.#options;
    requireTurn?.();
    if (options.effect === "read")
      return readAnswer(options, await readOnly(session, this.#statement, timeoutMs));
    if (options.rows.rows === "none")
      return readAnswer(options, await committed(session, this.#statement, timeoutMs));
    return committedOnceRead(session, this.#statement, timeoutMs, (reply) =>
      readAnswer(options, reply),
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

/** Fills in one setting for this call. */
function settingOf([name, ...parts]: SettingTemplate, caller: BoundCaller): Setting {
  const texts = parts.map((part) => (typeof part === "string" ? part : caller[part.caller]));
  return [name, texts.join("")];
}

function placeholder(name: string): string {
  return `\${${name}}`;
}

/** A Kysely that compiles statements and never sends one. */
const writer = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

function compileStatement<Database, Arguments>(
  build: (db: Kysely<Database>, args: Arguments, caller: BoundCaller) => Buildable,
  args: Arguments,
  caller: BoundCaller,
): CompiledQuery {
  // Kysely uses the database type in `tsc` only, and never reads tables at run time.
  return build(writer as Kysely<Database>, args, caller).compile(writer);
}

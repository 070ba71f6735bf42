import type {
  AnyResult,
  Attempt,
  Binding,
  JsonValue,
  Outcome,
  PreparedCall,
} from "../../runtime/sink.js";
import type { Format, SqlContract } from "./contract.js";
import { type AnswerPlan, mostRows, readAnswer, refusalOf } from "./send/answer.js";
import { compileStatement } from "./send/compile.js";
import { databaseAt } from "./send/databases.js";
import { failureOf } from "./send/failures.js";
import { ServerFault } from "./send/faults.js";
import { travelOf } from "./send/formats.js";
import type { Session, Statement } from "./send/session.js";
import { committed, committedOnceRead, readOnly } from "./send/transaction.js";

export { closeSql, type EmbeddedPostgres, openPglite } from "./send/databases.js";

/**
 * The binding of a SQL tool.
 *
 * @typeParam Result the tool's result. The contract is data, so nothing ties its rows to this type but the compiler that wrote both; left out, the
 *   binding fits any tool.
 */
export function query<Database, Arguments, Result extends AnyResult = never>(
  contract: SqlContract<Database, Arguments>,
): Binding<Arguments, Result> {
  const { connection, effect, columns } = contract;
  const plan: CallPlan = { connection, effect, columns, rows: contract };
  return {
    kind: "sql",
    prepare(args) {
      const { sql, parameters } = compileStatement(contract.build, args);
      const call = new SqlCall(plan, sql, parameters, contract.parameters);
      // See `Result`.
      return call as PreparedCall<AnyResult> as PreparedCall<Result>;
    },
  };
}

interface CallPlan extends AnswerPlan {
  readonly connection: string;
  readonly effect: "read" | "write";
}

class SqlCall implements PreparedCall<AnyResult> {
  readonly credentials: readonly string[];
  readonly #plan: CallPlan;
  readonly #values: readonly unknown[];
  readonly #statement: Statement;

  /** @throws RefusedValue when a value can't be a parameter */
  constructor(plan: CallPlan, sql: string, values: readonly unknown[], formats: readonly Format[]) {
    this.credentials = [plan.connection];
    this.#plan = plan;
    this.#values = values;
    this.#statement = { sql, parameters: printAll(values, formats), mostRows: mostRows(plan) };
  }

  /** A `SqlRecord`. */
  record(): JsonValue {
    return {
      connection: placeholder(this.#plan.connection),
      sql: this.#statement.sql,
      // Arguments have passed their validator: they are JSON, or absent.
      parameters: this.#values.map((value) => (value ?? null) as JsonValue),
    };
  }

  async send(attempt: Attempt): Promise<Outcome<AnyResult>> {
    const { connection, effect } = this.#plan;
    try {
      const database = await databaseAt(attempt.open(connection), attempt.directory);
      return { result: await database.run(attempt, (session) => this.#run(session, attempt)) };
    } catch (error) {
      const refusal =
        effect === "write" && error instanceof ServerFault ? refusalOf(error) : undefined;
      if (refusal !== undefined) return { result: refusal };
      throw failureOf(attempt, placeholder(connection), error);
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
  return values.map((value, at) => travelOf(formats[at] ?? "text").print(value));
}

function placeholder(name: string): string {
  return `\${${name}}`;
}

import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";
import type { Chain } from "./chain.js";

/** The result of compiling a chain with Kysely. */
export interface CompiledChain {
  readonly sql: string;
  /** The placeholder behind each `$n`, in order; undefined for a bound constant. */
  readonly parameters: readonly (string | undefined)[];
}

/**
 * Runs a chain with Kysely and a driver that sends nothing.
 *
 * @throws Error if Kysely rejects it
 */
export function compileChain(chain: Chain): CompiledChain {
  const query = run(chain, new Map<string, unknown>([["db", database]]));
  const compiled: unknown = callMethod(query, "compile", [database]);
  // The result of `compile` of every Kysely query.
  const { sql, parameters } = compiled as { sql: string; parameters: readonly unknown[] };
  return { sql, parameters: parameters.map(placeholderOf) };
}

const database = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Stands for a parameter's value. Kysely binds it like any other value. */
class PlaceholderValue {
  constructor(readonly placeholder: string) {}
}

function placeholderOf(value: unknown): string | undefined {
  return value instanceof PlaceholderValue ? value.placeholder : undefined;
}

type Variables = ReadonlyMap<string, unknown>;

function run(chain: Chain, variables: Variables): unknown {
  switch (chain.kind) {
    case "name":
      return valueOfName(chain.name, variables);
    case "call":
      return callMethod(run(chain.on, variables), chain.method, runAll(chain.arguments, variables));
    case "apply":
      return applyFunction(run(chain.on, variables), runAll(chain.arguments, variables));
    case "member":
      return Reflect.get(Object(run(chain.on, variables)), chain.name);
    case "literal":
      return chain.value;
    case "list":
      return runAll(chain.items, variables);
    case "record":
      return Object.fromEntries(chain.entries.map(([key, each]) => [key, run(each, variables)]));
    case "lambda":
      return (...given: readonly unknown[]) =>
        run(chain.body, withVariables(variables, chain.parameters, given));
    case "parameter":
      return new PlaceholderValue(chain.name);
    case "template":
      return sql(fragments(chain.strings), ...runAll(chain.values, variables));
  }
}

function runAll(chains: readonly Chain[], variables: Variables): readonly unknown[] {
  return chains.map((each) => run(each, variables));
}

function valueOfName(name: string, variables: Variables): unknown {
  if (variables.has(name)) return variables.get(name);
  if (name === "sql") return sql;
  throw new Error(`${name} is not in scope`);
}

function withVariables(
  variables: Variables,
  names: readonly string[],
  given: readonly unknown[],
): Variables {
  return new Map([...variables, ...names.map((name, index) => [name, given[index]] as const)]);
}

function fragments(strings: readonly string[]): TemplateStringsArray {
  return Object.assign([...strings], { raw: strings });
}

function callMethod(on: unknown, method: string, given: readonly unknown[]): unknown {
  const found: unknown = Reflect.get(Object(on), method);
  if (typeof found !== "function") throw new Error(`Kysely has no ${method} there`);
  return Reflect.apply(found, on, given);
}

function applyFunction(on: unknown, given: readonly unknown[]): unknown {
  if (typeof on !== "function") throw new Error("Kysely has no function there");
  return Reflect.apply(on, undefined, given);
}

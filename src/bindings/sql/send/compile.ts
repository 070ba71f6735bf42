import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { Buildable } from "../contract.js";

/** Kysely that writes statements and sends none. */
const writer = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

export function compileStatement<Database, Arguments>(
  build: (db: Kysely<Database>, args: Arguments) => Buildable,
  args: Arguments,
): CompiledQuery {
  // A database's type is there for `tsc` alone; Kysely itself never looks at tables.
  return build(writer as Kysely<Database>, args).compile(writer);
}

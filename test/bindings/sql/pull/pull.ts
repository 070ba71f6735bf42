import { expect } from "vitest";
import type { PulledSchema, PullInput } from "../../../../src/kit/kind-engine.js";
import type { SqlConfig } from "../../../../src/bindings/sql/model.js";
import { pullSchemas } from "../../../../src/bindings/sql/pull/pull-schemas.js";
import { type SqlSettings, sqlSettings } from "../../../../src/bindings/sql/settings.js";
import { ignored, parseConfig } from "../../../../src/compiler/config/parse-config.js";

/** Pulls the schema of the database behind a URL. Fails if there is a diagnostic. */
export async function pull(
  url: string,
  more: Partial<Pick<PullInput<SqlConfig, SqlSettings>, "read" | "tools">> = {},
): Promise<PulledSchema> {
  const text = "databases: { DB: { snapshot: db/DB.sql } }\n";
  const config = parseConfig({ path: "skillc.yaml", text }, ignored);
  const [schema] = await pullSchemas({
    settings: sqlSettings.read(config.settings["databases"], ignored),
    names: [],
    progress() {},
    report: { ...ignored, add: (diagnostic) => expect(diagnostic).toBeUndefined() },
    setting: () => Promise.resolve(url),
    read: () => Promise.resolve(undefined),
    tools: [],
    ...more,
  });
  if (schema === undefined) throw new Error("nothing was pulled");
  return schema;
}

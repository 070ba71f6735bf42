import { readFileSync } from "node:fs";
import { type BindingKind, defineBinding } from "skillc/binding";
import { graphqlDiagnostics } from "./diagnostics.js";
import { checkGraphql } from "./check.js";
import { commentsIn } from "./comments.js";
import { endpointText } from "./endpoint.js";
import { emitGraphql } from "./emit.js";
import type { GraphqlConfig } from "./model.js";
import { resolveGraphql } from "./resolve.js";
import { graphqlOtherWords, graphqlSchema } from "./schema.js";

/**
 * The kind `type: graphql`: a query or mutation with variables from the parameters. skillc.yaml
 * names this module.
 */
export const binding: BindingKind<GraphqlConfig> = defineBinding<GraphqlConfig>({
  type: "graphql",
  title: "GraphQL API over HTTP",
  schema: graphqlSchema,
  otherWords: graphqlOtherWords,
  modes: ["active", "shadow"],
  needsHandler: false,
  diagnostics: graphqlDiagnostics,
  runtime: {
    module: "./binding/runtime.js",
    values: ["credential", "graphql", "pick", "text"],
    types: ["GraphqlFault", "GraphqlRecord"],
  },
  template: {
    name: "binding/graphql.hbs",
    text: readFileSync(new URL("./graphql.hbs", import.meta.url), "utf8"),
  },
  lineComments: { query: (text) => Promise.resolve(commentsIn(text)) },
  resolve: resolveGraphql,
  check: checkGraphql,
  capabilities: ({ endpoint }, credentials) => [
    { capability: `net.http:post ${endpointText(endpoint)}`, credentials },
  ],
  shared: {
    addresses: ({ endpoint: { parts } }) =>
      parts.flatMap((part) =>
        part.kind === "credential" ? [{ ...part, of: "a GraphQL API" }] : [],
      ),
  },
  schemas: () => ({}),
  emit: emitGraphql,
});

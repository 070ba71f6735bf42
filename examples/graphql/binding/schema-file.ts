import { assertValidSchema, buildClientSchema, type GraphQLSchema } from "graphql";
import { type ResolveInput, shown, textNode, valueOf } from "skillc/binding";

/**
 * The server's schema, from the file that `schema:` names; undefined, and reported, when it can't
 * be had.
 */
export function readSchemaFile({
  node,
  readFile,
  report,
}: ResolveInput): GraphQLSchema | undefined {
  const path = textNode(valueOf(node, "schema"));
  const file = path && readFile(path.value, path);
  if (path === undefined || file === undefined) return undefined;
  try {
    const result: unknown = JSON.parse(file.text);
    const schema = buildClientSchema(introspectionIn(result));
    assertValidSchema(schema);
    return schema;
  } catch (error) {
    report.add({
      code: "graphql/bad-schema",
      span: path.span,
      message: `the file is no introspection result: ${shown(error instanceof Error ? error.message : "")}`,
      help: "save what the server answers to the introspection query",
    });
    return undefined;
  }
}

/** Servers answer with `data` around it; tools often leave that out. */
function introspectionIn(result: unknown): Parameters<typeof buildClientSchema>[0] {
  const inner =
    typeof result === "object" && result !== null && "data" in result ? result.data : result;
  // The library looks at all of it, and throws for anything else.
  return inner as Parameters<typeof buildClientSchema>[0];
}

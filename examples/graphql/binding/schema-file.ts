import { assertValidSchema, buildClientSchema, type GraphQLSchema } from "graphql";
import { type ResolveInput, shown, textNode, valueOf } from "skillc/binding";

/**
 * Reads the server's schema from the file that `schema:` names. Undefined if there is none, or
 * after a report.
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

/** Servers wrap the result in `data`; tools often don't. */
function introspectionIn(result: unknown): Parameters<typeof buildClientSchema>[0] {
  const inner =
    typeof result === "object" && result !== null && "data" in result ? result.data : result;
  // The library checks the whole value, and throws if it is anything else.
  return inner as Parameters<typeof buildClientSchema>[0];
}

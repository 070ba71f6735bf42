import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  Kind,
  type TypeNode,
} from "graphql";
import type { JsonType } from "skillc/binding";
import type { VariableType } from "./model.js";

const scalars: ReadonlyMap<string, readonly JsonType[]> = new Map([
  ["String", ["string"]],
  ["ID", ["string", "integer"]],
  ["Int", ["integer"]],
  ["Float", ["number", "integer"]],
  ["Boolean", ["boolean"]],
]);

/** Returns the type of a variable. Enums and input objects need the schema. */
export function typeOf(node: TypeNode, schema: GraphQLSchema | undefined): VariableType {
  if (node.kind === Kind.NON_NULL_TYPE) return { ...typeOf(node.type, schema), nonNull: true };
  if (node.kind === Kind.LIST_TYPE) return { nonNull: false, items: typeOf(node.type, schema) };
  const json = scalars.get(node.name.value) ?? jsonOf(schema?.getType(node.name.value));
  return { nonNull: false, ...(json && { json }) };
}

function jsonOf(type: GraphQLNamedType | undefined): readonly JsonType[] | undefined {
  if (isEnumType(type)) return ["string"];
  return isInputObjectType(type) ? ["object"] : undefined;
}

import {
  type DocumentNode,
  GraphQLError,
  GraphQLSchema,
  KnownFragmentNamesRule,
  Kind,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  type OperationDefinitionNode,
  parse,
  print,
  specifiedRules,
  UniqueArgumentNamesRule,
  UniqueFragmentNamesRule,
  UniqueInputFieldNamesRule,
  UniqueVariableNamesRule,
  validate,
} from "graphql";
import { type Report, shown, spanWithin, type TextNode } from "skillc/binding";
import { placeOf, describeError } from "./library-error.js";
import type { VariableModel } from "./model.js";
import { typeOf } from "./variable-type.js";

/** The only operation of a document. */
export interface Operation {
  readonly kind: "query" | "mutation";
  readonly variables: readonly Omit<VariableModel, "value">[];
}

/**
 * Limit against documents that nest deeply enough to exhaust the stack. No person writes so many.
 */
const maxTokens = 2000;

/** Validation rules that need no schema. */
const rulesOfForm = [
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  UniqueArgumentNamesRule,
  UniqueFragmentNamesRule,
  UniqueInputFieldNamesRule,
  UniqueVariableNamesRule,
];

/**
 * Parses the document and reports the errors that the `graphql` package finds. Undefined if the
 * document has no usable operation.
 */
export function readDocument(
  node: TextNode,
  schema: GraphQLSchema | undefined,
  report: Report,
): Operation | undefined {
  const document = parseDocument(node, report);
  const operation = document && theOperation(document, node, report);
  if (document === undefined || operation === undefined) return undefined;
  const errors =
    schema === undefined
      ? validate(new GraphQLSchema({ assumeValid: true }), document, rulesOfForm)
      : validate(schema, document, specifiedRules);
  for (const error of errors) {
    const [start, end] = placeOf(error);
    report.add({
      code: "graphql/invalid-query",
      span: spanWithin(node, start, end),
      ...describeError(error),
    });
  }
  const variables = (operation.definition.variableDefinitions ?? []).map((each) => ({
    name: each.variable.name.value,
    declaration: shown(`${print(each.variable)}: ${print(each.type)}`),
    span: spanWithin(node, each.variable.loc?.start ?? 0, each.variable.loc?.end ?? 0),
    type: typeOf(each.type, schema),
    hasDefault: each.defaultValue !== undefined,
  }));
  return { kind: operation.kind, variables };
}

function parseDocument(node: TextNode, report: Report): DocumentNode | undefined {
  try {
    return parse(node.value, { maxTokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const start = Math.min(error.positions?.[0] ?? 0, Math.max(node.value.length - 1, 0));
    report.add({
      code: "graphql/syntax",
      span: spanWithin(node, start, start + 1),
      ...describeError(error),
    });
    return undefined;
  }
}

interface SupportedOperation {
  readonly definition: OperationDefinitionNode;
  readonly kind: Operation["kind"];
}

function theOperation(
  document: DocumentNode,
  node: TextNode,
  report: Report,
): SupportedOperation | undefined {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const [definition, another] = operations;
  if (definition === undefined || another !== undefined) {
    const start = another?.loc?.start ?? 0;
    report.add({
      code: "graphql/one-operation",
      span: another ? spanWithin(node, start, start + another.operation.length) : node.span,
      message: `the document has ${operations.length} operations, and a tool is one`,
      help: another ? "make a tool of each" : "write a query or a mutation",
    });
    return undefined;
  }
  if (definition.operation !== "subscription") return { definition, kind: definition.operation };
  const start = definition.loc?.start ?? 0;
  report.add({
    code: "graphql/subscription",
    span: spanWithin(node, start, start + definition.operation.length),
    message: "a subscription goes on, and a call of a tool has one answer",
    help: "write a query that asks for the present state",
  });
  return undefined;
}

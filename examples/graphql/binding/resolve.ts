import {
  credentialsIn,
  didYouMean,
  type MapEntry,
  parametersIn,
  parseTemplate,
  propertyNames,
  type ResolvedBinding,
  type ResolveInput,
  shown,
  type SyntaxNode,
  type TextTemplate,
  textNode,
  valueOf,
} from "skillc/binding";
import { type Operation, readDocument } from "./document.js";
import { originOf } from "./endpoint.js";
import { readHeaders } from "./headers.js";
import {
  graphqlTemplates,
  type GraphqlConfig,
  type ValueModel,
  type VariableModel,
} from "./model.js";
import { readSchemaFile } from "./schema-file.js";
import { readValue } from "./values.js";

/**
 * Resolves the `binding:` of a GraphQL tool. It reads every part, even after a mistake in another
 * part.
 */
export function resolveGraphql(input: ResolveInput): ResolvedBinding<GraphqlConfig> | undefined {
  const { node, report } = input;
  const endpointNode = textNode(valueOf(node, "endpoint"));
  const endpoint = endpointNode && parseTemplate(endpointNode, graphqlTemplates, report);
  const origin = endpoint && originOf(endpoint, report);
  const headers = readHeaders(valueOf(node, "headers"), report);
  const query = textNode(valueOf(node, "query"));
  const operation = query && readDocument(query, readSchemaFile(input), report);
  if (!query || !operation || !endpoint || origin === undefined) return undefined;
  const variables = readVariables(operation, input);
  const templates = [endpoint, ...[...variables, ...headers].flatMap(templateOf)];
  const parts = templates.flatMap((each) => each.parts);
  return {
    config: {
      endpoint,
      query: { text: query.value, span: query.span },
      variables,
      headers,
      whole: templates.every((each) => each.whole),
    },
    effect: operation.kind === "query" ? "read" : "write",
    idempotent: operation.kind === "query",
    credentials: credentialsIn(parts),
    references: parametersIn(parts),
  };
}

function templateOf({ value }: { readonly value?: ValueModel }): readonly TextTemplate[] {
  return value?.kind === "template" ? [value.template] : [];
}

/**
 * Returns each declared variable with its value: from `variables`, or the parameter of the same
 * name.
 */
function readVariables(
  { variables }: Operation,
  { node, parameters, report }: ResolveInput,
): readonly VariableModel[] {
  const given = entriesOf(valueOf(node, "variables"));
  const names = variables.map((each) => each.name);
  for (const { key } of given.filter((each) => !names.includes(each.key.value))) {
    report.add({
      code: "graphql/unknown-variable",
      span: key.span,
      message: `the operation declares no variable \`$${shown(key.value)}\``,
      help: didYouMean(key.value, names) ?? "remove it, or declare it in the operation's head",
    });
  }
  const parameterNames = propertyNames(parameters, []);
  return variables.map((variable) => {
    const { name, span } = variable;
    const entry = given.find(({ key }) => key.value === name);
    if (entry !== undefined) return { ...variable, value: readValue(entry.value, report) };
    if (!parameterNames.includes(name)) return variable;
    const part = { kind: "parameter", path: [name], start: 0, end: 0, span } as const;
    return {
      ...variable,
      value: { kind: "template", template: { span, parts: [part], whole: true } },
    };
  });
}

function entriesOf(node: SyntaxNode | undefined): readonly MapEntry[] {
  return node?.kind === "map" ? node.entries : [];
}

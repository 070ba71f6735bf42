import {
  accessCode,
  at,
  type BindingEmission,
  type Code,
  code,
  type EmitInput,
  imported,
  join,
  literal,
  literalText,
  loneParameter,
  objectKey,
  type ParameterPart,
  type TextPart,
  type TextTemplate,
} from "skillc/binding";
import type { GraphqlConfig, ValueModel } from "./model.js";

type Input = EmitInput<GraphqlConfig>;

/** Returns the view of `graphql.hbs` and the types of the tool's results. */
export function emitGraphql(input: Input): BindingEmission {
  const { config, runtime, argumentsType } = input;
  const headers = config.headers.map(({ name, span, value }) => ({
    name: at(span, literal(name)),
    value: valueCode(input, value),
  }));
  const variables = config.variables.flatMap(({ name, span, value }) =>
    value === undefined
      ? []
      : [{ name: at(span, objectKey(name)), value: valueCode(input, value) }],
  );
  return {
    view: {
      graphql: runtime("graphql"),
      argumentsType,
      endpoint: textCode(input, config.endpoint),
      query: at(config.query.span, literal(config.query.text)),
      usesParameters: input.binding.references.length > 0,
      hasHeaders: headers.length > 0,
      headers,
      hasVariables: variables.length > 0,
      variables,
    },
    dataType: code`unknown`,
    answerType: (data) => answerTypeOf(input, data),
    recordType: input.runtime("GraphqlRecord"),
  };
}

function answerTypeOf({ runtime }: Input, data: Code): Code {
  const result = imported("@skillc/runtime", "ToolResult", true);
  return code`${result}<${data}, "graphql_error", "success", ${runtime("GraphqlFault")}>`;
}

/** A literal, the parameter itself if the value is nothing else, or otherwise `text(…)`. */
function valueCode(input: Input, value: ValueModel): Code {
  if (value.kind === "literal") return at(value.span, literal(value.value));
  const fixed = literalText(value.template);
  if (fixed !== undefined) return at(value.template.span, literal(fixed));
  const alone = loneParameter(value.template);
  return alone === undefined ? textCode(input, value.template) : parameterCode(input, alone);
}

function textCode(input: Input, { span, parts }: TextTemplate): Code {
  const codes = parts.map((part) => at(part.span, partCode(input, part)));
  return at(span, code`${input.runtime("text")}(${join(codes, code`, `)})`);
}

function partCode(input: Input, part: TextPart): Code {
  if (part.kind === "literal") return literal(part.text);
  if (part.kind === "parameter") return parameterCode(input, part);
  return code`${input.runtime("credential")}(${literal(part.name)})`;
}

/** Code that reads a parameter: `p.customer?.id`. */
function parameterCode({ tool, runtime }: Input, { path, span }: ParameterPart): Code {
  const from = { schema: tool.parameters, form: "filled" } as const;
  return at(
    span,
    accessCode(code`p`, from, path, () => runtime("pick")),
  );
}

import {
  factsOf,
  type JsonType,
  literalText,
  lookUp,
  loneParameter,
  type Report,
  shown,
  type Span,
  type TextTemplate,
  type ToolModel,
  typeWords,
} from "skillc/binding";
import type { ValueModel, VariableModel, VariableType } from "./model.js";

/** Facts about the value of a variable that are known before any call. */
interface Given {
  readonly label: string;
  readonly span: Span;
  readonly isOptional: boolean;
  /** Types of the value, or of the items `depth` lists below it. */
  readonly typesAt: (depth: number) => readonly JsonType[];
}

/** Reports a value that may be missing, or that has a type the server does not accept. */
export function checkValue(
  tool: ToolModel,
  variable: VariableModel,
  value: ValueModel,
  report: Report,
): void {
  const given = givenBy(tool, value);
  if (given === undefined) return;
  const { declaration, type, hasDefault } = variable;
  const { label, span, isOptional, typesAt } = given;
  const isNullable = typesAt(0).includes("null");
  if (type.nonNull && (isNullable || (isOptional && !hasDefault))) {
    report.add({
      code: "graphql/optional-variable",
      span,
      message: `${label} ${isNullable ? "may be null" : "is optional"}, and \`${declaration}\` needs a value`,
      help: "make it required, give it a `default`, or drop the `!`",
    });
  }
  const fault = mismatch(type, given, 0);
  if (fault === undefined) return;
  report.add({
    code: "graphql/wrong-type",
    span,
    message: `${fault}, which \`${declaration}\` does not take`,
    help: "make the two types agree",
  });
}

function givenBy(tool: ToolModel, value: ValueModel): Given | undefined {
  if (value.kind === "literal") {
    const label = `\`${String(value.value)}\``;
    return { label, span: value.span, isOptional: false, typesAt: () => [typeOf(value.value)] };
  }
  const { template } = value;
  const part = loneParameter(template);
  if (part === undefined) return givenByText(template);
  const facts = factsOf(tool, part);
  if (facts === undefined) return undefined;
  return {
    label: `\`${shown(part.path.join("."))}\``,
    span: part.span,
    isOptional: facts.presence !== "always",
    typesAt: (depth) => lookUp(tool.parameters, [...part.path, ...zeros(depth)]).types,
  };
}

function givenByText(template: TextTemplate): Given {
  const fixed = literalText(template);
  const label = fixed === undefined ? "this value" : `\`${shown(fixed)}\``;
  return { label, span: template.span, isOptional: false, typesAt: () => ["string"] };
}

/**
 * Returns `items of \`tags\` may be a number` if the variable's type does not accept the value.
 * GraphQL accepts a single item for a list.
 */
function mismatch(type: VariableType, given: Given, depth: number): string | undefined {
  const taken = typesTaken(type);
  if (taken === undefined) return undefined;
  const types = given.typesAt(depth);
  const mayBeNull = depth === 0 || !type.nonNull;
  const odd = types.filter((each) => (each === "null" ? !mayBeNull : !taken.includes(each)));
  if (odd.length > 0) return `${"items of ".repeat(depth)}${given.label} may be ${typeWords(odd)}`;
  return type.items && types.includes("array") ? mismatch(type.items, given, depth + 1) : undefined;
}

/** JSON types that a variable accepts; undefined if only the server knows them. */
function typesTaken(type: VariableType): readonly JsonType[] | undefined {
  if (type.items === undefined) return type.json;
  const single = typesTaken(type.items);
  return single?.includes("array") === false ? [...single, "array"] : single;
}

function typeOf(value: string | number | boolean | null): JsonType {
  if (value === null) return "null";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

function zeros(count: number): readonly number[] {
  return Array.from({ length: count }, () => 0);
}

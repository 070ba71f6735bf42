import { at, type Code, code, join, literal, objectKey } from "../../core/code.js";
import { getOwn } from "../../core/json.js";
import type { SchemaModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import {
  isValuePart,
  type LiteralPart,
  literalText,
  loneValue,
  type RootPart,
  type TextPart,
  type TextTemplate,
  type ValuePart,
} from "../text-template.js";
import { below } from "../../schema/pointer.js";
import { accessCode, type Reachable, type Steps } from "./access.js";
import type { ScalarModel, ValueNode } from "./model.js";
import { typeToState } from "./scalar-type.js";

/** Names that expressions of a request may use. */
export interface RequestScope {
  readonly parameters: SchemaModel;
  readonly runtime: (name: string) => Code;
  /** Expression of the parameters; `p` by default. */
  readonly arguments?: Code;
  /** For kinds with roots: the expression and schema of each root, by name. */
  readonly roots?: Readonly<Record<string, RootValue>>;
}

interface RootValue {
  readonly code: Code;
  readonly schema: SchemaModel;
}

/** Code of a parameter or its field: `p.customer?.id`. */
export function parameterCode(scope: RequestScope, path: readonly string[], span: Span): Code {
  const from = { schema: scope.parameters, form: "filled" } as const;
  return placeCode(scope, { code: scope.arguments ?? code`p`, from }, path, span);
}

/** Code that reads the value of a reference in a text. */
export function valuePartCode(scope: RequestScope, part: ValuePart): Code {
  return part.kind === "root" ? rootCode(scope, part) : parameterCode(scope, part.path, part.span);
}

/** JSON pointer for errors, to a parameter or into a root: `caller/tenant`. */
export function referencePointer(part: ValuePart): string {
  return `${part.kind === "root" ? part.root : ""}${below("", ...part.path)}`;
}

/** The value of a root, or of a place in it: `result.id`. */
function rootCode(scope: RequestScope, { path, root, span }: RootPart<string>): Code {
  const value = getOwn(scope.roots ?? {}, root);
  if (value === undefined) throw new Error(`no value of the root ${root}`);
  const from = { schema: value.schema, form: "stated" } as const;
  return placeCode(scope, { code: value.code, from }, path, span);
}

function placeCode(
  scope: RequestScope,
  { code: value, from }: { readonly code: Code; readonly from: Reachable },
  path: readonly string[],
  span: Span,
): Code {
  const access = accessCode(value, from, path, () => scope.runtime("pick"));
  const type = typeToState(from, path);
  return at(span, type === undefined ? access : code`${access} as ${type}`);
}

/** A scalar as its author wrote it. */
export function scalarCode(scope: RequestScope, model: ScalarModel<string>): Code {
  return model.kind === "literal"
    ? at(model.span, literal(model.value))
    : templateCode(scope, model.template);
}

/** Code of a template: a literal, a single parameter or root value, else `text(…)`. */
export function templateCode(scope: RequestScope, template: TextTemplate<string>): Code {
  const fixed = literalText(template);
  if (fixed !== undefined) return at(template.span, literal(fixed));
  const alone = loneValue(template);
  if (alone !== undefined) return valuePartCode(scope, alone);
  const parts = partsCode(scope, template);
  return at(template.span, code`${scope.runtime("text")}(${join(parts, code`, `)})`);
}

/** Literal text, parameters, roots and credentials, in their order. */
export function partsCode(
  scope: RequestScope,
  template: TextTemplate<string>,
  codeOf: (value: ValuePart) => Code = (value) => valuePartCode(scope, value),
): readonly Code[] {
  const parts: Code[] = [];
  let fixed = "";
  const flush = () => {
    if (fixed !== "") parts.push(literal(fixed));
    fixed = "";
  };
  for (const part of template.parts) {
    if (part.kind === "literal") fixed += part.text;
    else {
      flush();
      parts.push(partCode(scope, part, codeOf));
    }
  }
  flush();
  return parts;
}

function partCode(
  scope: RequestScope,
  part: Exclude<TextPart<string>, LiteralPart>,
  codeOf: (value: ValuePart) => Code,
): Code {
  if (isValuePart(part)) return codeOf(part);
  return at(part.span, credentialCode(scope, part.name));
}

/** `credential("NAME")` */
export function credentialCode(scope: RequestScope, name: string): Code {
  return code`${scope.runtime("credential")}(${literal(name)})`;
}

/** Code of a value, in the author's layout. `leafCode` gets the path of each scalar. */
export function valueCode<Root extends string = never>(
  scope: RequestScope,
  node: ValueNode<Root>,
  leafCode: (leaf: ScalarModel<Root>, place: Steps) => Code = (leaf) => scalarCode(scope, leaf),
  place: Steps = [],
): Code {
  const inside = (value: ValueNode<Root>, step: string | number) =>
    valueCode(scope, value, leafCode, [...place, step]);
  if (node.kind === "list") return code`[${join(node.items.map(inside), code`, `)}]`;
  if (node.kind !== "map") return leafCode(node, place);
  const entries = node.entries.map(
    ({ name, span, value }) => code`${at(span, objectKey(name))}: ${inside(value, name)}`,
  );
  return objectCode(entries);
}

/** Object literal with these properties. */
export function objectCode(entries: readonly Code[]): Code {
  return entries.length === 0 ? code`{}` : code`{ ${join(entries, code`, `)} }`;
}

/** The parameters of a function that builds these texts: `p`, `p, caller`, or none. */
export function functionParameters(texts: readonly Pick<TextTemplate<string>, "parts">[]): Code {
  const kinds = new Set(texts.flatMap(({ parts }) => parts.map(({ kind }) => kind)));
  const usesCaller = kinds.has("root");
  const first = kinds.has("parameter") ? code`p` : usesCaller ? code`_p` : code``;
  return usesCaller ? code`${first}, caller` : first;
}

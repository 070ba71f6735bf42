import { at, type Code, code, join, literal, objectKey } from "../../core/code.js";
import type { SchemaModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { literalText, loneParameter, type TextTemplate } from "../text-template.js";
import { accessCode } from "./access.js";
import type { ScalarModel, ValueNode } from "./model.js";
import { typeToState } from "./scalar-type.js";

/** What expressions of a request are made from. */
export interface RequestScope {
  readonly parameters: SchemaModel;
  readonly runtime: (name: string) => Code;
}

/** The value of a parameter or of a field of one: `p.customer?.id`. */
export function parameterCode(scope: RequestScope, path: readonly string[], span: Span): Code {
  const from = { schema: scope.parameters, form: "filled" } as const;
  const access = accessCode(code`p`, from, path, () => scope.runtime("pick"));
  const type = typeToState(from, path);
  return at(span, type === undefined ? access : code`${access} as ${type}`);
}

/** A scalar as its author wrote it. */
export function scalarCode(scope: RequestScope, model: ScalarModel): Code {
  return model.kind === "literal"
    ? at(model.span, literal(model.value))
    : templateCode(scope, model.template);
}

/** Literal text, the parameter itself when it stands alone, else `text(…)`. */
export function templateCode(scope: RequestScope, template: TextTemplate): Code {
  const fixed = literalText(template);
  if (fixed !== undefined) return at(template.span, literal(fixed));
  const alone = loneParameter(template);
  if (alone !== undefined) return parameterCode(scope, alone.path, alone.span);
  const call = code`${scope.runtime("text")}(${join(textParts(scope, template), code`, `)})`;
  return at(template.span, call);
}

function textParts(scope: RequestScope, template: TextTemplate): readonly Code[] {
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
      parts.push(
        part.kind === "parameter"
          ? parameterCode(scope, part.path, part.span)
          : at(part.span, credentialCode(scope, part.name)),
      );
    }
  }
  flush();
  return parts;
}

/** `credential("NAME")` */
export function credentialCode(scope: RequestScope, name: string): Code {
  return code`${scope.runtime("credential")}(${literal(name)})`;
}

/** A value, laid out as its author wrote it. */
export function valueCode(scope: RequestScope, node: ValueNode): Code {
  if (node.kind === "list") {
    return code`[${join(
      node.items.map((item) => valueCode(scope, item)),
      code`, `,
    )}]`;
  }
  if (node.kind !== "map") return scalarCode(scope, node);
  const entries = node.entries.map(
    ({ name, span, value }) => code`${at(span, objectKey(name))}: ${valueCode(scope, value)}`,
  );
  return objectCode(entries);
}

/** `{ … }` of those properties. */
export function objectCode(entries: readonly Code[]): Code {
  return entries.length === 0 ? code`{}` : code`{ ${join(entries, code`, `)} }`;
}

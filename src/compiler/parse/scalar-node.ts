import type { CST, Scalar } from "yaml";
import type { ScalarNode } from "../../core/syntax-node.js";
import { spellBlockScalar } from "./block-scalar-spelling.js";
import { spellDoubleQuoted } from "./double-quoted-spelling.js";
import { spellPlain, spellSingleQuoted } from "./flow-scalar-spelling.js";
import { originOf, type Spelling } from "./origin.js";

/** The part of the yaml library's scalar that is looked at. */
export type YamlScalar = Pick<Scalar.Parsed, "value" | "source" | "range" | "srcToken" | "type">;

/** A scalar with the value that its style and tag give it. Numbers that JSON doesn't have become the text that spells them. */
export function scalarNode(file: string, scalar: YamlScalar): ScalarNode {
  const value = jsonValue(scalar);
  return typeof value === "string"
    ? textNode(file, scalar, value)
    : { kind: "scalar", span: spanOf(file, scalar), value };
}

/** A scalar as text, whatever it spells: `404` is `"404"`, `null` is `"null"`. */
export function keyNode(file: string, scalar: YamlScalar): ScalarNode & { readonly value: string } {
  return textNode(
    file,
    scalar,
    typeof scalar.value === "string" ? scalar.value : textOfScalar(scalar),
  );
}

/** The characters of a plain scalar as written; an absent one has none. */
export function textOfScalar(scalar: YamlScalar): string {
  return scalar.source ?? "";
}

function jsonValue(scalar: YamlScalar): ScalarNode["value"] {
  const { value } = scalar;
  if (typeof value === "number") return Number.isFinite(value) ? value : textOfScalar(scalar);
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

function textNode(
  file: string,
  scalar: YamlScalar,
  value: string,
): ScalarNode & { readonly value: string } {
  const spelled = scalar.srcToken ? spell(scalar.srcToken) : [];
  const span = spanOf(file, scalar);
  // An imprecise place is better than a wrong one.
  if (spelled.map((each) => each.value).join("") !== value) return { kind: "scalar", span, value };
  const origin = originOf(spelled);
  return origin.length === 0
    ? { kind: "scalar", span, value }
    : { kind: "scalar", span, value, origin };
}

/** Where each character of a scalar's text stands in the file. */
export function spell(token: CST.FlowScalar | CST.BlockScalar): readonly Spelling[] {
  if (token.type === "block-scalar") return spellBlockScalar(token);
  if (token.type === "single-quoted-scalar") return spellSingleQuoted(token.source, token.offset);
  if (token.type === "double-quoted-scalar") return spellDoubleQuoted(token.source, token.offset);
  return spellPlain(token.source, token.offset);
}

function spanOf(file: string, scalar: YamlScalar) {
  return { file, start: scalar.range[0], end: scalar.range[1] };
}

import type { A_Const, ColumnRef, Node } from "@pgsql/types";

/** Thrown inside the translation, and caught where it begins: the builder has no words for a part of the statement. */
export class NoWords extends Error {
  override readonly name = "NoWords";
}

export function textOf(node: Node | undefined): string {
  if (node !== undefined && "String" in node) return node.String.sval ?? "";
  throw new NoWords("a name that is not plain text");
}

export function namesOf(nodes: readonly Node[] | undefined): readonly string[] {
  return (nodes ?? []).map(textOf);
}

/** The names of a column reference, and whether it ends in `*`. */
export function fieldsOf(ref: ColumnRef): {
  readonly names: readonly string[];
  readonly star: boolean;
} {
  const fields = ref.fields ?? [];
  const last = fields.at(-1);
  const star = last !== undefined && "A_Star" in last;
  return { names: namesOf(star ? fields.slice(0, -1) : fields), star };
}

export function columnRef(node: Node | undefined): ColumnRef | undefined {
  return node !== undefined && "ColumnRef" in node ? node.ColumnRef : undefined;
}

/** The operator of an expression when it is not qualified. */
export function operatorOf(names: readonly Node[] | undefined): string | undefined {
  return names?.length === 1 ? textOf(names[0]) : undefined;
}

export type ConstantValue =
  | { readonly kind: "value"; readonly value: string | number | boolean | null }
  /** A number that a JavaScript number does not print as it was written. */
  | { readonly kind: "digits"; readonly text: string }
  | { readonly kind: "other" };

/** A constant as JavaScript has it. The parser leaves out what is zero, false or empty. */
export function constantOf(constant: A_Const): ConstantValue {
  if (constant.isnull) return { kind: "value", value: null };
  if (constant.ival) return { kind: "value", value: constant.ival.ival ?? 0 };
  if (constant.boolval) return { kind: "value", value: constant.boolval.boolval ?? false };
  if (constant.sval) return { kind: "value", value: constant.sval.sval ?? "" };
  if (constant.fval === undefined) return { kind: "other" };
  const text = constant.fval.fval ?? "";
  const number = Number(text);
  return String(number) === text ? { kind: "value", value: number } : { kind: "digits", text };
}

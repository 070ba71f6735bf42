import type { ChainType } from "./chain.js";

/** Whether TypeScript takes a value of one type for the other; false where it is not sure. */
export function isAssignable(from: ChainType, to: ChainType): boolean {
  if (isKeyword(to, "unknown") || isKeyword(from, "never")) return true;
  if (from.kind === "union") return from.of.every((each) => isAssignable(each, to));
  if (to.kind === "union") return to.of.some((each) => isAssignable(from, each));
  if (from.kind === "labels" && to.kind === "labels")
    return from.of.every((label) => to.of.includes(label));
  if (from.kind === "labels") return isKeyword(to, "string");
  if (isKeyword(from, "unknown")) return false;
  if (from.kind === "keyword" && to.kind === "keyword" && from.name === to.name)
    return from.format === undefined || to.format === undefined || from.format === to.format;
  return isSame(from, to);
}

export function isSame(a: ChainType | undefined, b: ChainType | undefined): boolean {
  return a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** Texts, numbers, booleans, null: values that Kysely never takes apart. */
export function isScalar(type: ChainType): boolean {
  if (type.kind === "union") return type.of.every(isScalar);
  if (type.kind === "labels") return true;
  return type.kind === "keyword" && type.name !== "unknown" && type.name !== "never";
}

function isKeyword(type: ChainType, name: string): boolean {
  return type.kind === "keyword" && type.name === name;
}

export function orNull(type: ChainType): ChainType {
  return { kind: "union", of: [type, { kind: "keyword", name: "null" }] };
}

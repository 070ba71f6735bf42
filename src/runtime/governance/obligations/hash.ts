import { createHmac, hash as digestOf, hkdfSync } from "node:crypto";
import { type EffectContext, type ObligedCall, place, valueKind } from "./obligation-kind.js";

/** Bytes of the HMAC that callers get. */
const hashBytes = 16;

/**
 * Puts an HMAC-SHA-256 in place of a value: `hmac:` and 22 characters in base64url. Equal values of
 * one tenant have the same one; each tenant has its own key. Null stays null.
 */
export const hash = valueKind({
  do: "hash",
  summary: "a keyed hash in place of a value, the same for equal values of one tenant",
  keys: { at: place },
  needsKey: true,
  check: () => undefined,
  effect(value, _action, context, depth) {
    if (value === undefined || value === null) return value;
    const text = canonicalText(value, context, depth);
    const whole = createHmac("sha256", tenantKey(context)).update(text).digest();
    return `hmac:${whole.subarray(0, hashBytes).toString("base64url")}`;
  },
});

function tenantKey({ key, tenant }: ObligedCall): Uint8Array {
  // `governance()` has thrown already.
  if (key === undefined) throw new Error("the obligation `hash` needs a `key`");
  // A digest of the name, as HKDF takes 1024 bytes. No tenant is none of any name.
  const name = digestOf("sha256", JSON.stringify(tenant ?? null), "base64url");
  return new Uint8Array(hkdfSync("sha256", key, "", `skillc obligation hash: ${name}`, 32));
}

/** JSON with the names of properties in order: the text `7` is in quotes, and the number 7 is not. */
function canonicalText(value: unknown, context: EffectContext, depth: number): string {
  context.requireLevel(depth);
  const below = (each: unknown) => canonicalText(each, context, depth + 1);
  if (ArrayBuffer.isView(value))
    return `bytes ${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")}`;
  if (Array.isArray(value)) return `[${value.map(below).join(",")}]`;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${below(each)}`);
  return `{${members.join(",")}}`;
}

declare module "./obliged-types.js" {
  interface ObligedValues<Value, Obligation> {
    /** Any text in place of the value, beside its own type if a scope frees callers. */
    readonly hash: HashedValue<Value, Obligation>;
  }
}

type HashedValue<Value, Obligation> = unknown extends Value
  ? Obligation extends { readonly unless: true }
    ? unknown
    : string | null | undefined
  : Value extends null | undefined
    ? Value
    : string | (Obligation extends { readonly unless: true } ? Value : never);

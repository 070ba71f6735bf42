import { createHmac, hash as digestOf, hkdfSync } from "node:crypto";
import { type EffectContext, type ObligedCall, place, valueKind } from "./obligation-kind.js";

/** Size of the HMAC that callers get, in bytes. */
const hashBytes = 16;

/**
 * Replaces a value by an HMAC-SHA-256: `hmac:` and 22 characters in base64url. Equal values of one
 * tenant have the same HMAC. Each tenant has its own key. Null stays null.
 */
export const hash = valueKind({
  do: "hash",
  summary: "a keyed hash instead of a value, the same for equal values of one tenant",
  keys: { at: place },
  leaves: "text-or-null",
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
  // `governance()` has already thrown in this case.
  if (key === undefined) throw new Error("the obligation `hash` needs a `key`");
  // Use a digest of the name, because HKDF takes at most 1024 bytes. JSON distinguishes no tenant
  // from every name.
  const name = digestOf("sha256", JSON.stringify(tenant ?? null), "base64url");
  return new Uint8Array(hkdfSync("sha256", key, "", `skillc obligation hash: ${name}`, 32));
}

/** Writes JSON with sorted property names. The text `7` and the number 7 differ by quotes. */
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
    /** Any text, or also the value's own type if a scope exempts callers. */
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

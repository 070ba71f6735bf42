import { RefusedValue } from "../../../runtime/sink.js";
import {
  addCredentialNames,
  type CredentialReference,
  isCredential,
  isCredentialText,
  openText,
} from "../../../runtime/values/text.js";
import type { Text } from "../contract.js";

/** Text whose credentials are still closed. */
export type SealedText = readonly (string | CredentialReference)[];

/** Everything of a publication but its message. */
export interface Sealed {
  /** By name, in the order of the contract. Numbers are settings. */
  readonly target: ReadonlyMap<string, SealedText | number>;
  readonly headers: readonly (readonly [name: string, value: SealedText])[];
  readonly idempotencyKey: SealedText | undefined;
  /** Names, each once. */
  readonly credentials: readonly string[];
}

/** The parts of a publication that hold text. */
export interface Texts {
  readonly target: object;
  readonly headers?: readonly (readonly [name: string, value: Text | null | undefined])[];
  readonly idempotencyKey?: Text | null | undefined;
}

/** @throws RefusedValue when an idempotency key would be empty */
export function sealTexts({ target, headers = [], idempotencyKey }: Texts): Sealed {
  const credentials: string[] = [];
  const seal = (value: Text): SealedText => {
    const parts = isCredentialText(value)
      ? value.parts
      : [isCredential(value) ? value : String(value)];
    addCredentialNames(credentials, parts);
    return parts;
  };
  const sealed = new Map<string, SealedText | number>();
  // The contract's own types: texts, numbers, and what is absent.
  for (const [name, value] of Object.entries(target) as [string, Text | null | undefined][]) {
    if (typeof value === "number") sealed.set(name, value);
    else if (value !== undefined && value !== null) sealed.set(name, seal(value));
  }
  return {
    target: sealed,
    headers: headers.flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, seal(value)] as const],
    ),
    idempotencyKey: keyOf(idempotencyKey, seal),
    credentials,
  };
}

function keyOf(
  key: Texts["idempotencyKey"],
  seal: (value: Text) => SealedText,
): SealedText | undefined {
  if (key === undefined || key === null) return undefined;
  if (key === "")
    throw new RefusedValue("", "idempotency-key", "must not make an empty idempotency key");
  return seal(key);
}

/** With what stands for each credential put in. */
export interface OpenedTexts {
  readonly target: Readonly<Record<string, string | number>>;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly idempotencyKey?: string;
}

export function openTexts(
  { headers, idempotencyKey, target }: Sealed,
  reveal: (reference: CredentialReference) => string,
): OpenedTexts {
  const opened = [...target].map(
    ([name, value]) => [name, typeof value === "number" ? value : openText(value, reveal)] as const,
  );
  return {
    target: Object.fromEntries(opened),
    headers: headers.map(([name, value]) => [name, openText(value, reveal)]),
    ...(idempotencyKey && { idempotencyKey: openText(idempotencyKey, reveal) }),
  };
}

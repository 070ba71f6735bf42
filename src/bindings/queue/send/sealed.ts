import { RefusedValue } from "../../../runtime/executor.js";
import {
  addCredentialNames,
  type CredentialReference,
  isCredential,
  isCredentialText,
  openText,
} from "../../../runtime/values/text.js";
import type { TargetName, Text } from "../contract.js";
import { isTargetName, textsOf } from "./target-name.js";

/** Text with unopened credentials; a plain string if it has none. */
export type SealedText = string | readonly (string | CredentialReference)[];

/** A publication without its message. */
export interface SealedPublication {
  /** Texts and numbers by field. Numbers are settings. */
  readonly target: Readonly<Record<string, SealedText | number>>;
  readonly headers: readonly (readonly [name: string, value: SealedText])[];
  readonly idempotencyKey: SealedText | undefined;
  /** Names of the credentials, without duplicates. */
  readonly credentials: readonly string[];
}

/** The parts of a publication that contain text. */
export interface Texts {
  readonly target: object;
  readonly headers?: readonly (readonly [name: string, value: Text | null | undefined])[];
  readonly idempotencyKey?: Text | null | undefined;
}

/** @throws RefusedValue if an idempotency key would be empty */
export function sealTexts({ target, headers = [], idempotencyKey }: Texts): SealedPublication {
  const credentials: string[] = [];
  const places: Record<string, SealedText | number> = {};
  // The contract's types allow only texts, numbers and absent values.
  for (const [name, value] of Object.entries(target) as [string, TextSource | null | undefined][])
    if (value !== undefined && value !== null)
      places[name] = typeof value === "number" ? value : seal(value, credentials);
  const values: [string, SealedText][] = [];
  for (const [name, value] of headers)
    if (value !== undefined && value !== null) values.push([name, seal(value, credentials)]);
  const key = sealKey(idempotencyKey, credentials);
  return { target: places, headers: values, idempotencyKey: key, credentials };
}

function sealKey(key: Texts["idempotencyKey"], names: string[]): SealedText | undefined {
  if (key === undefined || key === null) return undefined;
  if (key === "")
    throw new RefusedValue("", "idempotency-key", "must not make an empty idempotency key");
  return seal(key, names);
}

type TextSource = Text | TargetName;

/** @param names list to which the names of the text's credentials are added */
function seal(value: TextSource, names: string[]): SealedText {
  if (isTargetName(value)) {
    const parts = textsOf(value);
    addCredentialNames(names, parts);
    return parts.every((each) => typeof each === "string") ? parts.join("") : parts;
  }
  if (isCredentialText(value)) {
    addCredentialNames(names, value.parts);
    return value.parts;
  }
  if (!isCredential(value)) return String(value);
  addCredentialNames(names, [value]);
  return [value];
}

/** The texts with every credential replaced. */
export interface OpenedTexts {
  readonly target: Readonly<Record<string, string | number>>;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly idempotencyKey?: string | undefined;
}

export function openTexts(
  sealed: SealedPublication,
  reveal: (reference: CredentialReference) => string,
): OpenedTexts {
  // Without credentials there are only strings and numbers.
  if (sealed.credentials.length === 0) return sealed as OpenedTexts;
  const open = (value: SealedText) => (typeof value === "string" ? value : openText(value, reveal));
  const { headers, idempotencyKey, target } = sealed;
  const opened = Object.entries(target).map(
    ([name, value]) => [name, typeof value === "number" ? value : open(value)] as const,
  );
  return {
    target: Object.fromEntries(opened),
    headers: headers.map(([name, value]) => [name, open(value)]),
    idempotencyKey: idempotencyKey === undefined ? undefined : open(idempotencyKey),
  };
}

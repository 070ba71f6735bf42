import { hash } from "node:crypto";
import { Secret } from "../../credentials/secret.js";
import { passwordsOf } from "../../credentials/secret-spellings.js";
import type { ToolError } from "../../errors.js";
import type { AnyResult } from "../../result.js";
import { problemsOf, tellProblems, type Validator } from "../../validation/validation.js";
import { callError } from "../call-error.js";
import type { AnswerStream } from "../answer-stream.js";
import type { Call } from "../call.js";
import { openStream } from "../open-stream.js";
import { takeMisfit } from "../misfits.js";
import { hasOwnData } from "../own-data.js";
import type { PageName, UnusablePage } from "../page-place.js";
import { sealNext } from "../pages.js";

/**
 * Validates the answer, and returns it without credentials. If it doesn't match its schema, it
 * throws or is reported: see `misfits.ts`.
 */
export function answer(call: Call): undefined {
  const { tool } = call;
  const answered = besideData(call);
  if (answered === undefined) return undefined;
  const stream = openStream(call);
  if (stream !== undefined) return givenByItem(call, answered, stream);
  if (tool.returns !== undefined && "data" in answered && !hasOwnData(answered, call)) {
    const misfit = requireFit(call, tool.returns, answered.data, "result");
    if (misfit !== undefined && endsUntold(misfit, answered, call)) throw misfit;
  }
  // Masked values may be anywhere in an answer that doesn't match its schema, so record only its
  // status.
  if (call.misfits !== undefined) call.recorded = { status: answered.status };
  else if ("data" in answered && answered.data instanceof Uint8Array)
    call.recorded = { ...answered, data: digestOfBytes(answered.data) } as AnyResult;
  call.answered = withoutSentCredentials(withSealedNext(answered, call), call);
  call.result = call.answered;
}

/** Returns whether paging would end although the missing property may name the next page. */
function endsUntold({ failure }: ToolError, answered: AnyResult, { tool }: Call): boolean {
  if (tool.binding.paging?.isToldByData !== true) return false;
  if ("next" in answered && answered.next != null) return false;
  return (
    failure.code === "SCHEMA.VALIDATION_FAILED" &&
    failure.problems.some(({ keyword }) => keyword === "required")
  );
}

/** @returns the error of a mismatch that was only reported; undefined if the data match */
function requireFit(
  call: Call,
  returns: Validator,
  data: unknown,
  what: string,
): ToolError | undefined {
  const problems = problemsOf(returns, data);
  if (problems.length === 0) return undefined;
  const { answeredWith, toolId } = call;
  const lead = answeredWith === undefined ? "" : `the service answered ${answeredWith}, and `;
  const error = callError(
    call,
    { code: "SCHEMA.VALIDATION_FAILED", subject: "result", problems },
    `${lead}${what} of \`${toolId}\` doesn't fit its schema: ${tellProblems(problems)}`,
  );
  takeMisfit(call, error);
  return error;
}

/** Validates each item before it is returned. */
function givenByItem(call: Call, answered: AnyResult, stream: AnswerStream): undefined {
  const { returns } = call.tool;
  stream.through((value, number) => {
    if (returns !== undefined) requireFit(call, returns, value, `item ${number} of the result`);
    return withoutEchoes(value, call);
  });
  call.answered = withoutSentCredentials({ ...answered, data: stream.items } as AnyResult, call);
  call.result = call.answered;
  return undefined;
}

/** Replaces bytes in records. */
function digestOfBytes(bytes: Uint8Array): { readonly size: number; readonly sha256: string } {
  return { size: bytes.byteLength, sha256: hash("sha256", bytes, "hex") };
}

/** Adds default fields, because a handler may return only data. */
function besideData({ answered, tool }: Call): AnyResult | undefined {
  const { beside } = tool.binding;
  if (beside === undefined || answered === undefined || !("data" in answered)) return answered;
  const { status, data, ...given } = answered;
  return { status, data, ...beside, ...given } as AnyResult;
}

/** Encrypts the name of the next page, so that nobody can read or change it. */
function withSealedNext(result: AnyResult, call: Call): AnyResult {
  if (call.tool.binding.paging === undefined || !("data" in result)) return result;
  const next: unknown = "next" in result ? result.next : null;
  return { ...result, next: namesPage(next) ? sealNext(call, next) : null } as AnyResult;
}

function namesPage(next: unknown): next is PageName | UnusablePage {
  if (typeof next === "object" && next !== null)
    return "unusable" in next && typeof next.unusable === "string";
  return typeof next === "string" || typeof next === "number";
}

/**
 * Minimum length of a credential that is searched in `data`. Shorter ones may be ordinary words,
 * numbers or names.
 */
const shortestEcho = 8;

/**
 * Removes credentials that the provider sent back. In `error` and `headers` they are replaced
 * everywhere. `data` has a type and is read by programs: there only a whole text that equals a
 * credential is replaced, and only if the credential was sent as a proof.
 */
function withoutSentCredentials(given: AnyResult, call: Call): AnyResult {
  const { runtime } = call;
  const result =
    "headers" in given
      ? ({ ...given, headers: runtime.credentials.scrubber.scrubValue(given.headers) } as AnyResult)
      : given;
  // Scrubbing replaces texts by texts.
  if ("error" in result) {
    const error = runtime.credentials.scrubber.scrubValue(result.error);
    return error === result.error ? result : ({ ...result, error } as AnyResult);
  }
  if (!("data" in result) || call.stream !== undefined) return result;
  const data = withoutEchoes(result.data, call);
  return data === result.data ? result : ({ ...result, data } as AnyResult);
}

/** Returns the same data if they contain no credential. */
function withoutEchoes(data: unknown, { prepared, secrets }: Call): unknown {
  if (secrets.size === 0) return data;
  const proofs = prepared?.proofs ?? noProofs;
  let clean = data;
  for (const [name, secret] of secrets) {
    const echoes = echoesOf(secret, proofs.includes(name));
    if (echoes.size > 0 && holds(clean, echoes)) clean = replaced(clean, echoes);
  }
  return clean;
}

const noProofs: readonly string[] = [];

type Echoes = ReadonlyMap<string, string>;

/** Echoes of secrets: first those of proofs, then those of values that only contain a password. */
const knownEchoes = [new WeakMap<Secret, Echoes>(), new WeakMap<Secret, Echoes>()] as const;

/** Returns the texts in which a service may send a secret back, with their replacements. */
function echoesOf(secret: Secret, isProof: boolean): Echoes {
  const known = knownEchoes[isProof ? 0 : 1];
  let echoes = known.get(secret);
  if (echoes === undefined) known.set(secret, (echoes = allEchoes(secret, isProof)));
  return echoes;
}

function allEchoes(secret: Secret, isProof: boolean): Echoes {
  const echoes = new Map<string, string>();
  const value = Secret.reveal(secret);
  for (const each of [...(isProof ? [value] : []), ...passwordsOf(value)]) {
    if (each.length < shortestEcho) continue;
    for (const scheme of ["", "Bearer ", "Basic "])
      echoes.set(`${scheme}${each}`, `${scheme}${String(secret)}`);
  }
  return echoes;
}

function holds(value: unknown, echoes: Echoes): boolean {
  if (typeof value === "string") return value.length >= shortestEcho && echoes.has(value);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) return value.some((each) => holds(each, echoes));
  // Own properties of any type.
  const fields = value as { readonly [name: string]: unknown };
  for (const name in fields) if (holds(fields[name], echoes)) return true;
  return false;
}

function replaced(value: unknown, echoes: Echoes): unknown {
  if (typeof value === "string") return echoes.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => replaced(each, echoes));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(
    ([name, each]) => [name, replaced(each, echoes)] as const,
  );
  return Object.fromEntries(fields);
}

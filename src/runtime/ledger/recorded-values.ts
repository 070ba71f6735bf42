/**
 * Removes credentials and masked values from what records contain.
 */
import type { Call } from "../call/call.js";
import { masked, maskedByName, maskedLeaves, maskText } from "../call/mask.js";
import { hasOwnData } from "../call/own-data.js";
import { viewsOf } from "../credentials/escapes.js";
import { createScrubber, type Scrubber } from "../credentials/scrubber.js";
import { mayHoldSpelling, shortestSecret } from "../credentials/secret-spellings.js";
import type { AnyResult } from "../result.js";
import type { MaskedPaths } from "../tool.js";

/**
 * Writes a value as JSON without credentials. Callers may pass anything; a value that is not JSON
 * becomes `"(not JSON)"`.
 */
export function cleanJson(call: Call, value: unknown): string {
  return call.runtime.credentials.scrubber.scrubJson(jsonOf(value) ?? '"(not JSON)"');
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes a value as JSON without credentials and masked parameters. A masked parameter can appear
 * in an address, or as a property name in an answer.
 */
export function withoutParameters(call: Call, value: object): string {
  const { maskedParams } = call.tool;
  const json = cleanJson(call, value);
  if (maskedParams === undefined) return json;
  return maskingScrubber(maskedLeaves(call.params, maskedParams)).scrubJson(json);
}

/** Masks a result by the paths that its schema declares, whatever their values are. */
export function masks(call: Call, result: AnyResult): AnyResult {
  const { maskedErrors, maskedOwnData, maskedResult } = call.tool;
  if ("error" in result && maskedErrors !== undefined)
    // It is unknown which schema the error has, or whether it matches one, so mask by property
    // name.
    return { ...result, error: maskedByName(result.error, maskedErrors) } as AnyResult;
  const paths = hasOwnData(result, call) ? ownMasks(maskedOwnData, result.status) : maskedResult;
  return paths === undefined || !("data" in result)
    ? result
    : ({ ...result, data: masked(result.data, paths) } as AnyResult);
}

function ownMasks(masks: Call["tool"]["maskedOwnData"], status: string): MaskedPaths | undefined {
  return masks !== undefined && Object.hasOwn(masks, status) ? masks[status] : undefined;
}

type MaskedLeaf = ReturnType<typeof maskedLeaves>[number];

/**
 * Returns the masked values of the parameters, which the answer may repeat. A receipt is already
 * masked and contains no text of the target.
 */
export function maskedTexts(
  { params, prepared, tool }: Call,
  result: AnyResult,
): readonly MaskedLeaf[] {
  if (tool.maskedParams === undefined) return [];
  return prepared?.isReceipt === true && "data" in result
    ? []
    : maskedLeaves(params, tool.maskedParams);
}

/**
 * If values times characters exceed this number, one search for all values is faster than one
 * search for each value.
 */
const fewComparisons = 2 ** 20;

export function mayHoldAny(json: string, leaves: readonly MaskedLeaf[]): boolean {
  if (leaves.length === 0) return false;
  if (leaves.length * json.length > fewComparisons) return true;
  const texts = Array.from(viewsOf(json), (view) => view.text);
  return leaves.some((leaf) => {
    const text = String(leaf);
    if (text.length >= shortestSecret) return mayHoldSpelling(texts, text);
    return typeof leaf === "string" && json.includes(JSON.stringify(text));
  });
}

export function maskingScrubber(leaves: readonly MaskedLeaf[]): Scrubber {
  const scrubber = createScrubber();
  for (const each of leaves) {
    const text = String(each);
    if (text.length >= shortestSecret) scrubber.learn(text, maskText);
    else if (typeof each === "string") scrubber.learnWhole(text, maskText);
  }
  return scrubber;
}

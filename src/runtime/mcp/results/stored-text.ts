/** The form in which stores keep a text, and the size of a text. */
import { countedBytes } from "../../files/folder-size.js";

/** Maximum of `maxCallerBytes`, and its default. */
const mostCallerBytes = 64 * 1024 * 1024;

/** A limit that all stores have. */
export interface ResultLimits {
  /**
   * Maximum size of all results of one caller, in bytes; 64 MiB by default, and at most. A result
   * counts with 4 KiB or more.
   */
  readonly maxCallerBytes?: number;
}

/**
 * Returns the limit of a caller, in bytes.
 *
 * @throws RangeError if it is not a whole number from 1 to 64 MiB
 */
export function callerLimit({ maxCallerBytes = mostCallerBytes }: ResultLimits): number {
  if (Number.isSafeInteger(maxCallerBytes) && maxCallerBytes >= 1)
    if (maxCallerBytes <= mostCallerBytes) return maxCallerBytes;
  throw new RangeError(`\`maxCallerBytes\` must be a whole number from 1 to ${mostCallerBytes}`);
}

/** A text in the form in which it is stored. */
export interface StoredText {
  readonly form: string;
  /** Size with which the text counts, in bytes. */
  readonly bytes: number;
}

/**
 * Returns the stored form of a text; undefined if it has more bytes than the limit. UTF-8 has no
 * form for halves of surrogate pairs, so a text with such a half is stored as JSON.
 */
export function storedText(text: string, most: number): StoredText | undefined {
  // Every character takes a byte or more. This also keeps the JSON below the limit of strings.
  if (text.length > most) return undefined;
  const form = text.isWellFormed() ? `t${text}` : `j${JSON.stringify(text)}`;
  const bytes = countedBytes(Buffer.byteLength(form) - 1);
  return bytes > most ? undefined : { form, bytes };
}

/** Returns the text of a stored form. */
export function textOfStored(form: string): string {
  const rest = form.slice(1);
  // `storedText` wrote the JSON of a text.
  return form.startsWith("j") ? (JSON.parse(rest) as string) : rest;
}

import { fullFormats } from "ajv-formats/dist/formats.js";

/** The formats that validators check, as ajv-formats defines them in full mode. */
export const formatNames: readonly string[] = Object.keys(fullFormats);

export function isKnownFormat(name: string): boolean {
  return Object.hasOwn(fullFormats, name);
}

import type { JsonValue } from "./json.js";

/** The user's prettier options for generated modules, as prettier resolves them; plain data. */
export interface Style {
  readonly [option: string]: JsonValue;
}

import { isJsonObject, type JsonObject, type JsonValue } from "./json.js";

/** The user's prettier options for generated modules, as prettier resolves them; plain data. */
export interface Style {
  readonly [option: string]: JsonValue;
  /** The options for `.json` files, where they are other ones. */
  readonly json?: JsonObject;
}

/** The options for `.json` files. */
export function jsonStyle(style: Style): Style {
  return isJsonObject(style.json) ? style.json : style;
}

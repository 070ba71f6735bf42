import type { TextRange } from "../statement/statement.js";
import type { SqlFault } from "./engine.js";

/** Why a schema file can't be loaded, at its place in the file as its author wrote it. */
export interface SchemaFault {
  /** Of the file, as it was given. */
  readonly path: string;
  /** The word that PostgreSQL points at; else the first line of the statement. */
  readonly at: TextRange;
  readonly message: string;
  readonly help?: string;
  /** SQLSTATE; absent where no server was asked. */
  readonly code?: string;
}

/** What of a driver's error may be shown: the error of either driver has these fields, as text. Of no answer at all: `08006`, connection failure. */
export function sqlFaultOf(error: unknown): SqlFault {
  const { severity, code, message, hint, detail, position } = fieldsOf(error);
  return {
    code: severity === undefined || code === undefined ? "08006" : code,
    message: message ?? "PostgreSQL gave no answer",
    ...(hint === undefined ? {} : { hint }),
    ...(detail === undefined ? {} : { detail }),
    ...(position === undefined ? {} : { position: Number(position) }),
  };
}

const FIELDS = ["severity", "code", "message", "hint", "detail", "position"];

function fieldsOf(error: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof error !== "object" || error === null) return {};
  const read = (name: string): readonly [string, string | undefined] => {
    const value: unknown = Reflect.get(error, name);
    return [name, typeof value === "string" && value !== "" ? value : undefined];
  };
  return Object.fromEntries(FIELDS.map(read));
}

import { type JsonFault, jsonFault } from "./syntax-problem.js";

/** Where a text stops being JSON, to end a sentence with; empty where it does not. Nothing of the text is in it. */
export function jsonFaultInWords(json: string): string {
  const fault = jsonFault(json);
  if (fault === undefined) return "";
  const at = fault.endsEarly
    ? json.length
    : fault.kind === "line-in-string"
      ? fault.end
      : fault.start;
  const before = json.slice(0, at);
  const place = `line ${before.split("\n").length}, column ${at - before.lastIndexOf("\n")}`;
  return fault.endsEarly
    ? `: the text ends early, at ${place}, where ${wanted(fault)} should follow`
    : `: ${wanted(fault)} should stand at ${place}`;
}

/** The engine's own message quotes the text, and its wording changes with its version. */
function wanted({ expected, kind, opened }: JsonFault): string {
  if (kind === "open-string") return 'a closing `"`';
  if (kind === "escape") return "an escape of JSON";
  if (kind === "control" || kind === "line-in-string")
    return "an escape in place of a control character";
  switch (expected) {
    case "value":
    case "value-or-end":
      return "a value";
    case "key":
    case "key-or-end":
      return "a property's name in double quotes";
    case "colon":
      return "`:`";
    case "comma-or-end":
      return opened?.bracket === "{" ? "`,` or `}`" : "`,` or `]`";
    case "end":
      return "the end of the text";
  }
}

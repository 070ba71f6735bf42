/** By type: the JSON Schema formats that its values have in JSON. */
const FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  ["uuid", ["uuid"]],
  ["timestamptz", ["date-time", "iso-date-time"]],
  ["timestamp", ["iso-date-time"]],
  ["date", ["date"]],
  ["time", ["iso-time"]],
  ["timetz", ["time", "iso-time"]],
  ["interval", ["duration"]],
  ["int8", []],
  ["numeric", []],
  ["bytea", ["byte", "binary"]],
]);

/** Formats of texts that can't be taken for each other. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    "date-time iso-date-time date time iso-time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference uri-template iri " +
    "iri-reference uuid json-pointer relative-json-pointer regex"
  ).split(" "),
);

/** Whether the format is one of texts that are neither numbers nor a few words. */
export function isTextFormat(format: string): boolean {
  return KNOWN.has(format);
}

/** Whether values of the type can't have the format. Nothing is said of a format or a type that is not known. */
export function isOtherFormat(type: string, format: string): boolean {
  const own = FORMATS.get(type);
  return own !== undefined && isTextFormat(format) && !own.includes(format);
}

import type { BindingKind } from "../../bindings/binding.js";

/** What a value lacks to be a binding kind, as phrases; empty when it is one. */
export function faultsOfKind(value: unknown): readonly string[] {
  if (!isRecord(value)) return [`it is ${describe(value)}`];
  return members.flatMap(({ name, want, fits }) => {
    const member = value[name];
    if (fits(member)) return [];
    return [
      member === undefined ? `\`${name}\` is missing (${want})` : `\`${name}\` must be ${want}`,
    ];
  });
}

/** For a value in which `faultsOfKind` found nothing. */
export function asKind(value: unknown): BindingKind {
  // Every member's type was looked at; what its functions do can only be seen by calling them.
  return value as BindingKind;
}

interface Member {
  readonly name: keyof BindingKind;
  readonly want: string;
  readonly fits: (value: unknown) => boolean;
}

const method = (name: keyof BindingKind): Member => ({
  name,
  want: "a function",
  fits: (value) => typeof value === "function",
});

const members: readonly Member[] = [
  { name: "type", want: "text such as `graphql`", fits: isName },
  { name: "title", want: "text", fits: isText },
  { name: "schema", want: "a JSON Schema object with `properties`", fits: isSchema },
  { name: "modes", want: "a list of `active` and `shadow`", fits: isModes },
  { name: "catalogue", want: "an object of catalogue entries by code", fits: isCatalogue },
  {
    name: "runtime",
    want: "an object of `module` (text), `values` and `types` (lists of names)",
    fits: (value) =>
      isRecord(value) &&
      isText(value["module"]) &&
      isNames(value["values"]) &&
      isNames(value["types"]),
  },
  {
    name: "template",
    want: "an object of `name` and `text`",
    fits: (value) => isRecord(value) && isText(value["name"]) && typeof value["text"] === "string",
  },
  method("resolve"),
  method("check"),
  method("schemas"),
  method("emit"),
];

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isName(value: unknown): boolean {
  return typeof value === "string" && /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/.test(value);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isSchema(value: unknown): boolean {
  return isRecord(value) && isRecord(value["properties"]);
}

function isModes(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => each === "active" || each === "shadow")
  );
}

function isCatalogue(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([code, entry]) => /^[a-z0-9-]+\/[a-z0-9-]+$/.test(code) && isEntry(entry),
    )
  );
}

function isEntry(value: unknown): boolean {
  return (
    isRecord(value) &&
    ["error", "warning", "info"].some((severity) => severity === value["severity"]) &&
    isText(value["title"]) &&
    isText(value["explanation"]) &&
    isRecord(value["example"]) &&
    isRecord(value["fixed"])
  );
}

function describe(value: unknown): string {
  if (value === undefined) return "undefined";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

import { getOwn, isJsonObject } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Operation, Parameter, SecurityScheme, Server } from "../model.js";
import type { Note } from "../note.js";
import type { Part } from "../read/document.js";
import type { Documents } from "../read/documents.js";
import { entriesIn, itemsIn, textIn, under } from "../read/parts.js";

/** Functions that read the parts specific to one version of the format. */
export interface Version {
  /** Parameters of one operation; `shared` are the parameters of its path. */
  readonly parameters: (
    operation: Part,
    shared: Part | undefined,
    reader: Reader,
  ) => ReadParameters;
  readonly responses: (operation: Part, reader: Reader) => Operation["responses"];
  readonly schemes: (reader: Reader) => ReadonlyMap<string, SecurityScheme>;
  readonly servers: (owner: Part, reader: Reader) => readonly Server[];
}

/** Parameters other than the request's body, and the body. */
export interface ReadParameters {
  readonly parameters: readonly Parameter[];
  readonly body?: Operation["body"];
}

/** Context of the readers of a version. */
export interface Reader {
  readonly documents: Documents;
  readonly root: Part;
  /** Notes a restriction of the operation that a tool can't express. */
  readonly note: (note: Note) => void;
}

/** Follows the reference of a named part: a parameter, a response, a header. */
export function followed(part: Part, reader: Reader, what: string): Part | undefined {
  const found = reader.documents.follow(part);
  if (found !== undefined && isJsonObject(found.value)) return found;
  const reference = textIn(part, "$ref");
  reader.note({
    code: what === "path" ? "import/operation-left-out" : "import/part-left-out",
    at: part.at,
    message:
      reference === undefined
        ? `this ${what} is not an object`
        : `the reference ${quote(reference)} of this ${what} leads to nothing`,
  });
  return undefined;
}

/** Address of a server without user, password, query and fragment. */
export function serverUrl(written: string, variables: Part | undefined): string {
  const filled = written.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = entriesIn(variables).find(([key]) => key === name)?.[1];
    const value = variable && isJsonObject(variable.value) ? getOwn(variable.value, "default") : "";
    return typeof value === "string" && value !== "" ? value : whole;
  });
  const [address = ""] = filled.split(/[?#]/, 1);
  return address.replace(/^([a-z][a-z0-9+.-]*:)?(\/\/)[^/]*@/i, "$1$2").replace(/\/+$/, "");
}

/**
 * Parameters of the operation and its path; the operation's own come first and override those of
 * the path.
 */
export function allParameters<Read extends { readonly name: string; readonly in: string }>(
  operation: Part,
  shared: Part | undefined,
  reader: Reader,
  read: (part: Part, reader: Reader) => Read | undefined,
): readonly Read[] {
  const all = [...itemsIn(under(operation, "parameters")), ...itemsIn(shared)];
  const byName = new Map<string, Read>();
  for (const each of all) {
    const part = followed(each, reader, "parameter");
    const parameter = part && read(part, reader);
    const key = parameter && `${parameter.in} ${parameter.name}`;
    if (parameter !== undefined && key !== undefined && !byName.has(key))
      byName.set(key, parameter);
  }
  return [...byName.values()];
}

/** A media type without its parameters; the first one of a list. */
export function bareType(type: string): string {
  return (type.split(/[;,]/, 1)[0] ?? "").trim().toLowerCase();
}

/** Reads `type: apiKey`, which is the same in all versions. */
export function apiKey(part: Part, { root }: Reader): SecurityScheme | undefined {
  const [name, where] = [textIn(part, "name"), textIn(part, "in")];
  const signature = textIn(part, "x-amazon-apigateway-authtype") ?? "";
  if (/^awsSigV4$/i.test(signature)) return { kind: "awsSigV4", service: awsService(root) };
  if (name === undefined || /^aws/i.test(signature)) return undefined;
  return where === "query" || where === "header" || where === "cookie"
    ? { kind: "apiKey", in: where, name }
    : undefined;
}

/**
 * Name of the service in AWS's signatures: `x-aws-signingName` of the document, or the start of its
 * host (`rds` of `rds.eu-central-1.amazonaws.com`), or `execute-api`, because API Gateway serves
 * all other APIs.
 */
function awsService(root: Part): string {
  const word = textIn(under(root, "info"), "x-aws-signingName");
  if (word !== undefined && /^[\w.-]+$/.test(word)) return word;
  const url = textIn(itemsIn(under(root, "servers"))[0], "url") ?? textIn(root, "host") ?? "";
  const host = /^(?:https?:\/\/)?([\w-]+)\.(?:[\w{}-]+\.)?amazonaws\.com(?:\.cn)?(?=$|[:/])/.exec(
    url,
  );
  return host?.[1] ?? "execute-api";
}

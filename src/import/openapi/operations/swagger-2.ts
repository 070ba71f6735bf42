/**
 * Reads the parts that are specific to Swagger 2.0. They are not converted to OpenAPI 3 first,
 * because the output of `swagger2openapi` has other places than the author's document.
 */
import { getOwn, type JsonObject, type JsonValue, setOwn } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type {
  Body,
  Content,
  Encoding,
  Parameter,
  ParameterPlace,
  Response,
  SecurityScheme,
  Server,
} from "../model.js";
import type { Part } from "../read/document.js";
import { entriesIn, isSet, itemsIn, objectIn, textIn, under } from "../read/parts.js";
import {
  allParameters,
  apiKey,
  bareType,
  followed,
  type Reader,
  type ReadParameters,
  serverUrl,
  type Version,
} from "./version.js";

export const swagger2: Version = { parameters, responses, schemes, servers };

interface Written {
  readonly name: string;
  readonly in: string;
  readonly part: Part;
}

function parameters(operation: Part, shared: Part | undefined, reader: Reader): ReadParameters {
  const all = allParameters<Written>(operation, shared, reader, (part) => {
    const [name, where] = [textIn(part, "name"), textIn(part, "in")];
    if (name !== undefined && where !== undefined) return { name, in: where, part };
    const message = "a parameter needs a `name` and an `in`";
    reader.note({ code: "import/part-left-out", at: part.at, message });
    return undefined;
  });
  const body = bodyOf(operation, all, reader);
  return {
    parameters: all.flatMap((each) => readParameter(each, reader) ?? []),
    ...(body && { body }),
  };
}

/** Media types that an operation consumes or produces, as the document writes them. */
function typesOf(key: "consumes" | "produces", operation: Part, reader: Reader): readonly string[] {
  const part = under(operation, key) ?? under(reader.root, key);
  const types = itemsIn(part).flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  return types.length === 0 ? ["application/json"] : [...new Set(types)];
}

function bodyOf(operation: Part, all: readonly Written[], reader: Reader): Body | undefined {
  const form = all.filter((each) => each.in === "formData");
  const body = all.find((each) => each.in === "body")?.part;
  if (body !== undefined) {
    const description = textIn(body, "description");
    const schema = under(body, "schema");
    return {
      isRequired: isSet(body, "required"),
      ...(description !== undefined && { description }),
      contents: typesOf("consumes", operation, reader).map((type) => contentOf(type, schema, body)),
      at: body.at,
    };
  }
  if (form.length === 0) return undefined;
  const at = operation.at;
  return { isRequired: true, contents: [formOf(operation, form, reader)], at };
}

function contentOf(written: string, schema: Part | undefined, part: Part): Content {
  const type = bareType(written);
  return { type, written, ...(schema && { schema }), encoding: new Map(), at: part.at };
}

function formOf(operation: Part, form: readonly Written[], reader: Reader): Content {
  const properties: Record<string, JsonValue> = {};
  const parts = new Map<string, Part>();
  const encoding = new Map<string, Encoding>();
  for (const { name, part } of form) {
    const schema = schemaOf(part);
    setOwn(properties, name, schema);
    parts.set(name, { value: schema, at: part.at });
    const format = textIn(part, "collectionFormat") ?? "csv";
    encoding.set(name, getOwn(collections, format) ?? { style: format, explode: false });
  }
  const hasFile = form.some(({ part }) => textIn(part, "type") === "file");
  const type = hasFile
    ? "multipart/form-data"
    : (typesOf("consumes", operation, reader)
        .map(bareType)
        .find((each) => /form/.test(each)) ?? "application/x-www-form-urlencoded");
  const value: JsonObject = {
    type: "object",
    required: form.flatMap(({ name, part }) => (isSet(part, "required") ? [name] : [])),
    properties,
  };
  return {
    type,
    written: type,
    schema: {
      value,
      at: operation.at,
      parts: new Map([["properties", { value: properties, at: operation.at, parts }]]),
    },
    encoding,
    at: operation.at,
  };
}

/** Formats of lists, in terms of OpenAPI 3. */
const collections: Readonly<Record<string, { readonly style: string; readonly explode: boolean }>> =
  {
    csv: { style: "form", explode: false },
    ssv: { style: "spaceDelimited", explode: false },
    pipes: { style: "pipeDelimited", explode: false },
    multi: { style: "form", explode: true },
  };

/** Keys of a parameter that are not keywords of a schema. */
const notOfSchema: ReadonlySet<string> = new Set([
  "name",
  "in",
  "required",
  "description",
  "allowEmptyValue",
  "collectionFormat",
]);

function schemaOf(part: Part): JsonObject {
  const entries = Object.entries(objectIn(part)).filter(([key]) => !notOfSchema.has(key));
  return Object.fromEntries(entries);
}

function readParameter({ in: where, name, part }: Written, reader: Reader): Parameter | undefined {
  const leaveOut = (message: string): undefined => {
    reader.note({ code: "import/part-left-out", at: part.at, message });
    return undefined;
  };
  if (where === "body" || where === "formData") return undefined;
  if (!["path", "query", "header"].includes(where))
    return leaveOut(
      `the parameter ${quote(name)} is in ${quote(where)}, where tools send no parameters`,
    );
  if (where === "header" && /^(?:accept|content-type|authorization)$/i.test(name))
    return leaveOut(
      `the header ${quote(name)} becomes no parameter: skillc sets it from media types and authentication`,
    );
  const isList = textIn(part, "type") === "array";
  const format = textIn(part, "collectionFormat") ?? "csv";
  const collection = getOwn(collections, format);
  if (isList && collection === undefined)
    return leaveOut(`tools can't write the list ${quote(name)} in the format ${quote(format)}`);
  const style = where === "query" ? (collection?.style ?? "form") : "simple";
  const description = textIn(part, "description");
  return {
    name,
    // The place is one of the three above.
    in: where as ParameterPlace,
    isRequired: isSet(part, "required") || where === "path",
    ...(description !== undefined && { description }),
    isDeprecated: false,
    style,
    explode: where === "query" && (!isList || collection?.explode === true),
    allowReserved: false,
    schema: { value: schemaOf(part), at: part.at },
    at: part.at,
  };
}

function responses(operation: Part, reader: Reader): readonly Response[] {
  const types = typesOf("produces", operation, reader);
  return entriesIn(under(operation, "responses")).flatMap(([status, written]) => {
    if (status.startsWith("x-")) return [];
    const part = followed(written, reader, "response");
    if (part === undefined) return [];
    const schema = under(part, "schema");
    const description = textIn(part, "description");
    return {
      status: status.toLowerCase() === "default" ? "default" : status.toUpperCase(),
      ...(description !== undefined && { description }),
      headers: entriesIn(under(part, "headers")).map(([name]) => name),
      contents:
        schema === undefined
          ? []
          : answerTypes(types, schema, reader).map((type) => contentOf(type, schema, part)),
      at: part.at,
    };
  });
}

/** Media types of a response. A file is not JSON, whatever the API produces elsewhere. */
function answerTypes(types: readonly string[], schema: Part, reader: Reader): readonly string[] {
  if (textIn(reader.documents.follow(schema), "type") !== "file") return types;
  const others = types.filter((type) => !/[/+]json$|\*/.test(bareType(type)));
  return others.length === 0 ? ["application/octet-stream"] : others;
}

function schemes(reader: Reader): ReadonlyMap<string, SecurityScheme> {
  return new Map(
    entriesIn(under(reader.root, "securityDefinitions")).map(([name, part]) => {
      const type = textIn(part, "type") ?? "";
      return [name, schemeOf(type, part, reader) ?? { kind: "other", name: type }];
    }),
  );
}

function schemeOf(type: string, part: Part, reader: Reader): SecurityScheme | undefined {
  if (type === "basic") return { kind: "basic" };
  if (type === "apiKey") return apiKey(part, reader);
  if (type !== "oauth2") return undefined;
  const tokenUrl = textIn(part, "tokenUrl");
  const flow = textIn(part, "flow");
  return {
    kind: "oauth2",
    ...(flow === "application" && tokenUrl !== undefined && { clientCredentials: tokenUrl }),
    ...(flow === "accessCode" && tokenUrl !== undefined && { refresh: tokenUrl }),
  };
}

function servers(owner: Part, { root }: Reader): readonly Server[] {
  if (owner !== root) return [];
  const host = textIn(root, "host") ?? "";
  const schemesOf = itemsIn(under(root, "schemes")).flatMap(({ value }) =>
    typeof value === "string" ? [value] : [],
  );
  const scheme = schemesOf.includes("https") ? "https" : (schemesOf[0] ?? "https");
  const path = textIn(root, "basePath") ?? "";
  const url = host === "" ? path : `${scheme}://${host}${path}`;
  return url === "" ? [] : [{ url: serverUrl(url, undefined) }];
}

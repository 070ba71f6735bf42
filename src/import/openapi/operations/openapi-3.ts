/** Reads the parts that are specific to OpenAPI 3.0, 3.1 and 3.2. */
import { getOwn, isJsonObject } from "../../../core/json.js";
import { quote, shown } from "../../../core/names.js";
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
import { entriesIn, isSet, itemsIn, textIn, under } from "../read/parts.js";
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

export const openApi3: Version = { parameters, responses, schemes, servers };

function parameters(operation: Part, shared: Part | undefined, reader: Reader): ReadParameters {
  const body = under(operation, "requestBody");
  const read = body && readBody(body, reader);
  return {
    parameters: allParameters(operation, shared, reader, readParameter),
    ...(read && { body: read }),
  };
}

/** Headers that OpenAPI ignores as parameters, because media types and security determine them. */
const ignoredHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

const places: ReadonlySet<string> = new Set(["path", "query", "header", "cookie"]);

function readParameter(part: Part, reader: Reader): Parameter | undefined {
  const name = textIn(part, "name");
  const where = textIn(part, "in");
  const leaveOut = (message: string): undefined => {
    reader.note({ code: "import/part-left-out", at: part.at, message });
    return undefined;
  };
  if (name === undefined || where === undefined)
    return leaveOut("a parameter needs a `name` and an `in`");
  if (!places.has(where))
    return leaveOut(
      `the parameter ${quote(name)} is in ${quote(where)}, where tools send no parameters`,
    );
  if (where === "header" && ignoredHeaders.has(name.toLowerCase()))
    return leaveOut(
      `the header ${quote(name)} becomes no parameter: skillc sets it from media types and authentication`,
    );
  const [content] = entriesIn(under(part, "content"));
  const style = styleOf(part, name, where, reader);
  const explode = under(part, "explode")?.value;
  const description = textIn(part, "description");
  const example = under(part, "example");
  return {
    name,
    // The place was looked up above.
    in: where as ParameterPlace,
    isRequired: isSet(part, "required") || where === "path",
    ...(description !== undefined && { description }),
    isDeprecated: isSet(part, "deprecated"),
    style: style === "cookie" ? "form" : style,
    explode: typeof explode === "boolean" ? explode : /^(?:form|cookie)$/.test(style),
    allowReserved: isSet(part, "allowReserved"),
    schema: content === undefined ? under(part, "schema") : under(content[1], "schema"),
    ...(content !== undefined && { mediaType: content[0] }),
    ...(example && { example }),
    at: part.at,
  };
}

/** Styles of each place, the default first. */
const styles: ReadonlyMap<string, readonly string[]> = new Map([
  ["path", ["simple", "label", "matrix"]],
  ["query", ["form", "spaceDelimited", "pipeDelimited", "deepObject"]],
  ["header", ["simple"]],
  ["cookie", ["form", "cookie"]],
]);

function styleOf(part: Part, name: string, where: string, { note }: Reader): string {
  const known = styles.get(where) ?? [];
  const [usual = ""] = known;
  const written = textIn(part, "style") ?? usual;
  if (known.includes(written)) return written;
  const message = `a ${where} has no style ${quote(written)}, so the tool writes ${quote(name)} in the style \`${usual}\``;
  note({ code: "import/part-left-out", at: part.at, message });
  return usual;
}

function readBody(written: Part, reader: Reader): Body | undefined {
  const part = followed(written, reader, "body");
  if (part === undefined) return undefined;
  const description = textIn(part, "description");
  return {
    isRequired: isSet(part, "required"),
    ...(description !== undefined && { description }),
    contents: contentsOf(part, reader),
    at: part.at,
  };
}

function contentsOf(part: Part, reader: Reader): readonly Content[] {
  return entriesIn(under(part, "content")).flatMap(([type, written]) => {
    const media = followed(written, reader, "media type");
    if (media === undefined) return [];
    const [schema, itemSchema] = [under(media, "schema"), under(media, "itemSchema")];
    return {
      type: bareType(type),
      written: type,
      ...(schema && { schema }),
      ...(itemSchema && { itemSchema }),
      encoding: new Map(
        entriesIn(under(media, "encoding")).map(([name, each]) => [name, encodingOf(each)]),
      ),
      at: media.at,
    };
  });
}

function encodingOf(part: Part): Encoding {
  const [contentType, style] = [textIn(part, "contentType"), textIn(part, "style")];
  const explode = under(part, "explode")?.value;
  const headers = entriesIn(under(part, "headers"))
    .map(([name]) => name)
    .filter((name) => name.toLowerCase() !== "content-type");
  return {
    ...(contentType !== undefined && { contentType }),
    ...(style !== undefined && { style }),
    ...(typeof explode === "boolean" && { explode }),
    ...(headers.length > 0 && { headers }),
  };
}

function responses(operation: Part, reader: Reader): readonly Response[] {
  return entriesIn(under(operation, "responses")).flatMap(([status, written]) => {
    if (status.startsWith("x-")) return [];
    const part = followed(written, reader, "response");
    if (part === undefined) return [];
    for (const [name, link] of entriesIn(under(part, "links")))
      reader.note({
        code: "import/part-left-out",
        at: link.at,
        message: `the import leaves out the link ${quote(name)}: a caller passes the values to the next call`,
      });
    const description = textIn(part, "description");
    return {
      status: status.toUpperCase() === "DEFAULT" ? "default" : status.toUpperCase(),
      ...(description !== undefined && { description }),
      headers: entriesIn(under(part, "headers")).map(([name]) => name),
      contents: contentsOf(part, reader),
      at: part.at,
    };
  });
}

function schemes(reader: Reader): ReadonlyMap<string, SecurityScheme> {
  const all = entriesIn(under(under(reader.root, "components"), "securitySchemes"));
  return new Map(
    all.map(([name, written]) => {
      const part = reader.documents.follow(written);
      const read = part && getOwn(readers, textIn(part, "type") ?? "");
      return [name, (part && read?.(part, reader)) ?? { kind: "other", name: typeName(part) }];
    }),
  );
}

function typeName(part: Part | undefined): string {
  return [textIn(part, "type"), textIn(part, "scheme")].flatMap((each) => each ?? []).join(" ");
}

type ReadScheme = (part: Part, reader: Reader) => SecurityScheme | undefined;

const readers: Readonly<Record<string, ReadScheme | undefined>> = {
  __proto__: null as never,
  apiKey,
  http: (part) => {
    const scheme = textIn(part, "scheme")?.toLowerCase();
    if (scheme === "basic") return { kind: "basic" };
    return scheme === "bearer" ? { kind: "bearer" } : undefined;
  },
  mutualTLS: () => ({ kind: "mutualTLS" }),
  openIdConnect: () => ({ kind: "bearer" }),
  oauth2: (part) => {
    const flows = under(part, "flows");
    const tokenUrl = (flow: string): string | undefined => textIn(under(flows, flow), "tokenUrl");
    const refresh =
      textIn(under(flows, "authorizationCode"), "refreshUrl") ?? tokenUrl("authorizationCode");
    const clientCredentials = tokenUrl("clientCredentials");
    return {
      kind: "oauth2",
      ...(clientCredentials !== undefined && { clientCredentials }),
      ...(refresh !== undefined && { refresh }),
    };
  },
};

function servers(owner: Part): readonly Server[] {
  return itemsIn(under(owner, "servers")).flatMap((server) => {
    const url = textIn(server, "url");
    if (url === undefined || !isJsonObject(server.value)) return [];
    const description = textIn(server, "description");
    return {
      url: serverUrl(url, under(server, "variables")),
      ...(description !== undefined && { description: shown(description) }),
    };
  });
}

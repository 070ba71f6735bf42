import type { Style } from "@skillc/runtime/internal/http";
import type { SchemaModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { callerRoot } from "../../kit/caller-root.js";
import type {
  TemplateLanguage,
  TextPart,
  TextTemplate,
  ValuePart,
} from "../../kit/text-template.js";
import type { ScalarEntry, ScalarModel, ValueNode } from "../../kit/values/model.js";
import { templatesBelow } from "../../kit/values/templates-in.js";

/** Template language of HTTP bindings: parameters, the caller, and credentials. */
export const httpTemplates: TemplateLanguage<"caller"> = { kind: "http", roots: [callerRoot] };

export type HttpText = TextTemplate<"caller">;
/** A part of a template that each call fills in. */
export type HttpValuePart = Extract<TextPart<"caller">, { readonly kind: ValuePart["kind"] }>;

/** A named value of the query, headers or cookies. */
export interface HttpEntry extends ScalarEntry<"caller"> {
  /** Style of the value. By default it is text, and in a query an array repeats the name. */
  readonly style?: StyleModel;
}

/** How a list or an object is written as text. */
export interface StyleModel {
  readonly name: Style;
  readonly explode: boolean;
  /** True if reserved characters are not encoded. */
  readonly reserved: boolean;
  /** Span of `allow_dot_segments: true`, which allows parts that are `.`, `..` or empty. */
  readonly dots?: Span;
  readonly span: Span;
}

/** A parameter in the path that has a style. */
export interface StyledPart {
  readonly kind: "styled";
  /** Name in the URL's braces. */
  readonly name: string;
  readonly part: HttpValuePart;
  readonly style: StyleModel;
  readonly span: Span;
}

export const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof httpMethods)[number];

/**
 * An HTTP binding as its author wrote it: plain data, with a span for every part that a diagnostic
 * or a type error may point at.
 */
export interface HttpConfig {
  readonly method: MethodModel;
  readonly url: UrlModel;
  /** Entries of the URL's own query that have placeholders, then those of `query`. */
  readonly query: readonly HttpEntry[];
  readonly headers: readonly HttpEntry[];
  /** Cookies; absent if there are none. */
  readonly cookies?: readonly HttpEntry[];
  /** Authenticators in the order of application; absent if there are none. */
  readonly auth?: readonly AuthModel[];
  readonly body: BodyModel;
  readonly idempotency?: IdempotencyModel;
  /** Limit of a response in bytes, after decompression. */
  readonly maxResponseBytes: number;
  /** Span of the limit; absent if it isn't declared. */
  readonly maxResponseSpan?: Span;
  readonly statuses: readonly StatusModel[];
  /** Form of a success's body, if declared. */
  readonly form?: AnswerForm;
  readonly response?: SchemaModel;
  readonly errorResponse?: SchemaModel;
  readonly dataPath?: PathModel;
  readonly errorPath?: PathModel;
  /** Set if the result is divided into pages. */
  readonly pagination?: PaginationModel;
  /** Set if status 202 means that the result is not ready yet. */
  readonly poll?: PollModel;
  /** Headers that the result contains beside the data. */
  readonly answerHeaders?: readonly AnswerHeader[];
  /** False if a faulty placeholder hides which parameters the request uses. */
  readonly whole: boolean;
}

/** An authenticator, for methods that need more than a header with a credential. */
export interface AuthModel {
  readonly kind: "basic" | "oauth2" | "aws_sigv4" | "client_certificate";
  readonly span: Span;
  /** Texts by the author's keys: literal, or with credentials. */
  readonly texts: AuthTexts;
  readonly words: { readonly [key: string]: string };
  readonly scopes: readonly string[];
}

export type AuthTexts = { readonly [key: string]: HttpText };

export interface MethodModel {
  readonly name: HttpMethod;
  /** Span of the method, or of the binding's type if no method is written. */
  readonly span: Span;
  /** Set if the author wrote no method. */
  readonly isDefault?: true;
}

export interface UrlModel {
  readonly span: Span;
  readonly origin: OriginModel;
  readonly path: readonly PathPiece[];
  /** The literal part of the URL's query, encoded, with its `?`; empty if there is none. */
  readonly literalQuery: { readonly text: string; readonly span: Span };
}

export type OriginModel =
  /** Scheme, host and port as `URL` normalizes them. */
  | { readonly kind: "literal"; readonly origin: string; readonly span: Span }
  /** `${NAME}`: an origin, perhaps with a base path, known at run time. */
  | { readonly kind: "credential"; readonly name: string; readonly span: Span };

export type PathPiece =
  /** Text of the URL, including slashes. */
  | { readonly kind: "text"; readonly text: string; readonly span: Span }
  /**
   * One segment with parameters or caller fields. `fixed` has one text more than `values`, encoded
   * as in the URL.
   */
  | {
      readonly kind: "segment";
      readonly fixed: readonly string[];
      readonly values: readonly (HttpValuePart | StyledPart)[];
      readonly span: Span;
    };

export type BodyModel =
  | { readonly kind: "none" }
  /** No `body_template`: every parameter that nothing else uses. */
  | { readonly kind: "rest"; readonly span: Span }
  /** A JSON body. */
  | { readonly kind: "template"; readonly value: ValueNode<"caller">; readonly span: Span }
  | {
      readonly kind: "form";
      readonly fields: ValueNode<"caller">;
      readonly style: FormStyle;
      readonly span: Span;
    }
  | {
      readonly kind: "multipart";
      readonly parts: readonly PartModel[];
      /** Parameter whose properties are further parts. */
      readonly fields?: ScalarModel<"caller">;
      readonly span: Span;
    }
  /** Text of any content type, or a file. */
  | {
      readonly kind: "raw";
      readonly content: ScalarModel<"caller">;
      readonly type?: ScalarModel<"caller">;
      readonly span: Span;
    };

/** A part of a multipart body. */
export type PartModel = {
  readonly name: string;
  readonly span: Span;
  /** Its media type, if declared. */
  readonly type?: ScalarModel<"caller">;
} & (
  | { readonly kind: "text" | "file"; readonly value: ScalarModel<"caller"> }
  | { readonly kind: "json"; readonly value: ValueNode<"caller"> }
);

/** How a form writes lists and objects. */
export const formStyles = ["brackets", "repeat"] as const;
export type FormStyle = (typeof formStyles)[number];

export interface IdempotencyModel {
  readonly header: string;
  readonly span: Span;
  /** The author's key; absent for a random key for each call. */
  readonly key?: HttpText;
}

/** Kinds of pagination, by the author's words. */
export const paginations = ["link_header", "cursor", "page", "offset"] as const;

export interface PaginationModel {
  readonly by: (typeof paginations)[number];
  readonly span: Span;
  /** Parameter that selects a page. */
  readonly parameter?: NamedParameter;
  /** Parameter with the number of items per page. */
  readonly limit?: NamedParameter;
  readonly at?: PathModel;
  readonly more?: PathModel;
  /** Path of the items in the data. */
  readonly items?: PathModel;
}

/** How to follow accepted work. Settings without a declaration are absent. */
export interface PollModel {
  readonly span: Span;
  /** Name of the header as written. */
  readonly location?: string;
  readonly at?: PathModel;
  readonly state?: PathModel;
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** Spans of the states in `done` and `failed`; absent if there are none. */
  readonly doneSpans?: readonly Span[];
  readonly failedSpans?: readonly Span[];
  readonly intervalMs?: number;
  readonly timeoutMs?: number;
  readonly mostPolls?: number;
}

export interface NamedParameter {
  readonly name: string;
  readonly span: Span;
}

/** A response header in the result. */
export interface AnswerHeader {
  /** Name in the result. */
  readonly name: string;
  readonly header: string;
  readonly span: Span;
}

/** Forms that the body of a success may have. */
export const answerForms = ["json", "text", "bytes", "any", "ndjson", "sse"] as const;
export type FormName = (typeof answerForms)[number];

/** Form of a success's body, for statuses without a schema of their own. */
export interface AnswerForm {
  readonly as: FormName;
  readonly span: Span;
  /** Content types that it may have, in lower case: `application/pdf`, `image/*`. */
  readonly types?: readonly string[];
  /** Set if bytes are saved to a file. */
  readonly save?: true;
  /** For a stream: limit of a line or event, in bytes. */
  readonly maxItemBytes?: number;
  /** For events: data of the event that ends them. */
  readonly end?: string;
}

export interface StatusModel {
  /** Three digits, a range (`4XX`), or `default` for every failure that is not listed. */
  readonly code: string;
  readonly name: string;
  readonly span: Span;
  /** Schema of its body. */
  readonly schema?: SchemaModel;
  /** Path of the part of its body that the result contains. */
  readonly path?: PathModel;
}

/** An RFC 9535 query. */
export interface PathModel {
  readonly text: string;
  readonly span: Span;
  readonly steps: readonly PathStep[];
  /**
   * True if the steps are the whole query. The list ends at a step that could lead to several
   * different places.
   */
  readonly complete: boolean;
  /** True if it finds at most one value, and not an array. */
  readonly singular: boolean;
}

export interface PathStep {
  readonly span: Span;
  /** A name, an index, or `each` if the query continues with all or some items. */
  readonly at: string | number | { readonly each: true };
}

/**
 * Every template of a request except its URL, in the order: query, headers, cookies, idempotency
 * key, `auth`, body.
 */
export function templatesIn(
  request: Pick<HttpConfig, "query" | "headers" | "cookies" | "auth" | "body" | "idempotency">,
): readonly HttpText[] {
  const { query, headers, cookies = [], auth = [], idempotency, body } = request;
  return [
    ...[...query, ...headers, ...cookies].flatMap(({ value }) => templatesBelow(value)),
    ...(idempotency?.key ? [idempotency.key] : []),
    ...auth.flatMap(({ texts }) => Object.values(texts)),
    ...templatesOfBody(body),
  ];
}

export function templatesOfBody(body: BodyModel): readonly HttpText[] {
  if (body.kind === "template") return templatesBelow(body.value);
  if (body.kind === "form") return templatesBelow(body.fields);
  if (body.kind === "multipart")
    return [
      ...body.parts.flatMap(({ type, value }) => [
        ...templatesBelow(value),
        ...(type ? templatesBelow(type) : []),
      ]),
      ...(body.fields ? templatesBelow(body.fields) : []),
    ];
  if (body.kind !== "raw") return [];
  return [body.content, ...(body.type ? [body.type] : [])].flatMap((each) => templatesBelow(each));
}

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

/** What its templates refer to: parameters, the caller, and credentials. */
export const httpTemplates: TemplateLanguage<"caller"> = { kind: "http", roots: [callerRoot] };

export type HttpText = TextTemplate<"caller">;
/** A part of a template whose value each call fills in. */
export type HttpValuePart = Extract<TextPart<"caller">, { readonly kind: ValuePart["kind"] }>;

/** A name with its value: of the query, of headers, of cookies. */
export interface HttpEntry extends ScalarEntry<"caller"> {
  /** Absent: as text; in a query an array repeats the name. */
  readonly style?: StyleModel;
}

/** How a list or an object is written where text goes. */
export interface StyleModel {
  readonly name: Style;
  readonly explode: boolean;
  /** Whether reserved characters stay as they are. */
  readonly reserved: boolean;
  /** Span of `allow_dot_segments: true`, which allows parts that are `.`, `..` or empty. */
  readonly dots?: Span;
  readonly span: Span;
}

/** A parameter in the path that has a style. */
export interface StyledPart {
  readonly kind: "styled";
  /** In the URL's braces. */
  readonly name: string;
  readonly part: HttpValuePart;
  readonly style: StyleModel;
  readonly span: Span;
}

export const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof httpMethods)[number];

/**
 * An HTTP binding as its author meant it: plain data, a place for everything that a diagnostic or a
 * type error can be about.
 */
export interface HttpConfig {
  readonly method: MethodModel;
  readonly url: UrlModel;
  /** Those of the URL's own query that hold placeholders, then those of `query`. */
  readonly query: readonly HttpEntry[];
  readonly headers: readonly HttpEntry[];
  /** Absent where there are none. */
  readonly cookies?: readonly HttpEntry[];
  /** In the order in which they are applied; absent where there are none. */
  readonly auth?: readonly AuthModel[];
  readonly body: BodyModel;
  readonly idempotency?: IdempotencyModel;
  /** Bytes, after decompression. */
  readonly maxResponseBytes: number;
  /** Where the author says so; absent when nothing is said. */
  readonly maxResponseSpan?: Span;
  readonly statuses: readonly StatusModel[];
  /** What the body of a success is, where the author says so. */
  readonly form?: AnswerForm;
  readonly response?: SchemaModel;
  readonly errorResponse?: SchemaModel;
  readonly dataPath?: PathModel;
  readonly errorPath?: PathModel;
  /** Set where an answer is one of several pages. */
  readonly pagination?: PaginationModel;
  /** Set where 202 means that there is no answer yet. */
  readonly poll?: PollModel;
  /** What stands in `headers` beside the data. */
  readonly answerHeaders?: readonly AnswerHeader[];
  /** False when a damaged placeholder hides what the request uses. */
  readonly whole: boolean;
}

/** A way to prove who asks that takes a step of its own. */
export interface AuthModel {
  readonly kind: "basic" | "oauth2" | "aws_sigv4" | "client_certificate";
  readonly span: Span;
  /** By the author's keys: literal, or with credentials. */
  readonly texts: AuthTexts;
  readonly words: { readonly [key: string]: string };
  readonly scopes: readonly string[];
}

export type AuthTexts = { readonly [key: string]: HttpText };

export interface MethodModel {
  readonly name: HttpMethod;
  /** Of the binding's type where no method is written. */
  readonly span: Span;
  /** Set when the author wrote none. */
  readonly isDefault?: true;
}

export interface UrlModel {
  readonly span: Span;
  readonly origin: OriginModel;
  readonly path: readonly PathPiece[];
  /** The literal part of the URL's query, encoded, with its `?`; empty when there is none. */
  readonly literalQuery: { readonly text: string; readonly span: Span };
}

export type OriginModel =
  /** Scheme, host and port in the form that `URL` gives them. */
  | { readonly kind: "literal"; readonly origin: string; readonly span: Span }
  /** `${NAME}`: an origin, and maybe a base path, known at run time. */
  | { readonly kind: "credential"; readonly name: string; readonly span: Span };

export type PathPiece =
  /** Text as it stands in the URL, slashes included. */
  | { readonly kind: "text"; readonly text: string; readonly span: Span }
  /**
   * One segment that holds parameters, or the caller's names: `fixed` has one text more than `values`, each as it stands
   * in the URL.
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
  /** JSON. */
  | { readonly kind: "template"; readonly value: ValueNode<"caller">; readonly span: Span }
  | {
      readonly kind: "form";
      readonly fields: ValueNode<"caller">;
      readonly style: FormStyle;
      readonly span: Span;
    }
  | { readonly kind: "multipart"; readonly parts: readonly PartModel[]; readonly span: Span }
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
  /** Its media type, where its author says so. */
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
  /** Absent: a random key for each call. */
  readonly key?: HttpText;
}

/** How the next page is found and asked for, by what its author calls it. */
export const paginations = ["link_header", "cursor", "page", "offset"] as const;

export interface PaginationModel {
  readonly by: (typeof paginations)[number];
  readonly span: Span;
  /** The parameter that names a page. */
  readonly parameter?: NamedParameter;
  /** The parameter that says how many items a page has. */
  readonly limit?: NamedParameter;
  readonly at?: PathModel;
  readonly more?: PathModel;
  /** In the data. */
  readonly items?: PathModel;
}

/** How work that was accepted is followed. What its author leaves out is absent. */
export interface PollModel {
  readonly span: Span;
  /** As it is written. */
  readonly location?: string;
  readonly at?: PathModel;
  readonly state?: PathModel;
  readonly done: readonly string[];
  readonly failed: readonly string[];
  readonly intervalMs?: number;
  readonly timeoutMs?: number;
  readonly mostPolls?: number;
}

export interface NamedParameter {
  readonly name: string;
  readonly span: Span;
}

/** A header of the answer. */
export interface AnswerHeader {
  /** As the result calls it. */
  readonly name: string;
  readonly header: string;
  readonly span: Span;
}

/** What the body of a success may be. */
export const answerForms = ["json", "text", "bytes", "ndjson", "sse"] as const;
export type FormName = (typeof answerForms)[number];

/** What the body of a success is, of which its status says nothing of its own. */
export interface AnswerForm {
  readonly as: FormName;
  readonly span: Span;
  /** The content types that it may have, in lower case: `application/pdf`, `image/*`. */
  readonly types?: readonly string[];
  /** Of bytes: they go into a file. */
  readonly save?: true;
  /** Of a stream: bytes of its longest line, or event. */
  readonly maxItemBytes?: number;
  /** Of events: the data of the one that ends them. */
  readonly end?: string;
}

export interface StatusModel {
  /** Three digits, a range (`4XX`), or `default`: every failure that is not listed. */
  readonly code: string;
  readonly name: string;
  readonly span: Span;
  /** Of its body. */
  readonly schema?: SchemaModel;
  /** What of its body the result carries. */
  readonly path?: PathModel;
}

/** An RFC 9535 query. */
export interface PathModel {
  readonly text: string;
  readonly span: Span;
  readonly steps: readonly PathStep[];
  /**
   * Whether the steps are all of it: the list ends at one that could lead to several unlike places.
   */
  readonly complete: boolean;
  /** Whether it gives one value at most, and not an array. */
  readonly singular: boolean;
}

export interface PathStep {
  readonly span: Span;
  /** A name, an index, or `each` for what goes on with every item, or with some of them. */
  readonly at: string | number | { readonly each: true };
}

/**
 * Every template of a request but its URL, in the order: query, headers, cookies, idempotency key,
 * `auth`, body.
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
    return body.parts.flatMap(({ type, value }) => [
      ...templatesBelow(value),
      ...(type ? templatesBelow(type) : []),
    ]);
  if (body.kind !== "raw") return [];
  return [body.content, ...(body.type ? [body.type] : [])].flatMap((each) => templatesBelow(each));
}

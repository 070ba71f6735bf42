/**
 * Model of an API, independent of the version of its description. Schemas and other values that
 * depend on their place stay parts of the documents.
 */
import type { Note } from "./note.js";
import type { Part, DocumentLocation } from "./read/document.js";

export interface Api {
  /** Name of the format: `OpenAPI 3.1`, `Swagger 2.0`. */
  readonly format: string;
  readonly title: string;
  readonly description?: string;
  readonly version?: string;
  readonly tags: ReadonlyMap<string, string>;
  /** Operations in the order of the document. */
  readonly operations: readonly Operation[];
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** Schemes that a person chose for single operations, by their form: `header:X-Api-Key`. */
  readonly givenSchemes?: ReadonlyMap<string, SecurityScheme>;
  /** Requirements of operations that don't state their own. */
  readonly security: readonly Requirement[];
  readonly servers: readonly Server[];
  /** Notes about the whole API. */
  readonly notes: readonly Note[];
}

export interface Operation {
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path as written: `/pets/{petId}`, including a fragment (`fragments.ts`). */
  readonly path: string;
  readonly at: DocumentLocation;
  readonly id?: string;
  /** Name of the tool that a person chose. */
  readonly toolName?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly responses: readonly Response[];
  /** Requirements of the operation; undefined if those of the API apply. */
  readonly security?: readonly Requirement[];
  /** Servers of the operation; empty if those of the API apply. */
  readonly servers: readonly Server[];
  /** Restrictions of the operation that a tool can't express. */
  readonly notes: readonly Note[];
  /** Reason why the operation can't become a tool. */
  readonly obstacle?: Note;
}

export type ParameterPlace = "path" | "query" | "header" | "cookie";

export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly isRequired: boolean;
  readonly description?: string;
  readonly isDeprecated: boolean;
  /** Style names of OpenAPI 3. */
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly schema: Part | undefined;
  /** Media type of a value that has its own. */
  readonly mediaType?: string;
  readonly example?: Part;
  readonly at: DocumentLocation;
}

export interface Body {
  readonly isRequired: boolean;
  readonly description?: string;
  readonly contents: readonly Content[];
  readonly at: DocumentLocation;
}

/** One media type of a body. */
export interface Content {
  /** In lower case and without parameters: `application/json`. */
  readonly type: string;
  /** The media type as the document writes it: `application/vnd.acme+json;version=2`. */
  readonly written: string;
  readonly schema?: Part;
  /** Schema of each item of a sequence (OpenAPI 3.2). */
  readonly itemSchema?: Part;
  /** Encoding of the properties of a form, by name. */
  readonly encoding: ReadonlyMap<string, Encoding>;
  readonly at: DocumentLocation;
}

export interface Encoding {
  readonly contentType?: string;
  readonly style?: string;
  readonly explode?: boolean;
  /** Headers of a part, other than its content type. */
  readonly headers?: readonly string[];
}

export interface Response {
  /** Status code or range: `200`, `4XX` or `default`. */
  readonly status: string;
  readonly description?: string;
  readonly headers: readonly string[];
  readonly contents: readonly Content[];
  readonly at: DocumentLocation;
}

/** Schemes to use together, with the required scopes. An empty list means anonymous. */
export type Requirement = readonly {
  readonly scheme: string;
  readonly scopes: readonly string[];
  readonly at: DocumentLocation;
}[];

export type SecurityScheme =
  | { readonly kind: "basic" }
  | { readonly kind: "bearer" }
  | {
      readonly kind: "apiKey";
      readonly in: "query" | "header" | "cookie";
      readonly name: string;
    }
  | {
      readonly kind: "oauth2";
      /** Token URL of the flow in which a program gets its own tokens. */
      readonly clientCredentials?: string;
      /** Token URL of a flow that a person starts, and whose tokens are refreshed later. */
      readonly refresh?: string;
    }
  | { readonly kind: "mutualTLS" }
  | {
      readonly kind: "awsSigV4";
      /** Name of the service in signatures: `execute-api`. */
      readonly service: string;
    }
  /** A scheme that a tool can't express. */
  | { readonly kind: "other"; readonly name: string };

export interface Server {
  /** URL without user, password, query and fragment. Variables have their default values. */
  readonly url: string;
  readonly description?: string;
}

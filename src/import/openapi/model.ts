/**
 * An API as all versions of its description say it. Schemas, and whatever else has meaning by
 * where it stands, stay parts of the documents.
 */
import type { Note } from "./note.js";
import type { Part, DocumentLocation } from "./read/document.js";

export interface Api {
  /** `OpenAPI 3.1`, `Swagger 2.0`. */
  readonly format: string;
  readonly title: string;
  readonly description?: string;
  readonly version?: string;
  readonly tags: ReadonlyMap<string, string>;
  /** In the order of the document. */
  readonly operations: readonly Operation[];
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** What operations need that say nothing else. */
  readonly security: readonly Requirement[];
  readonly servers: readonly Server[];
  /** About no operation in particular. */
  readonly notes: readonly Note[];
}

export interface Operation {
  /** In upper case. */
  readonly method: string;
  /** As the document has it: `/pets/{petId}`; with the fragment that some have (`fragments.ts`). */
  readonly path: string;
  readonly at: DocumentLocation;
  readonly id?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly responses: readonly Response[];
  /** Its own; undefined where the API's holds. */
  readonly security?: readonly Requirement[];
  /** Its own; empty where the API's hold. */
  readonly servers: readonly Server[];
  /** What of it a tool can't say. */
  readonly notes: readonly Note[];
  /** Why it can be no tool. */
  readonly obstacle?: Note;
}

export type ParameterPlace = "path" | "query" | "header" | "cookie";

export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly isRequired: boolean;
  readonly description?: string;
  readonly isDeprecated: boolean;
  /** As OpenAPI 3 names them. */
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly schema: Part | undefined;
  /** Of a value that is written in a media type of its own. */
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
  /** In lower case, without parameters: `application/json`. */
  readonly type: string;
  readonly schema?: Part;
  /** Of each item of a sequence (OpenAPI 3.2). */
  readonly itemSchema?: Part;
  /** How the properties of a form are written, by name. */
  readonly encoding: ReadonlyMap<string, Encoding>;
  readonly at: DocumentLocation;
}

export interface Encoding {
  readonly contentType?: string;
  readonly style?: string;
  readonly explode?: boolean;
  /** Of a part of its own, but for its content type. */
  readonly headers?: readonly string[];
}

export interface Response {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly description?: string;
  readonly headers: readonly string[];
  readonly contents: readonly Content[];
  readonly at: DocumentLocation;
}

/** Schemes that hold together, with the scopes that they need; none at all is anonymous. */
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
      /** Of the flow by which a program gets its own tokens. */
      readonly clientCredentials?: string;
      /** Of a flow that a person begins, after which tokens are refreshed. */
      readonly refresh?: string;
    }
  | { readonly kind: "mutualTLS" }
  /** Nothing that a tool can say. */
  | { readonly kind: "other"; readonly name: string };

export interface Server {
  /** Without user, password, query and fragment; variables filled with their defaults. */
  readonly url: string;
  readonly description?: string;
}

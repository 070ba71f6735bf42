import type { Compiled } from "./compile-document.js";
import type { Cost } from "./run-program.js";

/** Results for one document, compared with those of another compiler of types. */
export interface Judged extends Compiled {
  readonly document: string;
  /** Version of OpenAPI or Swagger: `3.0.3`, `2.0`. */
  readonly version: string;
  /** Size of the document in bytes. */
  readonly size: number;
  /** Result of openapi-typescript; null if it rejects the document, such as Swagger 2. */
  readonly other: (Cost & { readonly bytes: number }) | null;
}

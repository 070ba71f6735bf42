import type { Compiled } from "./compile-document.js";
import type { Cost } from "./run-program.js";

/** One document, beside what another compiler of types makes of it. */
export interface Judged extends Compiled {
  readonly document: string;
  /** `3.0.3`, `2.0`. */
  readonly version: string;
  /** Bytes of it. */
  readonly size: number;
  /** What openapi-typescript makes of it; null where it refuses, as it does Swagger 2. */
  readonly other: (Cost & { readonly bytes: number }) | null;
}

import type { Compiled } from "./compile-document.js";

/** One document, beside what another compiler of types makes of it. */
export interface Judged extends Compiled {
  readonly document: string;
  /** Bytes of it. */
  readonly size: number;
  /** What openapi-typescript makes of it; null where it refuses, as it does Swagger 2. */
  readonly other: { readonly ms: number; readonly bytes: number } | null;
}

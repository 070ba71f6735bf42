import type { ByteStore } from "../bindings/binding.js";

/** A store of texts by key, safe to delete at any time. What it gives back was put in under the same key by the same build of skillc. */
export interface CompileCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /** Entries that are needed still, though nobody asks for them now; absent where none is ever forgotten. */
  readonly keep?: (keys: readonly string[]) => void;
  /** For what binding kinds keep. */
  readonly bytes?: ByteStore;
}

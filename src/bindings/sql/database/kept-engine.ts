import { gunzipSync, gzipSync } from "node:zlib";
import { sha256 } from "../../../core/hash.js";
import type { ByteStore } from "../../binding.js";
import type { EmbeddedEngine } from "./engine.js";
import type { SchemaFile } from "./schema-files.js";
import type { Snapshot } from "./snapshot.js";

/** An embedded engine as a run leaves it for the next: its image, and what its catalogues hold, which takes long to read. */
export interface KeptEngine {
  readonly image: Uint8Array<ArrayBuffer>;
  /** Its OIDs are those of the image. */
  readonly snapshot: Snapshot;
}

/** What an earlier run kept of an engine with exactly these files. */
export async function keptEngine(
  store: ByteStore | undefined,
  files: readonly SchemaFile[],
): Promise<KeptEngine | undefined> {
  const bytes = await store?.get(keyOf(files));
  if (bytes === undefined) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const text = gunzipSync(bytes.subarray(lengthBytes, lengthBytes + length)).toString();
  // The store gives back only what `keepEngine` of the same build put in.
  const snapshot = JSON.parse(text) as Snapshot;
  return { snapshot, image: bytes.subarray(lengthBytes + length) };
}

/** Keeps an engine for later runs; nothing where nothing may be written. */
export async function keepEngine(
  store: ByteStore | undefined,
  files: readonly SchemaFile[],
  engine: EmbeddedEngine,
  snapshot: Snapshot,
): Promise<void> {
  if (store?.set === undefined) return;
  const text = gzipSync(JSON.stringify(snapshot));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(text.length);
  await store.set(keyOf(files), Buffer.concat([length, text, await engine.image()]));
}

const lengthBytes = 4;

function keyOf(files: readonly SchemaFile[]): string {
  return sha256(JSON.stringify(["embedded PostgreSQL", files]));
}

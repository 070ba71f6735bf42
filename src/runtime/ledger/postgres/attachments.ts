import { attachmentOf, dayOf, hashOf, isWellFormed } from "../attachment-days.js";
import {
  type AttachmentPolicy,
  type AttachmentStore,
  bytesPolicyOf,
  type KeptAttachment,
} from "../attachments.js";
import type { ItemAttachment } from "./item.js";
import { type LedgerConnections, type PostgresClient, unavailable } from "./pool.js";
import { type Tables, textOf } from "./tables.js";

/** SQL for the content of a row. The same content may have been stored as a result and as bytes. */
const content = "coalesce(bytes, convert_to(json, 'UTF8'))";

/**
 * Stores whole results, and bytes that calls produced, in a table. They are inserted together with
 * the record that is appended next.
 */
export class AttachmentTable implements AttachmentStore {
  readonly policy: AttachmentPolicy | undefined;
  readonly #connections: LedgerConnections;
  readonly #tables: Tables;
  #next: ItemAttachment[] = [];
  /** Day on which expired attachments were last removed. */
  #removedOn = "";

  constructor(
    connections: LedgerConnections,
    tables: Tables,
    policy: AttachmentPolicy | undefined,
  ) {
    this.#connections = connections;
    this.#tables = tables;
    this.policy = policy;
  }

  keep(json: string): KeptAttachment {
    return this.#keep(json, this.policy?.results?.keepDays, { json, base64: null });
  }

  keepBytes(bytes: Uint8Array): KeptAttachment {
    const base64 = Buffer.from(bytes).toString("base64");
    return this.#keep(bytes, bytesPolicyOf(this.policy)?.keepDays, { json: null, base64 });
  }

  #keep(
    content: string | Uint8Array,
    keepDays: number | undefined,
    columns: Pick<ItemAttachment, "base64" | "json">,
  ): KeptAttachment {
    const nowMs = Date.now();
    const kept = attachmentOf(content, keepDays, nowMs);
    this.#next.push({ ...kept, ...columns });
    this.#removeExpired(dayOf(nowMs));
    return kept;
  }

  /** Returns the attachments that were added since the last call. */
  take(): readonly ItemAttachment[] {
    const next = this.#next;
    if (next.length > 0) this.#next = [];
    return next;
  }

  async read(attachment: KeptAttachment): Promise<string | undefined> {
    return (await this.readBytes(attachment))?.toString("utf8");
  }

  async readBytes(attachment: KeptAttachment): Promise<Buffer | undefined> {
    if (!isWellFormed(attachment)) return undefined;
    const { folder, sha256 } = attachment;
    const text = `SELECT encode(${content}, 'base64') AS base64 FROM ${this.#tables.attachments} WHERE folder = $1 AND sha256 = $2`;
    try {
      const { rows } = await this.#connections.use((client) =>
        client.query(text, [folder, sha256]),
      );
      const base64 = rows[0]?.["base64"] ?? undefined;
      const bytes = base64 === undefined ? undefined : Buffer.from(base64, "base64");
      return bytes !== undefined && hashOf(bytes) === sha256 ? bytes : undefined;
    } catch (error) {
      throw unavailable("the ledger can't be read", error);
    }
  }

  /** Runs in the background. If it fails, the next attachment tries again. */
  #removeExpired(today: string): void {
    const keepDays = this.policy?.results?.keepDays ?? bytesPolicyOf(this.policy)?.keepDays;
    if (keepDays === undefined || today === this.#removedOn) return;
    this.#removedOn = today;
    const text = `DELETE FROM ${this.#tables.attachments} WHERE folder LIKE 'until-%' AND folder < $1`;
    this.#connections
      .use((client) => client.query(text, [`until-${today}`]))
      .catch(() => {
        this.#removedOn = "";
      });
  }
}

/** Removes attachments from before this day, except those with `keepDays`. */
export async function pruneAttachments(
  client: PostgresClient,
  { attachments }: Tables,
  beforeMs: number,
): Promise<void> {
  await client.query(`DELETE FROM ${attachments} WHERE folder NOT LIKE 'until-%' AND folder < $1`, [
    dayOf(beforeMs),
  ]);
}

/**
 * Returns which attachments are intact and which were changed, by their keys. Missing ones are not
 * in the map.
 */
export async function findAttachments(
  ask: (
    text: string,
    values: unknown[],
  ) => Promise<readonly { readonly [name: string]: string | null }[]>,
  { attachments }: Tables,
  wanted: readonly KeptAttachment[],
): Promise<ReadonlyMap<string, "intact" | "changed">> {
  const found = new Map<string, "intact" | "changed">();
  if (wanted.length === 0) return found;
  const rows = await ask(
    `SELECT folder, sha256, (encode(sha256(${content}), 'hex') = sha256)::text AS intact
     FROM ${attachments} JOIN unnest($1::text[], $2::text[]) AS wanted(folder, sha256) USING (folder, sha256)`,
    [wanted.map(({ folder }) => folder), wanted.map(({ sha256 }) => sha256)],
  );
  for (const row of rows) {
    const key = keyOf({ folder: textOf(row, "folder"), sha256: textOf(row, "sha256") });
    found.set(key, row["intact"] === "true" ? "intact" : "changed");
  }
  return found;
}

export function keyOf({ folder, sha256 }: Pick<KeptAttachment, "folder" | "sha256">): string {
  return `${folder}/${sha256}`;
}

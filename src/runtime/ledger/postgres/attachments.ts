import { attachmentOf, dayOf, hashOfJson, isWellFormed } from "../attachment-days.js";
import type { AttachmentPolicy, AttachmentStore, KeptAttachment } from "../attachments.js";
import type { ItemAttachment } from "./item.js";
import { type LedgerConnections, type PostgresClient, unavailable } from "./pool.js";
import { type Tables, textOf } from "./tables.js";

/** Keeps whole results in a table: each goes with the record that is appended next. */
export class AttachmentTable implements AttachmentStore {
  readonly policy: AttachmentPolicy | undefined;
  readonly #connections: LedgerConnections;
  readonly #tables: Tables;
  #next: ItemAttachment | undefined;
  /** The last day on which those whose time is over were removed. */
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
    const nowMs = Date.now();
    const kept = attachmentOf(json, this.policy, nowMs);
    this.#next = { ...kept, json };
    this.#removeExpired(dayOf(nowMs));
    return kept;
  }

  /** What was kept since this was asked last. */
  take(): ItemAttachment | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  async read(attachment: KeptAttachment): Promise<string | undefined> {
    if (!isWellFormed(attachment)) return undefined;
    const { folder, sha256 } = attachment;
    const text = `SELECT json FROM ${this.#tables.attachments} WHERE folder = $1 AND sha256 = $2`;
    try {
      const { rows } = await this.#connections.use((client) =>
        client.query(text, [folder, sha256]),
      );
      const json = rows[0]?.["json"] ?? undefined;
      return json !== undefined && hashOfJson(json) === sha256 ? json : undefined;
    } catch (error) {
      throw unavailable("the ledger can't be read", error);
    }
  }

  /** In the background: what can't be removed today is removed another day. */
  #removeExpired(today: string): void {
    if (this.policy?.results.keepDays === undefined || today === this.#removedOn) return;
    this.#removedOn = today;
    const text = `DELETE FROM ${this.#tables.attachments} WHERE folder LIKE 'until-%' AND folder < $1`;
    this.#connections
      .use((client) => client.query(text, [`until-${today}`]))
      .catch(() => {
        this.#removedOn = "";
      });
  }
}

/** Removes those of days that were over by then, and that have no time of their own. */
export async function pruneAttachments(
  client: PostgresClient,
  { attachments }: Tables,
  beforeMs: number,
): Promise<void> {
  await client.query(`DELETE FROM ${attachments} WHERE folder NOT LIKE 'until-%' AND folder < $1`, [
    dayOf(beforeMs),
  ]);
}

/** Which of these are there as they were kept, and which are not what they were, by their key. */
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
    `SELECT folder, sha256, (encode(sha256(convert_to(json, 'UTF8')), 'hex') = sha256)::text AS intact
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

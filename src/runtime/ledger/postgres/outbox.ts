import type { EventSink, ToolEvent } from "../../governance/events.js";
import type { Item } from "./item.js";
import { inTransaction } from "./migrate.js";
import { type LedgerConnections, type PostgresClient, type Row, unavailable } from "./pool.js";
import { partsOf, type PostgresLedger } from "./postgres-ledger.js";
import { type Tables, textOf } from "./tables.js";

/** Takes events from the outbox on. What it throws leaves them there. */
export type Deliver = (events: readonly ToolEvent[]) => void | Promise<void>;

export interface RelayOptions {
  /** How many events are handed over at a time; 100 when not given. */
  readonly batch?: number;
  /** Ends the relay after the batch that is under way. */
  readonly signal?: AbortSignal;
}

export interface Outbox {
  /**
   * Keeps events in a table beside the ledger, each with the record that it belongs to, or before
   * the call leaves: `governance({ policy, events: outbox.sink })`.
   */
  readonly sink: EventSink;
  /**
   * Hands over what is in the outbox, until there is nothing left, and removes what was taken. An
   * event is handed over once or more, with the same `envelope_id`; those of one process in their
   * order. Relays may run beside each other: each takes the events of another process.
   *
   * @returns how many events were taken
   * @throws what `deliver` throws; LedgerUnavailable when the server can't be asked
   */
  relay(deliver: Deliver, options?: RelayOptions): Promise<number>;
}

/** Where events wait that must not be lost. @throws TypeError for a ledger that is not PostgreSQL's */
export function createOutbox(ledger: PostgresLedger): Outbox {
  const { connections, queue, tables } = partsOf(ledger);
  const take = (event: ToolEvent): undefined | Promise<void> => {
    if (isWaitedFor(event)) return queue.put(eventItem(event, false));
    // It goes with the record that is appended in the same turn, and is tried again as that is.
    queue.putLater(eventItem(event, true))?.catch(ignore);
    return undefined;
  };
  return {
    sink: Object.assign(take, { isWaitedFor: true } as const),
    async relay(deliver, { batch = defaultBatch, signal } = {}) {
      if (!Number.isSafeInteger(batch) || batch < 1)
        throw new RangeError(`\`batch\` is no count of events: ${batch}`);
      for (let total = 0; ;) {
        if (signal?.aborted) return total;
        const taken = await relayOnce(connections, tables, deliver, batch);
        if (taken === 0) return total;
        total += taken;
      }
    },
  };
}

const defaultBatch = 100;

/** A write does not leave before its event is there. */
function isWaitedFor(event: ToolEvent): boolean {
  return event.type === "ToolInvokeBegin" && event.effect === "write";
}

function eventItem(event: ToolEvent, isKept: boolean): Item {
  const json = JSON.stringify(event);
  return { type: "event", id: "", isKept, json: () => json };
}

function ignore(): void {}

/** Whoever takes events may be slow. In milliseconds. */
const longestMs = 60 * 60 * 1000;

/** What `deliver` has thrown is its caller's, and no failure of the ledger. */
class NotDelivered extends Error {
  override readonly name = "NotDelivered";
}

async function relayOnce(
  connections: LedgerConnections,
  tables: Tables,
  deliver: Deliver,
  batch: number,
): Promise<number> {
  try {
    return await connections.use(
      (client) => inTransaction(client, () => relayBatch(client, tables, deliver, batch)),
      longestMs,
    );
  } catch (error) {
    if (error instanceof NotDelivered) throw error.cause;
    throw unavailable("the outbox can't be emptied", error);
  }
}

/**
 * The oldest events of the first writer whose events nobody else is handing over. They stay locked
 * until they are taken: a process that dies meanwhile leaves them as they were.
 */
async function relayBatch(
  client: PostgresClient,
  { events }: Tables,
  deliver: Deliver,
  batch: number,
): Promise<number> {
  const { rows: firsts } = await client.query(firstEvents(events));
  const [first] = firsts;
  if (first === undefined) return 0;
  const writer = textOf(first, "writer");
  const { rows } = await client.query(
    `SELECT e.number::text, e.event FROM ${events} e WHERE e.writer = $1 ORDER BY e.number LIMIT $2::int`,
    [writer, batch],
  );
  try {
    await deliver(rows.map(eventOf));
  } catch (cause) {
    throw new NotDelivered("an event was not taken", { cause });
  }
  await client.query(`DELETE FROM ${events} WHERE writer = $1 AND number = ANY($2::bigint[])`, [
    writer,
    rows.map((row) => textOf(row, "number")),
  ]);
  return rows.length;
}

function eventOf(row: Row): ToolEvent {
  // `eventItem` wrote it.
  return JSON.parse(textOf(row, "event")) as ToolEvent;
}

/** Of each writer its first event, by one step into the index for each; the oldest that is free. */
function firstEvents(events: string): string {
  return `WITH RECURSIVE firsts AS (
      (SELECT writer, number FROM ${events} ORDER BY writer, number LIMIT 1)
      UNION ALL
      SELECT next.* FROM firsts CROSS JOIN LATERAL (
        SELECT writer, number FROM ${events} later WHERE later.writer > firsts.writer
        ORDER BY writer, number LIMIT 1) next)
    SELECT e.writer FROM ${events} e JOIN firsts USING (writer, number)
    ORDER BY e.number LIMIT 1 FOR UPDATE OF e SKIP LOCKED`;
}

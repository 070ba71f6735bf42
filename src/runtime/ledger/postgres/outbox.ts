import type { EventSink, ToolEvent } from "../../governance/events.js";
import type { Item } from "./item.js";
import { inTransaction } from "./migrate.js";
import { type LedgerConnections, type PostgresClient, type Row, unavailable } from "./pool.js";
import { partsOf, type PostgresLedger } from "./postgres-ledger.js";
import { type Tables, textOf } from "./tables.js";

/** Delivers events from the outbox. If it throws, the events stay in the outbox. */
export type Deliver = (events: readonly ToolEvent[]) => void | Promise<void>;

/** Options of `Outbox.relay`. */
export interface RelayOptions {
  /** Maximum number of events in one delivery; 100 by default. */
  readonly batch?: number;
  /** Ends the relay after the current batch. */
  readonly signal?: AbortSignal;
}

/** Stores events in PostgreSQL until they are delivered. */
export interface Outbox {
  /**
   * Stores events in a table of the ledger's schema. An event is committed together with its
   * record, or before the call is sent. Use it as `governance({ policy, events: outbox.sink })`.
   */
  readonly sink: EventSink;
  /**
   * Delivers the events in the outbox until none is left, and removes delivered events. An event is
   * delivered at least once, always with the same `envelope_id`. Events of one process are
   * delivered in their order. Several relays can run at the same time: each delivers the events of
   * other processes.
   *
   * @param deliver delivers one batch
   * @returns the number of delivered events
   * @throws RangeError if `batch` is not a positive integer
   * @throws any error of `deliver`; LedgerUnavailable if the server can't be reached
   */
  relay(deliver: Deliver, options?: RelayOptions): Promise<number>;
}

/**
 * Creates an outbox beside a PostgreSQL ledger, for events that must not be lost.
 *
 * @throws TypeError if `createPostgresLedger` did not create the ledger
 */
export function createOutbox(ledger: PostgresLedger): Outbox {
  const { connections, queue, tables } = partsOf(ledger);
  const take = (event: ToolEvent): undefined | Promise<void> => {
    if (isWaitedFor(event)) return queue.put(eventItem(event, false));
    // The event is in the same batch as the record that is appended next, and is retried together
    // with that record.
    queue.putLater(eventItem(event, true))?.catch(ignore);
    return undefined;
  };
  return {
    sink: Object.assign(take, { isWaitedFor: true } as const),
    async relay(deliver, { batch = defaultBatch, signal } = {}) {
      if (!Number.isSafeInteger(batch) || batch < 1)
        throw new RangeError(`\`batch\` must be a number of events, not ${batch}`);
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

/** A write must not be sent before its event is stored. */
function isWaitedFor(event: ToolEvent): boolean {
  return event.type === "ToolInvokeBegin" && event.effect === "write";
}

function eventItem(event: ToolEvent, isKept: boolean): Item {
  const json = JSON.stringify(event);
  return { type: "event", id: "", isKept, json: () => json };
}

function ignore(): void {}

/** Time limit of one batch, in milliseconds. Receivers of events may be slow. */
const longestMs = 60 * 60 * 1000;

/** An error of `deliver`, to tell it apart from errors of the ledger. */
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
    throw unavailable("the outbox can't be delivered", error);
  }
}

/**
 * Delivers the oldest events of the first writer whose events no other relay is delivering. The
 * rows stay locked until they are deleted. If the process dies, they stay in the outbox.
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
    throw new NotDelivered("an event was not delivered", { cause });
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

/**
 * Returns SQL that finds the first event of each writer with one index lookup, and locks the oldest
 * one that is not locked.
 */
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

/** The migrations of the ledger's tables, in order. Never change a released migration. */
import { parseRecord } from "../chain/chain-record.js";
import { columnsOf } from "./batch.js";
import { defaultPartition, partitionStatements } from "./partitions.js";
import type { PostgresClient } from "./pool.js";
import { partitionIn, type Tables, textOf } from "./tables.js";

export interface Migration {
  readonly version: number;
  /** Short description. */
  readonly name: string;
  statements(tables: Tables): readonly string[];
  /** Fills new columns of existing rows, after the statements. */
  fill?(client: PostgresClient, tables: Tables): Promise<void>;
}

const firstTables: Migration = {
  version: 1,
  name: "records, writers, whole results, prunings, events",
  // The "C" collation compares text by bytes, as the runtime does.
  statements: (tables) => {
    const { attachments, events, prunings, records, schema, writers } = tables;
    return [
      `CREATE TABLE ${writers} (
      writer text COLLATE "C" PRIMARY KEY,
      pid bigint NOT NULL,
      host text NOT NULL,
      seq bigint NOT NULL,
      hash text NOT NULL,
      ahead_ms bigint NOT NULL,
      opened timestamptz NOT NULL DEFAULT now()
    ) WITH (fillfactor = 50)`,
      `CREATE TABLE ${records} (
      at timestamptz NOT NULL,
      writer text COLLATE "C" NOT NULL,
      seq bigint NOT NULL,
      type text COLLATE "C" NOT NULL,
      id text COLLATE "C",
      skill text COLLATE "C",
      tool text COLLATE "C",
      mode text COLLATE "C",
      status text COLLATE "C",
      tenant text COLLATE "C",
      subject text COLLATE "C",
      line text NOT NULL
    ) PARTITION BY RANGE (at)`,
      `CREATE INDEX records_at ON ${records} (at, writer, seq)`,
      `CREATE INDEX records_id ON ${records} (id, type)`,
      `CREATE INDEX records_tool ON ${records} (tool, at)`,
      `CREATE INDEX records_settled ON ${records} (id) WHERE type = 'settle'`,
      `CREATE INDEX records_opened ON ${records} (writer) WHERE seq = 0`,
      ...partitionStatements(tables, defaultPartition),
      `ALTER TABLE ${records} ATTACH PARTITION ${partitionIn(schema, defaultPartition)} DEFAULT`,
      `CREATE TABLE ${attachments} (
      folder text COLLATE "C",
      sha256 text COLLATE "C",
      json text NOT NULL,
      PRIMARY KEY (folder, sha256)
    )`,
      `CREATE TABLE ${prunings} (number integer PRIMARY KEY, line text NOT NULL)`,
      `CREATE TABLE ${events} (
      writer text COLLATE "C",
      number bigint GENERATED ALWAYS AS IDENTITY,
      event text NOT NULL,
      PRIMARY KEY (writer, number)
    )`,
    ];
  },
};

const links: Migration = {
  version: 2,
  name: "traces and parents of calls",
  statements: ({ records }) => [
    `ALTER TABLE ${records} ADD COLUMN trace text COLLATE "C", ADD COLUMN parent text COLLATE "C"`,
    `CREATE INDEX records_trace ON ${records} (trace, at) WHERE trace IS NOT NULL`,
    `CREATE INDEX records_parent ON ${records} (parent, at) WHERE parent IS NOT NULL`,
  ],
  fill: fillLinks,
};

/** Number of rows in memory at a time, small because lines can be long. */
const filledAtOnce = 100;

/**
 * Fills the new columns from the JSON of the lines. The JSON is parsed here, because PostgreSQL
 * can't convert JSON text with NUL.
 */
async function fillLinks(client: PostgresClient, { records }: Tables): Promise<void> {
  await client.query(
    `DECLARE skillc_links NO SCROLL CURSOR FOR SELECT writer, seq::text, at::text, line FROM ${records}
     WHERE type IN ('begin', 'end') AND (strpos(line, '"trace":"') > 0 OR strpos(line, '"parent":"') > 0)`,
  );
  for (;;) {
    const { rows } = await client.query(`FETCH ${filledAtOnce} FROM skillc_links`);
    if (rows.length === 0) break;
    const found = rows.flatMap((row) => {
      const record = parseRecord(textOf(row, "line"));
      return record === undefined ? [] : [{ row, columns: columnsOf(record) }];
    });
    await client.query(
      `UPDATE ${records} r SET trace = l.trace, parent = l.parent
       FROM unnest($1::timestamptz[], $2::text[], $3::bigint[], $4::text[], $5::text[]) l(at, writer, seq, trace, parent)
       WHERE r.at = l.at AND r.writer = l.writer AND r.seq = l.seq`,
      [
        found.map(({ row }) => textOf(row, "at")),
        found.map(({ row }) => textOf(row, "writer")),
        found.map(({ row }) => textOf(row, "seq")),
        found.map(({ columns }) => columns.trace),
        found.map(({ columns }) => columns.parent),
      ],
    );
  }
  await client.query("CLOSE skillc_links");
}

const bytes: Migration = {
  version: 3,
  name: "bytes that calls produced",
  statements: ({ attachments }) => [
    `ALTER TABLE ${attachments} ALTER COLUMN json DROP NOT NULL, ADD COLUMN bytes bytea`,
  ],
};

export const migrations: readonly Migration[] = [firstTables, links, bytes];

/** Version of the tables that this runtime needs. */
export const newestVersion = Math.max(...migrations.map(({ version }) => version));

/** What the ledger's tables are made of, one step after another. A step that was released stays. */
import { defaultPartition, partitionStatements } from "./partitions.js";
import { partitionIn, type Tables } from "./tables.js";

export interface Migration {
  readonly version: number;
  /** What it does, in a few words. */
  readonly name: string;
  statements(tables: Tables): readonly string[];
}

const firstTables: Migration = {
  version: 1,
  name: "records, writers, whole results, prunings, events",
  // Texts are compared byte by byte, as the runtime compares them.
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

export const migrations: readonly Migration[] = [firstTables];

/** The version that this runtime works with. */
export const newestVersion = Math.max(...migrations.map(({ version }) => version));

import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { didYouMean } from "../../schema/suggestion.js";
import type {
  AnalyzedBinding,
  KindSession,
  SessionInput,
  SharedModule,
  ToolForm,
} from "../binding.js";
import { reportNoAnswer } from "./database/ask-server.js";
import { checkListed } from "./database/listed-functions.js";
import { databaseModule } from "./database-module.js";
import type { SqlConfig } from "./model.js";
import {
  fingerprintOf,
  type KnownDatabase,
  openDatabase,
  type OpenEmbedded,
} from "./database/open-database.js";
import { type DatabaseSettings, readDatabases } from "./settings.js";

/** One run's databases: each is opened with the first statement on it. */
export function openSql(input: SessionInput, open: OpenEmbedded): KindSession<SqlConfig> {
  return new SqlSession(input, open);
}

class SqlSession implements KindSession<SqlConfig> {
  readonly #input: SessionInput;
  readonly #openEmbedded: OpenEmbedded;
  readonly #databases: readonly DatabaseSettings[];
  readonly #modules = new Map<string, SharedModule>();
  readonly #opened = new Map<string, Promise<KnownDatabase | undefined>>();
  /** The embedded PostgreSQL that has not been put to rest: one at most, as each takes some 300 MB. */
  #running: KnownDatabase["engine"] | undefined;
  /** Databases whose server stopped to answer, which is told once. */
  readonly #silent = new Set<string>();

  constructor(input: SessionInput, open: OpenEmbedded) {
    this.#input = input;
    this.#openEmbedded = open;
    this.#databases = readDatabases(input.config, input.report);
  }

  async fingerprint(): Promise<string> {
    const parts: string[] = [];
    for (const each of this.#databases)
      parts.push(await fingerprintOf(each, this.#input, () => this.#open(each)));
    return parts.join(" ");
  }

  group({ connection }: SqlConfig): string {
    return connection.name;
  }

  async analyze(
    tool: ToolModel,
    config: SqlConfig,
    report: Report,
    form: ToolForm,
  ): Promise<AnalyzedBinding<SqlConfig> | undefined> {
    const settings = this.#settingsOf(config);
    if (settings === undefined) this.#reportUnknown(config, report);
    const database = settings && (await this.#open(settings));
    if (database !== undefined) await this.#turnTo(database);
    // The parser and Kysely: runs without a new statement need not load them.
    const { analyzeStatement } = await import("./analyze.js");
    const analyzed = await analyzeStatement({ tool, config, database, report, form });
    if (settings === undefined || this.#answers(settings, database)) return analyzed;
    reportNotChecked(tool, config, report);
    return undefined;
  }

  async modules(config: SqlConfig): Promise<readonly SharedModule[]> {
    const settings = this.#settingsOf(config);
    if (settings === undefined) return [];
    const database = await this.#open(settings);
    if (database === undefined) return [];
    const { name } = settings;
    const made = this.#modules.get(name) ?? databaseModule(name, database.snapshot);
    this.#modules.set(name, made);
    return [made];
  }

  #settingsOf({ connection }: SqlConfig): DatabaseSettings | undefined {
    return this.#databases.find(({ name }) => name === connection.name);
  }

  #open(settings: DatabaseSettings): Promise<KnownDatabase | undefined> {
    const known = this.#opened.get(settings.name);
    if (known !== undefined) return known;
    const opening = this.#openNew(settings);
    this.#opened.set(settings.name, opening);
    return opening;
  }

  async #openNew(settings: DatabaseSettings): Promise<KnownDatabase | undefined> {
    await this.#turnTo(undefined);
    const database = await openDatabase(settings, this.#input, this.#openEmbedded);
    if (database === undefined) return undefined;
    checkListed(settings, database.snapshot, this.#input.report);
    await this.#turnTo(database);
    return database;
  }

  /** Puts the embedded PostgreSQL of another database to rest. */
  async #turnTo(database: KnownDatabase | undefined): Promise<void> {
    const engine = database?.engine;
    // A server takes none of our memory.
    if (engine === this.#running || (engine !== undefined && engine.rest === undefined)) return;
    const left = this.#running;
    this.#running = engine;
    await left?.rest?.();
  }

  /** Whether all that was asked was answered: a server may fall silent at any time, and what is then known is not the whole. */
  #answers(settings: DatabaseSettings, database: KnownDatabase | undefined): boolean {
    if (settings.source.kind === "files") return true;
    const silence = database?.engine.silence?.();
    if (silence !== undefined && !this.#silent.has(settings.name)) {
      this.#silent.add(settings.name);
      reportNoAnswer(settings, silence.message, this.#input);
    }
    return database !== undefined && silence === undefined;
  }

  #reportUnknown({ connection }: SqlConfig, report: Report): void {
    const names = this.#input.config.databases?.entries.map(({ key }) => key.value) ?? [];
    // One that is there and at fault has been reported.
    if (names.includes(connection.name)) return;
    report.add({
      code: "sql/unknown-database",
      span: connection.span,
      message: `skillc.yaml says nothing of the database \`${shown(connection.name)}\``,
      help:
        didYouMean(connection.name, names) ??
        `add it there: \`databases: { ${shown(connection.name)}: { schema: [db/schema.sql] } }\``,
    });
  }

  async close(): Promise<void> {
    const all = await Promise.all(this.#opened.values());
    await Promise.all(all.map((each) => each?.engine.close()));
  }
}

function reportNotChecked({ name }: ToolModel, { connection }: SqlConfig, report: Report): void {
  report.add({
    code: "sql/not-checked",
    span: connection.span,
    message: `\`${shown(name)}\` was not checked: the server of \`${shown(connection.name)}\` can't be asked`,
  });
}

import { listed, quote, shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import type { InferredParameters } from "../../schema/silent.js";
import { didYouMean } from "../../schema/suggestion.js";
import type {
  AnalyzedBinding,
  KindSession,
  SessionInput,
  SharedModule,
  SilentParameters,
  ToolForm,
} from "../../kit/kind-engine.js";
import { callerFieldsIn } from "../../kit/caller-root.js";
import { databaseModule } from "./database-module.js";
import { noAnswer } from "./database/ask-server.js";
import {
  checkListed,
  fingerprintOf,
  type KnownDatabase,
  openDatabase,
  type OpenEmbedded,
} from "./database/open-database.js";
import type { SessionSetting, SqlConfig } from "./model.js";
import { callerFieldsOf } from "./set-config.js";
import { type DatabaseSettings, snapshotPath, type SqlSettings } from "./settings.js";
import { checkUnreadSettings } from "./unread-settings.js";

/** Opens the databases of one run. Each database is opened when its first statement is analyzed. */
export function openSql(
  input: SessionInput<SqlSettings>,
  open: OpenEmbedded,
): KindSession<SqlConfig> {
  return new SqlSession(input, open);
}

class SqlSession implements KindSession<SqlConfig> {
  readonly #input: SessionInput<SqlSettings>;
  readonly #openEmbedded: OpenEmbedded;
  readonly #databases: readonly DatabaseSettings[];
  readonly #modules = new Map<string, SharedModule>();
  readonly #opened = new Map<string, Promise<KnownDatabase | undefined>>();
  /**
   * The only embedded PostgreSQL in memory. Each takes about 300 MB, so another one is put to rest
   * first.
   */
  #running: KnownDatabase["engine"] | undefined;
  /** Databases that can't be used, by name. Each is reported once, with the tools that need it. */
  readonly #missing = new Map<string, Missing>();

  constructor(input: SessionInput<SqlSettings>, open: OpenEmbedded) {
    this.#input = input;
    this.#openEmbedded = open;
    this.#databases = input.settings.databases;
    checkUnreadSettings(input.settings, input.files, input.report);
  }

  async fingerprint(): Promise<string> {
    const parts: string[] = [];
    for (const each of this.#databases)
      parts.push(await fingerprintOf(each, this.#input, () => this.#open(each)));
    const { setConfig } = this.#input.settings;
    if (setConfig.length > 0) parts.push(JSON.stringify(setConfig));
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
    if (settings === undefined) this.#noteUnknown(config);
    const database = settings && (await this.#open(settings));
    if (database !== undefined) await this.#turnTo(database);
    // Imported on demand: a run without new statements then loads neither the parser nor Kysely.
    const { analyzeStatement } = await import("./analyze.js");
    const { setConfig } = this.#input.settings;
    const asked = setConfig.length === 0 ? config : { ...config, setConfig };
    const analyzed = await analyzeStatement({ tool, config: asked, database, report, form });
    if (settings !== undefined && this.#answers(settings, database))
      return analyzed && withCaller(tool, analyzed, setConfig);
    const { file, start } = tool.span;
    this.#missing.get(config.connection.name)?.tools.set(`${file}:${start}`, tool.name);
    return undefined;
  }

  finish(): void {
    const missing = [...this.#missing.values()];
    // A missing database that no tool uses is reported only if no other is missing.
    const waitedFor = missing.filter(({ tools }) => tools.size > 0);
    for (const { code, help, message, span, tools } of waitedFor.length > 0 ? waitedFor : missing) {
      const waiting = [...tools.values()].map(quote);
      const count = waiting.length === 1 ? "1 tool needs it" : `${waiting.length} tools need it`;
      const reported = waiting.length === 0 ? message : `${message}; ${count}: ${listed(waiting)}`;
      this.#input.report.add({ code, span, message: reported, help });
    }
    this.#missing.clear();
  }

  async inferParameters(
    tool: ToolModel,
    config: SqlConfig,
    silent: SilentParameters,
    report: Report,
  ): Promise<InferredParameters> {
    const settings = this.#settingsOf(config);
    const database = settings && (await this.#open(settings));
    if (database === undefined) return {};
    await this.#turnTo(database);
    const { inferSqlParameters } = await import("./infer.js");
    return inferSqlParameters({ tool, config, silent, database, report });
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
    const refuse = (message: string, help: string): void =>
      this.#noteRefused(settings, message, help);
    const database = await openDatabase(settings, { ...this.#input, refuse }, this.#openEmbedded);
    if (database === undefined) return undefined;
    checkListed(settings, database.snapshot, this.#input.report);
    await this.#turnTo(database);
    return database;
  }

  /** Makes this database the active one, and puts the previous embedded PostgreSQL to rest. */
  async #turnTo(database: KnownDatabase | undefined): Promise<void> {
    const engine = database?.engine;
    // A server uses no memory of this process.
    if (engine === this.#running || (engine !== undefined && engine.rest === undefined)) return;
    const left = this.#running;
    this.#running = engine;
    await left?.rest?.();
  }

  /**
   * True if every question was answered. A server may stop answering at any time; the results are
   * then incomplete.
   */
  #answers(settings: DatabaseSettings, database: KnownDatabase | undefined): boolean {
    if (settings.source.kind === "files") return true;
    const connectionError = database?.engine.connectionError?.();
    if (connectionError !== undefined)
      this.#noteRefused(settings, ...noAnswer(settings.name, connectionError.message));
    return database !== undefined && connectionError === undefined;
  }

  #noteRefused({ name, span }: DatabaseSettings, message: string, help: string): void {
    if (this.#missing.has(name)) return;
    this.#missing.set(name, {
      code: "sql/no-server",
      span,
      message,
      help: `${help}; or keep the schema in a file: \`snapshot: ${snapshotPath(name)}\`, which \`skillc db pull\` writes from a server`,
      tools: new Map(),
    });
  }

  #noteUnknown({ connection: { name, span } }: SqlConfig): void {
    const { names } = this.#input.settings;
    // A configured database that can't be used was reported already.
    if (names.includes(name) || this.#missing.has(name)) return;
    this.#missing.set(name, {
      code: "sql/unknown-database",
      span,
      message: `skillc.yaml does not name the database ${quote(name)}`,
      help:
        didYouMean(name, names) ??
        `${otherDatabases(names)}add it there: \`databases: { ${shown(name)}: { schema: [db/schema.sql] } }\`; to save the schema of a server in a file, run \`skillc db pull\``,
      tools: new Map(),
    });
  }

  async close(): Promise<void> {
    const all = await Promise.all(this.#opened.values());
    await Promise.all(all.map((each) => each?.engine.close()));
  }
}

/** Adds the caller fields of the settings to those of the statement. */
function withCaller(
  { binding: { caller = [] } }: ToolModel,
  analyzed: AnalyzedBinding<SqlConfig>,
  setConfig: readonly SessionSetting[],
): AnalyzedBinding<SqlConfig> {
  const fields = [...caller, ...callerFieldsOf(setConfig)];
  const taken = callerFieldsIn(fields.map((field) => ({ root: "caller", path: [field] })));
  return taken.length === 0 ? analyzed : { ...analyzed, caller: taken };
}

function otherDatabases(names: readonly string[]): string {
  return names.length === 0
    ? ""
    : `use one of its databases (${names.map((name) => `\`${shown(name)}\``).join(", ")}), or `;
}

/** A database against which statements can't be checked. */
interface Missing {
  readonly code: "sql/no-server" | "sql/unknown-database";
  readonly span: Span;
  readonly message: string;
  readonly help: string;
  /**
   * Names of the tools that use it, keyed by position, because two skills may have a tool of the
   * same name.
   */
  readonly tools: Map<string, string>;
}

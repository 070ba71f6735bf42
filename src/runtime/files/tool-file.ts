/**
 * Files that callers give to tools. Callers write a `ToolFile`; a call works with a `GivenFile`,
 * whose public properties are plain facts and whose bytes are private.
 */
import { createHash, randomUUID } from "node:crypto";
import { basename } from "node:path";
import { RefusedMidway, RefusedValue } from "../call/refused-value.js";

/** Name and type of a file. */
export interface FileWords {
  /** File name for the receiver; the last part of the path by default. */
  readonly name?: string;
  /** Media type, such as `image/png`. */
  readonly type?: string;
}

/**
 * A file for a tool: a path or base64, which models can write too; code can also pass bytes or a
 * stream.
 */
export type ToolFile =
  | (FileWords & {
      /** Path relative to the project's folder, in a folder that skillc.yaml lists in `files`. */
      readonly path: string;
    })
  | (FileWords & {
      /** Content in base64 (RFC 4648, padded, without line ends). */
      readonly base64: string;
    })
  | (FileWords & {
      /** Content. */
      readonly bytes: Uint8Array;
    })
  | (FileWords & {
      /** Stream of bytes, which is read once. A call is not retried after its stream was read. */
      readonly stream: AsyncIterable<Uint8Array> | ReadableBytes;
    });

/** The used part of a web `ReadableStream`. */
export interface ReadableBytes {
  /** Locks the stream and returns its reader. */
  getReader(): {
    /** Reads the next chunk. */
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    /** Stops the stream; nobody reads the rest. */
    cancel(reason?: unknown): Promise<void>;
  };
}

/** Name of the definition of files in the schema of a tool's parameters. No other schema has it. */
export const fileDefinition = "tool.file";

/** Default maximum size of the files of one call, in bytes. skillc.yaml can set another. */
export const usualFileBytes = 10 * 1024 * 1024;

/** The file parameters of a tool. */
export interface FileRules {
  /** Paths of the parameters: property names, `*` for every item of a list. */
  readonly at: readonly (readonly string[])[];
  /** Folders from which files are read, relative to the project's folder; none by default. */
  readonly folders?: readonly string[];
  /** Maximum size of the files of one call, in bytes; `usualFileBytes` by default. */
  readonly maxBytes?: number;
  /** Set if the call's caller must not name files of this machine. A compiler never sets it. */
  readonly contentOnly?: true;
}

/** Returns the maximum size of the files of one call, in bytes. */
export function maxBytesOf({ maxBytes = usualFileBytes }: FileRules): number {
  return maxBytes;
}

/** Known facts of a file. Before a path is read, its size and digest are unknown. */
export interface FileFacts extends FileWords {
  readonly path?: string;
  /** Set for a stream, whose content is unknown. */
  readonly stream?: true;
  /** Size in bytes. */
  readonly size?: number;
  /** SHA-256 in hexadecimal. */
  readonly sha256?: string;
}

type Source =
  | { readonly kind: "path" }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "stream"; readonly chunks: () => AsyncIterator<Uint8Array> };

/**
 * One file of a call. Its own properties are the facts, so that code that writes, masks or compares
 * parameters sees only these.
 */
export class GivenFile implements FileFacts {
  declare readonly path?: string;
  declare readonly name?: string;
  declare readonly type?: string;
  declare readonly stream?: true;
  declare readonly size?: number;
  declare readonly sha256?: string;
  /** JSON pointer to the parameter. */
  readonly #pointer: string;
  readonly #most: number;
  /** Identifies a stream, whose content is unknown. */
  readonly #id = randomUUID();
  #source: Source;
  #reading: AsyncIterator<Uint8Array> | undefined;
  #located: string | undefined;

  /** @param at JSON pointer to the parameter, and maximum size of the call's files in bytes */
  constructor(
    at: { readonly pointer: string; readonly most: number },
    words: FileWords & { readonly path?: string },
    source: Source,
  ) {
    Object.assign(this, words);
    this.#pointer = at.pointer;
    this.#most = at.most;
    this.#source = source;
    if (source.kind === "bytes") this.#hold(source.bytes);
    if (source.kind === "stream") Object.assign(this, { stream: true });
  }

  /** Sets the bytes that were read from the path. */
  fill(bytes: Uint8Array): void {
    this.#source = { kind: "bytes", bytes };
    this.#hold(bytes);
  }

  #hold(bytes: Uint8Array): void {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    Object.assign(this, { size: bytes.byteLength, sha256 });
  }

  /**
   * The unique name of the file for policies: a listed folder, and the path from there without
   * links. If the path later leads to another file, the file is not read.
   */
  get located(): string | undefined {
    return this.#located;
  }

  set located(name: string) {
    this.#located = name;
  }

  /** Bytes of the file; undefined for a stream, and before the file is read. */
  get bytes(): Uint8Array | undefined {
    return this.#source.kind === "bytes" ? this.#source.bytes : undefined;
  }

  /** True if it is a stream that was partly read, which can't be sent again. */
  get isBegun(): boolean {
    return this.#reading !== undefined;
  }

  /** Maximum size of the call's files, in bytes. */
  get most(): number {
    return this.#most;
  }

  /** File name for the receiver. */
  get fileName(): string {
    return this.name ?? (this.path === undefined ? "file" : basename(this.path));
  }

  /** The facts that others may see. The path is left out, because it describes this machine. */
  get shown(): { readonly [fact: string]: string | number | boolean } {
    const { path: _, ...facts }: FileFacts = { ...this, name: this.fileName };
    return facts as ReturnType<() => GivenFile["shown"]>;
  }

  /** The facts that policies use: the file that is read, and its name for the receiver. */
  get judged(): FileFacts {
    const path = this.#located ?? this.path;
    return { ...this, name: this.fileName, ...(path !== undefined && { path }) };
  }

  /** The facts of `shown`; for a stream, with an id. */
  get identity(): GivenFile["shown"] {
    return this.#source.kind === "stream" ? { ...this.shown, stream: this.#id } : this.shown;
  }

  /** Returns the file as a handler gets it. */
  asGiven(): ToolFile {
    const { name, type } = this;
    const words = { ...(name !== undefined && { name }), ...(type !== undefined && { type }) };
    const { bytes } = this;
    let left = this.#most;
    return bytes === undefined
      ? { ...words, stream: this.chunks((taken) => (left -= taken)) }
      : { ...words, bytes: Uint8Array.from(bytes) };
  }

  /**
   * Yields the bytes in chunks.
   *
   * @param room receives the number of bytes of each chunk, and returns the room left; below zero
   * is too much
   * @throws RefusedValue if the stream fails, is too long, or yields something other than bytes
   */
  async *chunks(room: (taken: number) => number): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#source.kind === "path") throw this.refused("was not read");
    if (this.#source.kind === "bytes") {
      room(this.#source.bytes.byteLength);
      yield this.#source.bytes;
      return;
    }
    if (this.#reading !== undefined) throw this.refused("is a stream that was sent before");
    this.#reading = this.#source.chunks();
    for (;;) {
      const next = await this.#next(this.#reading);
      if (next.done === true) return;
      const chunk: unknown = next.value;
      if (!(chunk instanceof Uint8Array)) {
        this.cancel();
        throw this.#brokenOff("must be a stream of bytes (`Uint8Array`)");
      }
      if (room(chunk.byteLength) < 0) {
        this.cancel();
        throw this.#brokenOff("is longer than the limit for files");
      }
      yield chunk;
    }
  }

  async #next(reading: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      return await reading.next();
    } catch {
      // The stream's error may contain anything.
      throw this.#brokenOff("can't be read to its end: its stream failed");
    }
  }

  /** Closes a stream that is not read to its end. */
  cancel(): void {
    const ended = this.#reading?.return?.();
    ended?.catch(() => undefined);
  }

  /** The receiver may have a part of the stream. */
  #brokenOff(message: string): RefusedMidway {
    return new RefusedMidway(this.#pointer, "file", message);
  }

  refused(message: string): RefusedValue {
    return new RefusedValue(this.#pointer, "file", message);
  }
}

/** Returns the files in a call's parameters, in order. */
export function filesIn(params: unknown, { at }: Pick<FileRules, "at">): readonly GivenFile[] {
  return at.flatMap(([name = "", ...rest]) => {
    if (typeof params !== "object" || params === null) return [];
    const value = Object.hasOwn(params, name)
      ? (params as Readonly<Record<string, unknown>>)[name]
      : undefined;
    const each: readonly unknown[] = rest.length > 0 && Array.isArray(value) ? value : [value];
    return each.filter((one) => one instanceof GivenFile);
  });
}

/** Replaces each file in the parameters. */
export function withFiles(
  params: unknown,
  { at }: Pick<FileRules, "at">,
  replaced: (file: GivenFile) => unknown,
): unknown {
  if (typeof params !== "object" || params === null) return params;
  const names = new Set(at.map(([name]) => name));
  const replace = (value: unknown) => (value instanceof GivenFile ? replaced(value) : value);
  const entries = Object.entries(params).map(([name, value]: [string, unknown]) => {
    if (!names.has(name)) return [name, value] as const;
    return [name, Array.isArray(value) ? value.map(replace) : replace(value)] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Files that callers give to tools. `ToolFile` is what they write; `GivenFile` is what becomes of one
 * on its way through a call: what can be told of it is plain data, and the bytes are its own.
 */
import { createHash, randomUUID } from "node:crypto";
import { basename } from "node:path";
import { RefusedValue } from "../call/refused-value.js";

/** What may be said beside where a file's bytes are. */
export interface FileWords {
  /** What the receiver is to call it. Without it: the last part of a path. */
  readonly name?: string;
  /** Its media type: `image/png`. */
  readonly type?: string;
}

/** A file for a tool: by path or in base64, as models give it too; from code also bytes, or a stream. */
export type ToolFile =
  | (FileWords & {
      /** Relative to the project's folder, and below a folder that skillc.yaml lists in `files`. */
      readonly path: string;
    })
  | (FileWords & { readonly base64: string })
  | (FileWords & { readonly bytes: Uint8Array })
  | (FileWords & {
      /** Read once: such a call is not tried again once its stream has begun. */
      readonly stream: AsyncIterable<Uint8Array> | ReadableBytes;
    });

/** A `ReadableStream` of the web, by all that is asked of it. */
export interface ReadableBytes {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

/** Limit of the files of one call, in bytes, if skillc.yaml sets none. */
export const usualFileBytes = 10 * 1024 * 1024;

/** Which files a tool takes. */
export interface FileRules {
  /** Where they stand in the parameters: property names, `*` for every item of a list. */
  readonly at: readonly (readonly string[])[];
  /** Folders below which paths are read, relative to the project's; none when not given. */
  readonly folders?: readonly string[];
  /** Bytes that the files of one call may come to: `usualFileBytes` when not given. */
  readonly maxBytes?: number;
}

/** Bytes that the files of one call may come to. */
export function maxBytesOf({ maxBytes = usualFileBytes }: FileRules): number {
  return maxBytes;
}

/** What can be told of a file: of a path before it is read, neither size nor digest. */
export interface FileFacts extends FileWords {
  readonly path?: string;
  /** Of a stream nothing else is known. */
  readonly stream?: true;
  /** Bytes. */
  readonly size?: number;
  /** In hex. */
  readonly sha256?: string;
}

type Source =
  | { readonly kind: "path" }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "stream"; readonly chunks: () => AsyncIterator<Uint8Array> };

/**
 * One file of a call. Its own properties are the facts, so that whatever writes, masks or compares
 * parameters has these and nothing more.
 */
export class GivenFile implements FileFacts {
  declare readonly path?: string;
  declare readonly name?: string;
  declare readonly type?: string;
  declare readonly stream?: true;
  declare readonly size?: number;
  declare readonly sha256?: string;
  /** Where it stands in the parameters: a JSON pointer. */
  readonly #pointer: string;
  readonly #most: number;
  /** Tells one stream from another: nobody knows what is in them. */
  readonly #id = randomUUID();
  #source: Source;
  #reading: AsyncIterator<Uint8Array> | undefined;
  #located: string | undefined;

  /** @param at where it stands in the parameters, and how long the files of its call may be */
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

  /** What was read at its path. */
  fill(bytes: Uint8Array): void {
    this.#source = { kind: "bytes", bytes };
    this.#hold(bytes);
  }

  #hold(bytes: Uint8Array): void {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    Object.assign(this, { size: bytes.byteLength, sha256 });
  }

  /**
   * The one name of the file that the path leads to, where somebody decides by it: a listed folder,
   * and the way from there without links. Another file is then not read.
   */
  get located(): string | undefined {
    return this.#located;
  }

  set located(name: string) {
    this.#located = name;
  }

  /** Undefined for a stream, and for what is not read yet. */
  get bytes(): Uint8Array | undefined {
    return this.#source.kind === "bytes" ? this.#source.bytes : undefined;
  }

  /** Whether it is a stream of which something was taken: that can't be sent again. */
  get isBegun(): boolean {
    return this.#reading !== undefined;
  }

  /** Bytes that all files of its call may come to. */
  get most(): number {
    return this.#most;
  }

  /** What its receiver is to call it. */
  get fileName(): string {
    return this.name ?? (this.path === undefined ? "file" : basename(this.path));
  }

  /** The facts, as others may be told: a path says where things are here. */
  get shown(): { readonly [fact: string]: string | number | boolean } {
    const { path: _, ...facts }: FileFacts = { ...this, name: this.fileName };
    return facts as ReturnType<() => GivenFile["shown"]>;
  }

  /** The facts that policies decide by: the file that is read, and the name that its receiver gets. */
  get judged(): FileFacts {
    const path = this.#located ?? this.path;
    return { ...this, name: this.fileName, ...(path !== undefined && { path }) };
  }

  /** The same as `shown`, and of a stream that it is this one. */
  get identity(): GivenFile["shown"] {
    return this.#source.kind === "stream" ? { ...this.shown, stream: this.#id } : this.shown;
  }

  /** As code gives it: what a handler gets. */
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
   * Its bytes, piece by piece.
   *
   * @param room told how many bytes have come; below zero when that is more than may come
   * @throws RefusedValue for a stream that fails, has more than it may, or something else than bytes
   */
  async *chunks(room: (taken: number) => number): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#source.kind === "path") throw this.refused("was not read");
    if (this.#source.kind === "bytes") {
      room(this.#source.bytes.byteLength);
      yield this.#source.bytes;
      return;
    }
    if (this.#reading !== undefined) throw this.refused("is a stream, and was sent before");
    this.#reading = this.#source.chunks();
    for (;;) {
      const next = await this.#next(this.#reading);
      if (next.done === true) return;
      const chunk: unknown = next.value;
      if (!(chunk instanceof Uint8Array)) {
        this.cancel();
        throw this.refused("must be a stream of bytes (`Uint8Array`)");
      }
      if (room(chunk.byteLength) < 0) {
        this.cancel();
        throw this.refused("is longer than files may be here");
      }
      yield chunk;
    }
  }

  async #next(reading: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      return await reading.next();
    } catch {
      // Its words may hold anything.
      throw this.refused("can't be read to its end: its stream failed");
    }
  }

  /** Nobody reads on: a stream is let go. */
  cancel(): void {
    const ended = this.#reading?.return?.();
    ended?.catch(() => undefined);
  }

  refused(message: string): RefusedValue {
    return new RefusedValue(this.#pointer, "file", message);
  }
}

/** Every file in a call's parameters, in their order. */
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

/** The parameters with something else in the place of each file. */
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

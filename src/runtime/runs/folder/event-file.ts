import fs from "node:fs";
import { openToWrite } from "../../files/write-synced.js";
import { lineOf } from "./entry-lines.js";
import { RunStoreError } from "../store.js";
import type { SealedEntry } from "../sealed-run.js";

const { O_APPEND, O_CREAT, O_TRUNC } = fs.constants;

/** The events of a run that this process holds: a file to which only this process appends. */
export class EventFile {
  readonly #handle: fs.promises.FileHandle;
  readonly #path: string;
  /** Length of the whole lines, in bytes. */
  #bytes: number;
  /** Reason why nothing more can be appended. */
  #broken: unknown;

  private constructor(handle: fs.promises.FileHandle, path: string, bytes: number) {
    this.#handle = handle;
    this.#path = path;
    this.#bytes = bytes;
  }

  /** Creates an empty file. What an earlier run left in its place is lost. */
  static async create(path: string): Promise<EventFile> {
    const handle = await openToWrite(path, O_APPEND | O_CREAT | O_TRUNC);
    try {
      await handle.sync();
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new EventFile(handle, path, 0);
  }

  /**
   * Opens a file.
   *
   * @param bytes length of the whole lines; the rest is cut off
   */
  static async open(path: string, bytes: number): Promise<EventFile> {
    const handle = await openToWrite(path, O_APPEND);
    try {
      const { size } = await handle.stat();
      if (size > bytes) {
        await handle.truncate(bytes);
        await handle.sync();
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new EventFile(handle, path, bytes);
  }

  /**
   * Appends entries and waits until the disk has them.
   *
   * @throws RunStoreError with `lost` if another process has changed the file; also the file
   * system's error, after which the file holds none of the entries if that is possible
   */
  async append(entries: readonly SealedEntry[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    await this.#requireOwn();
    const bytes = Buffer.concat(entries.map(lineOf));
    try {
      for (let done = 0; done < bytes.length;)
        done += (await this.#handle.write(bytes, done)).bytesWritten;
    } catch (error) {
      await this.#cut();
      throw error;
    }
    try {
      await this.#handle.datasync();
    } catch (error) {
      // The system may have dropped the data, and would not report that again.
      this.#broken = error;
      throw error;
    }
    this.#bytes += bytes.length;
  }

  async #requireOwn(): Promise<void> {
    const { nlink, size } = await this.#handle.stat();
    if (nlink > 0 && size === this.#bytes) return;
    this.#broken = new RunStoreError(
      "lost",
      `another process has ${nlink === 0 ? "removed" : "written"} \`${this.#path}\``,
    );
    throw this.#broken;
  }

  /** Cuts off what a failed write left behind. */
  async #cut(): Promise<void> {
    try {
      await this.#handle.truncate(this.#bytes);
    } catch (error) {
      this.#broken = error;
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

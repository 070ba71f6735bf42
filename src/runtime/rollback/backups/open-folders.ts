import { type OpenParent, openJudgedFolder } from "../../files/open-judged.js";

/** Maximum number of folders that are open at once. */
const mostOpen = 32;

/** Keeps folders open, because many changes after each other are in the same folder. */
export class OpenFolders {
  readonly #open = new Map<string, OpenParent>();

  /**
   * Opens a folder. It stays open at least until 30 other folders were asked for.
   *
   * @param path absolute path, without links
   * @throws PathChanged if there is a link on the path; also the file system's error
   */
  async at(path: string): Promise<OpenParent> {
    const known = this.#open.get(path);
    if (known !== undefined) {
      await known.check();
      return known;
    }
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= mostOpen) await this.forget(oldest);
    const folder = await openJudgedFolder({ path });
    this.#open.set(path, folder);
    return folder;
  }

  /** Closes a folder, for example before it moves. */
  async forget(path: string): Promise<void> {
    const folder = this.#open.get(path);
    this.#open.delete(path);
    await folder?.close();
  }

  /** Closes all folders. */
  async close(): Promise<void> {
    for (const path of this.#open.keys()) await this.forget(path);
  }
}

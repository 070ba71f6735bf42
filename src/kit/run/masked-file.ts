import type { GivenFile } from "../../runtime/executor.js";

/** Stands for a file in a request that is built only to be shown. */
export class MaskedFile {
  readonly type = undefined;
  readonly isBegun = false;
  readonly shown = "***";
  readonly identity = "***";

  /** @throws Error for a masked file, which can't be sent */
  static requireOpen(file: GivenFile | MaskedFile): GivenFile {
    if (file instanceof MaskedFile) throw new Error("a masked file is not sent");
    return file;
  }
}

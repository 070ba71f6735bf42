import type { Readable } from "node:stream";
import { GivenFile } from "../../../runtime/executor.js";
import type { JsonValue } from "../../../runtime/json/json.js";
import {
  addCredentialNames,
  type CredentialText,
  isCredentialText,
  type Scalar,
} from "../../../runtime/values/text.js";
import { wireBody } from "../../../kit/run/file-stream.js";
import { MaskedFile } from "../../../kit/run/masked-file.js";
import { Payload } from "./payloads.js";

/** A file as the whole body. */
class RawFilePayload extends Payload {
  readonly type: string | CredentialText;
  readonly credentials: readonly string[];
  readonly #file: GivenFile | MaskedFile;

  constructor(file: GivenFile | MaskedFile, type: string | CredentialText) {
    super();
    this.#file = file;
    this.type = type;
    const names: string[] = [];
    if (typeof type !== "string") addCredentialNames(names, type.parts);
    this.credentials = names;
  }

  get isSpent(): boolean {
    return this.#file.isBegun;
  }

  describe(): JsonValue {
    return this.#file.shown;
  }

  identify(): JsonValue {
    return this.#file.identity;
  }

  open(): Uint8Array | Readable {
    return wireBody([MaskedFile.requireOpen(this.#file)]);
  }
}

/**
 * Makes a body of a file; none for an absent or null value.
 *
 * @param file the call path's form of a file parameter
 * @param type its content type, which takes precedence over the file's own; without either it is
 * `application/octet-stream`
 */
export function rawFile(file: unknown, type?: Scalar | CredentialText | null): Payload | undefined {
  if (file === undefined || file === null) return undefined;
  const given = file instanceof GivenFile ? file : new MaskedFile();
  const own = type ?? given.type ?? "application/octet-stream";
  return new RawFilePayload(given, isCredentialText(own) ? own : String(own));
}

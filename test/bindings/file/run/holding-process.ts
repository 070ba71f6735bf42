/**
 * A process that locks a file, writes a line to its output, and never releases the lock.
 * Argument: the file's path.
 */
import { basename, dirname, join } from "node:path";
import { takeLock } from "../../../../src/runtime/files/lock-file.js";
import { lockNameOf } from "../../../../src/runtime/files/names-beside.js";

const [path = ""] = process.argv.slice(2);
const { kind } = takeLock(join(dirname(path), lockNameOf(basename(path))));
process.stdout.write(`${kind}\n`);
setInterval(() => undefined, 60_000);

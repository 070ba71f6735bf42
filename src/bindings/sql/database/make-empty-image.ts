/** Build step: makes the image that new databases start from, unless it exists. */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { emptyImagePath } from "./empty-image.js";
import { PgliteThread } from "./pglite-thread.js";

const path = emptyImagePath();
if (!existsSync(path)) {
  const thread = await PgliteThread.start({
    extensions: [],
    image: undefined,
    statementTimeoutMs: Number.POSITIVE_INFINITY,
  });
  const image = await thread.image();
  await thread.close();
  if ("error" in image) throw new Error(image.error.message);
  const own = `${path}.${process.pid}`;
  writeFileSync(own, image.value);
  renameSync(own, path);
}

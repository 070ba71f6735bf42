/** Makes a call, and kills itself before one of its changes of the file system. */
import { dieAfter } from "../../../../support/die-after.js";
import { change, runOverWork } from "./changing-call.js";

const [directory = "", steps = "", script = change] = process.argv.slice(2);
dieAfter(
  Number(steps),
  (_name, path) => path.startsWith(directory) || path.startsWith("/proc/self/fd/"),
);
await runOverWork(directory, script);

/** Runs a script over a layer, for a test that starts this program as another user. */
import { placedScript, runScript } from "./run-script.js";

const [root = "", script = ""] = process.argv.slice(2);
console.log(JSON.stringify(await runScript(placedScript(root, script))));

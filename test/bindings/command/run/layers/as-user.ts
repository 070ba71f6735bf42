/**
 * Runs a script over a layer as an ordinary user, for a test that root runs. The process becomes that
 * user only after its modules are loaded: the user may not be allowed to read the checkout.
 */
import { placedScript, runScript } from "./run-script.js";

const [root = "", script = "", user = ""] = process.argv.slice(2);
process.setgroups?.([]);
process.setgid?.(Number(user));
process.setuid?.(Number(user));
console.log(JSON.stringify(await runScript(placedScript(root, script))));

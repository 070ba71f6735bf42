import { at, code, literal } from "../../../core/code.js";
import type { EmitInput, View } from "../../../kit/binding-emission.js";
import { accessCode } from "../../../kit/values/access.js";
import { objectCode } from "../../../kit/values/emit-value.js";
import type { HttpConfig, PathModel } from "../model.js";

/** Code for `poll`. No polled body is validated, so paths expect any value at each step. */
export function pollView({
  config: { poll },
  runtime,
}: Pick<EmitInput<HttpConfig>, "config" | "runtime">): { readonly [name: string]: View } {
  if (poll === undefined) return { hasPoll: false };
  const find = ({ span, steps }: PathModel) => {
    const names = steps.map(({ at: step }) => (typeof step === "object" ? 0 : step));
    const found = accessCode(code`body`, undefined, names, () => runtime("pick"));
    return at(span, steps.length === 0 ? code`(body) => body` : code`(body) => ${found}`);
  };
  const { done, failed, intervalMs, location, mostPolls, state, timeoutMs } = poll;
  const view = objectCode([
    ...(location === undefined ? [] : [code`location: ${literal(location.toLowerCase())}`]),
    ...(poll.at ? [code`at: ${find(poll.at)}`] : []),
    ...(state ? [code`state: ${find(state)}`] : []),
    ...(done.length > 0 ? [code`done: ${literal(done)}`] : []),
    ...(failed.length > 0 ? [code`failed: ${literal(failed)}`] : []),
    ...(intervalMs === undefined ? [] : [code`intervalMs: ${literal(intervalMs)}`]),
    ...(timeoutMs === undefined ? [] : [code`timeoutMs: ${literal(timeoutMs)}`]),
    ...(mostPolls === undefined ? [] : [code`mostPolls: ${literal(mostPolls)}`]),
  ]);
  return { hasPoll: true, poll: at(poll.span, view) };
}

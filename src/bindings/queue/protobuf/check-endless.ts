import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { everyType, type MessageType, type ProtoField } from "./proto-type.js";

/** Reports messages of which none ever ends, since each needs another one. */
export function checkEndless(root: MessageType, report: Report): boolean {
  const messages = everyType(root).filter((type) => type.kind === "message");
  // What is needed comes behind what needs it, mostly.
  const endless = new Set(messages.toReversed());
  let before: number;
  do {
    before = endless.size;
    for (const each of endless)
      if (!each.fields.some((field) => needs(field, endless))) endless.delete(each);
  } while (endless.size < before);
  const field = circleFrom(
    messages.find((each) => endless.has(each)),
    endless,
  );
  if (field === undefined) return true;
  report.add({
    code: "queue/endless-message",
    span: field.span,
    message: `no message that has ${quote(field.name)} ever ends: it needs another one`,
    help: "make it `optional` or `repeated`",
  });
  return false;
}

function needs({ cardinality, type }: ProtoField, endless: ReadonlySet<MessageType>): boolean {
  return cardinality.kind === "required" && type.kind === "message" && endless.has(type);
}

/** What an endless message needs is endless too: going from need to need leads round the circle itself. */
function circleFrom(
  start: MessageType | undefined,
  endless: ReadonlySet<MessageType>,
): ProtoField | undefined {
  const passed = new Set<MessageType>();
  for (let at = start; at !== undefined;) {
    const field = at.fields.find((each) => needs(each, endless));
    if (passed.has(at) || field?.type.kind !== "message") return field;
    passed.add(at);
    at = field.type;
  }
  return undefined;
}

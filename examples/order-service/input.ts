import type { NewOrder, Order, OrderLine } from "./orders.js";

type Fields = Readonly<Record<string, unknown>>;

/** A new order; undefined if a field is invalid. */
export function asNewOrder(fields: Fields | undefined): NewOrder | undefined {
  const { lines, reference = null, note = null } = fields ?? {};
  if (!Array.isArray(lines) || lines.length === 0 || !lines.every(isLine)) return undefined;
  if (!isTextOrNull(reference) || !isTextOrNull(note)) return undefined;
  return { lines, reference, note };
}

/** The fields that a PATCH may change; undefined if one is invalid. */
export function asChanges(
  fields: Fields | undefined,
): Partial<Pick<Order, "status" | "note">> | undefined {
  if (fields === undefined) return undefined;
  const { status, note } = fields;
  if (status !== undefined && !isStatus(status)) return undefined;
  if (note !== undefined && !isTextOrNull(note)) return undefined;
  return { ...(status === undefined ? {} : { status }), ...(note === undefined ? {} : { note }) };
}

/** The text of a note; undefined if it is missing or no text. */
export function asNote(fields: Fields | undefined): string | undefined {
  const note = fields?.["note"];
  return typeof note === "string" ? note : undefined;
}

/** The positive amount `amount_cents`; undefined if it is missing or invalid. */
export function asAmount(fields: Fields | undefined): number | undefined {
  const amount = fields?.["amount_cents"];
  return isAmount(amount) && amount > 0 ? amount : undefined;
}

function isLine(value: unknown): value is OrderLine {
  if (typeof value !== "object" || value === null) return false;
  const { sku, quantity, price }: Fields = { ...value };
  return typeof sku === "string" && isAmount(quantity) && isAmount(price);
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isStatus(value: unknown): value is Order["status"] {
  return value === "open" || value === "shipped" || value === "cancelled";
}

function isTextOrNull(value: unknown): value is string | null {
  return typeof value === "string" || value === null;
}

/** An order, as the service stores and sends it. */
export interface Order {
  readonly id: string;
  readonly customer_id: string;
  readonly status: "open" | "shipped" | "cancelled";
  /** The customer's own number for the order, unique among the customer's orders. */
  readonly reference: string | null;
  readonly lines: readonly OrderLine[];
  /** In cents. */
  readonly total: number;
  readonly note: string | null;
  readonly created_at: string;
}

export interface OrderLine {
  readonly sku: string;
  readonly quantity: number;
  /** Price of one piece, in cents. */
  readonly price: number;
}

export interface Refund {
  readonly id: string;
  readonly order_id: string;
  readonly amount_cents: number;
}

export interface NewOrder {
  readonly lines: readonly OrderLine[];
  readonly reference?: string | null;
  readonly note?: string | null;
}

export interface OrderFilter {
  readonly customer_id?: string | undefined;
  readonly status?: string | undefined;
  /** Id of the last order on the previous page. The list starts after it. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Orders in memory, in the order of their creation. */
export class Orders {
  readonly #orders = new Map<string, Order>();
  readonly #refunds: Refund[] = [];
  #lastNumber = 1000;

  list({ customer_id, status, after, limit }: OrderFilter): readonly Order[] {
    const all = [...this.#orders.values()];
    return all
      .slice(after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1)
      .filter((order) => customer_id === undefined || order.customer_id === customer_id)
      .filter((order) => status === undefined || order.status === status)
      .slice(0, limit);
  }

  find(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  /** Creates an order; undefined if the customer has an order with this reference already. */
  create(
    customer_id: string,
    { lines, reference = null, note = null }: NewOrder,
  ): Order | undefined {
    if (reference !== null && this.#hasReference(customer_id, reference)) return undefined;
    this.#lastNumber += 1;
    const order: Order = {
      id: `ord_${this.#lastNumber}`,
      customer_id,
      status: "open",
      reference,
      lines,
      total: lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0),
      note,
      created_at: new Date().toISOString(),
    };
    this.#orders.set(order.id, order);
    return order;
  }

  /** Changes an order; undefined if it does not exist. */
  change(id: string, changes: Partial<Pick<Order, "status" | "note">>): Order | undefined {
    const before = this.#orders.get(id);
    if (before === undefined) return undefined;
    const after = { ...before, ...changes };
    this.#orders.set(id, after);
    return after;
  }

  /** Refunds a part of an order; undefined if the refunds would exceed its total. */
  refund(id: string, amount_cents: number): Refund | undefined {
    const before = this.#refunds.filter(({ order_id }) => order_id === id);
    const sum = before.reduce((total, each) => total + each.amount_cents, amount_cents);
    if (sum > (this.#orders.get(id)?.total ?? 0)) return undefined;
    const made = { id: `ref_${this.#refunds.length + 1}`, order_id: id, amount_cents };
    this.#refunds.push(made);
    return made;
  }

  remove(id: string): void {
    this.#orders.delete(id);
  }

  #hasReference(customer_id: string, reference: string): boolean {
    return [...this.#orders.values()].some(
      (order) => order.customer_id === customer_id && order.reference === reference,
    );
  }
}

/** Creates a few example orders. */
export function seededOrders(): Orders {
  const orders = new Orders();
  const mug: OrderLine = { sku: "MUG-BLUE", quantity: 2, price: 1200 };
  const lamp: OrderLine = { sku: "LAMP-OAK", quantity: 1, price: 8900 };
  orders.create("cus_ada", { lines: [mug], reference: "A-1", note: "leave at the door" });
  orders.create("cus_ada", { lines: [lamp, mug] });
  orders.create("cus_grace", { lines: [lamp] });
  orders.change("ord_1003", { status: "shipped" });
  return orders;
}

/**
 * Returns a function that reports whether a customer's order comes too early. The first N orders of
 * customer `cus_busy_N` do. Orders of other customers never do.
 */
export function busyCustomers(): (customer_id: string) => boolean {
  const turnedAway = new Map<string, number>();
  return (customer_id) => {
    const most = Number(/^cus_busy_(\d{1,3})$/.exec(customer_id)?.[1] ?? 0);
    const times = turnedAway.get(customer_id) ?? 0;
    if (times >= most) return false;
    turnedAway.set(customer_id, times + 1);
    return true;
  };
}

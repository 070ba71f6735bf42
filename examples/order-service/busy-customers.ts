/**
 * Says which orders come too often: customer `cus_busy_3` is turned away three times before an
 * order of theirs is taken, every other customer never.
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

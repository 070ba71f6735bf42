import { describe, expect, test } from "vitest";
import { classOf } from "../../../src/runtime/governance/addresses.js";
import { covers, withValues } from "../../../src/runtime/governance/capabilities.js";

describe("a capability", () => {
  test.each([
    ["net.http:post ${ORDERS_URL}/orders", "net.http:post ${ORDERS_URL}/orders/7"],
    ["net.http:* https://api.example.com", "net.http:delete https://API.example.com/a/b"],
    ["net.http:get https://api.example.com/v1/", "net.http:get https://api.example.com/v1/x"],
    ["sql:read ${DB} public.orders", "sql:read ${DB} public.orders"],
    ["sql:read ${DB} public.*", "sql:read ${DB} public.orders"],
    ["sql:read ${DB}", "sql:read ${DB} public.orders"],
    ["queue:send kafka orders.{region}", "queue:send kafka orders.eu"],
    ["queue:send kafka *", "queue:send kafka orders.eu"],
    ["proc.exec git", "proc.exec git"],
    ["proc.exec /opt/*", "proc.exec /opt/my tools/git"],
    ["proc.exec /opt/../bin/git", "proc.exec /opt/../bin/git"],
    ["proc.exec", "proc.exec git"],
    ["fs.read ./notes", "fs.read ./notes"],
    ["fs.read ./notes", "fs.read notes/2026/may"],
    ["fs.read .", "fs.read ./notes"],
    ["fs.read ./spaces/{caller.tenant}", "fs.read ./spaces/acme"],
    ["fs.write /srv/*", "fs.write /srv/a b/c"],
    ["fs.write", "fs.write ./notes"],
    ["fs.read ../shared", "fs.read ../shared"],
  ])("%s covers %s", (allowed, wanted) => {
    expect(covers(allowed, wanted)).toBe(true);
  });

  test.each([
    ["net.http:post ${ORDERS_URL}/orders", "net.http:post ${ORDERS_URL}/orders-of-others"],
    ["net.http:post ${ORDERS_URL}/orders", "net.http:get ${ORDERS_URL}/orders"],
    ["net.http:get https://api.example.com", "net.http:get https://api.example.com.evil.example/"],
    ["net.http:get https://api.example.com", "net.http:get http://api.example.com/"],
    ["net.http:get https://api.example.com", "net.http:get https://api.example.com:8443/"],
    ["sql:read ${DB} public.orders", "sql:write ${DB} public.orders"],
    ["sql:read ${DB} public.orders", "sql:read ${DB}"],
    ["sql:read ${DB} public.*", "sql:read ${DB} secret.orders"],
    ["queue:send kafka orders.{region}.in", "queue:send kafka orders.in"],
    ["queue:send kafka orders", "queue:send nats orders"],
    ["proc.exec git", "proc.exec git evil"],
    ["proc.exec git", "proc.exec /usr/bin/git"],
    ["proc.exec /opt/*", "proc.exec /opt/../bin/git"],
    ["proc.exec /opt/*", "proc.exec /optional/git"],
    ["fs.read ./notes", "fs.read ./notes-of-others"],
    ["fs.read ./notes", "fs.write ./notes"],
    ["fs.read ./notes", "fs.read ./notes/../keys"],
    ["fs.read ./notes", "fs.read ."],
    ["fs.read ./notes", "fs.read /notes"],
    ["fs.read ./spaces/{caller.tenant}/in", "fs.read ./spaces/acme"],
  ])("%s does not cover %s", (allowed, wanted) => {
    expect(covers(allowed, wanted)).toBe(false);
  });

  test("resolves its settings to their values, and is undefined if one of them is missing", () => {
    const open = (name: string) => (name === "URL" ? "https://example.com/base/" : undefined);
    expect(withValues("net.http:get ${URL}/orders", open)).toBe(
      "net.http:get https://example.com/base/orders",
    );
    expect(withValues("net.http:get ${OTHER}/orders", open)).toBeUndefined();
  });
});

describe("an address", () => {
  test.each([
    ["93.184.216.34", "public"],
    ["2606:2800:220:1:248:1893:25c8:1946", "public"],
    ["127.0.0.1", "private"],
    ["10.1.2.3", "private"],
    ["::1", "private"],
    ["fd12::1", "private"],
    ["::ffff:10.0.0.1", "private"],
    ["::ffff:a00:1", "private"],
    ["::10.0.0.1", "private"],
    ["64:ff9b::10.0.0.1", "private"],
    ["2002:a00:1::", "private"],
    ["192.88.99.1", "private"],
    ["2001::1", "private"],
    ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "private"],
    ["2001:4860:4860::8888", "public"],
    ["169.254.169.254", "local"],
    ["::ffff:169.254.169.254", "local"],
    ["64:ff9b::a9fe:a9fe", "local"],
    ["fe80::1%eth0", "local"],
    ["fd00:ec2::254", "local"],
    ["fd20:ce::254", "local"],
    ["fd20:ce::253", "private"],
    ["100.100.100.200", "local"],
    ["not an address", "local"],
  ] as const)("%s is %s", (address, expected) => {
    expect(classOf(address)).toBe(expected);
  });
});

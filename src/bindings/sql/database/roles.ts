import type { Node } from "@pgsql/types";

/** Statements about who may do what, about the server around the database, and rows read from elsewhere: they change no query's meaning, and the embedded server has no such thing. */
const SKIPPED: ReadonlySet<string> = new Set([
  "AlterDatabaseSetStmt",
  "AlterDatabaseStmt",
  "AlterDefaultPrivilegesStmt",
  "AlterOwnerStmt",
  "AlterRoleSetStmt",
  "AlterRoleStmt",
  "AlterSystemStmt",
  "CopyStmt",
  "CreateRoleStmt",
  "CreateSubscriptionStmt",
  "CreateTableSpaceStmt",
  "CreatedbStmt",
  "DropOwnedStmt",
  "DropRoleStmt",
  "DropdbStmt",
  "GrantRoleStmt",
  "GrantStmt",
  "ReassignOwnedStmt",
]);

/** Whether a statement of a schema file is left out when it is loaded into the embedded server. */
export function isSkipped(tree: Node): boolean {
  const kind = Object.keys(tree)[0] ?? "";
  return SKIPPED.has(kind) || changesOwner(tree) || setsRole(tree);
}

function changesOwner(tree: Node): boolean {
  const commands = "AlterTableStmt" in tree ? (tree.AlterTableStmt.cmds ?? []) : [];
  const owner = (command: Node) =>
    "AlterTableCmd" in command && command.AlterTableCmd.subtype === "AT_ChangeOwner";
  return commands.length > 0 && commands.every(owner);
}

function setsRole(tree: Node): boolean {
  return (
    "VariableSetStmt" in tree &&
    ["role", "session_authorization"].includes(tree.VariableSetStmt.name ?? "")
  );
}

/** The roles that a statement names: `CREATE SCHEMA s AUTHORIZATION r`, `CREATE POLICY … TO r`. */
export function rolesIn(tree: Node): readonly string[] {
  const names = new Set<string>();
  const waiting: unknown[] = [tree];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if ("rolename" in value && typeof value.rolename === "string") names.add(value.rolename);
    for (const child of Object.values(value)) waiting.push(child);
  }
  return [...names];
}

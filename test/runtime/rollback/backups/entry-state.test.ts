import { expect, test } from "vitest";
import { callFolder } from "../../../../src/runtime/rollback/backups/backup-folder.js";
import {
  absent,
  type FileState,
  sameContent,
  sameState,
} from "../../../../src/runtime/rollback/backups/entry-state.js";

const file: FileState = {
  kind: "file",
  mode: 0o644,
  uid: 1,
  gid: 1,
  modified: "1700000000123456789",
  bytes: 1,
  sha256: "a".repeat(64),
};

test("states with other times or owners have the same content, and are not equal", () => {
  for (const other of [
    { ...file, modified: "1700000000123460000" },
    { ...file, uid: 2 },
  ]) {
    expect(sameContent(file, other)).toBe(true);
    expect(sameState(file, other)).toBe(false);
  }
  expect(sameState(file, { ...file, modified: "1700000000123456000" })).toBe(true);
});

test("states with other contents, permissions or kinds differ", () => {
  const { modified, mode, uid, gid } = file;
  for (const other of [
    { ...file, sha256: "b".repeat(64) },
    { ...file, mode: 0o600 },
    { kind: "folder", modified, mode, uid, gid } as const,
    absent,
  ])
    expect(sameContent(file, other)).toBe(false);
});

test.each(["../ledger", "a/b", "", ".hidden", "a\0b", "x".repeat(101)])(
  "rejects %j as the id of a call with copies",
  (id) => {
    expect(() => callFolder({ root: "/project", path: ".skillc/backups" }, id)).toThrow(
      "this is no id of a call",
    );
  },
);

import type { ByteStore, KindSession } from "../../kit/kind-engine.js";
import { readSettings } from "../../bindings/kind-settings.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { Project, ProjectConfig } from "../../core/project.js";
import type { Report } from "../../core/report.js";

/**
 * Sessions in which binding kinds analyze their tools. A session is opened on first use, and kept
 * for the run.
 */
export interface Sessions {
  /** Returns the session of a kind; undefined if the kind needs none. */
  of(type: string): KindSession | undefined;
  /**
   * Fingerprint of a kind's session, constant within a run; undefined if the kind has no session.
   */
  fingerprint(type: string): Promise<string | undefined>;
  /** Fingerprints by kind, without the kinds that have no session. */
  fingerprints(types: readonly string[]): Promise<{ readonly [type: string]: string }>;
  /** Makes every session report problems that concern several tools. */
  finish(): void;
  close(): Promise<void>;
}

export interface SessionsInput {
  readonly project: Project;
  readonly config: ProjectConfig;
  readonly kinds: KindRegistry;
  readonly setting?: (name: string) => Promise<string | undefined>;
  readonly progress: (doing: string) => void;
  readonly report: Report;
  readonly store?: ByteStore | undefined;
}

export function openSessions(input: SessionsInput): Sessions {
  const { config, kinds, progress, project, report, setting, store } = input;
  const opened = new Map<string, KindSession>();
  const known = new Map<string, Promise<string>>();
  const of = (type: string): KindSession | undefined => {
    const before = opened.get(type);
    if (before !== undefined) return before;
    const kind = kinds.find(type);
    const session = kind?.engine?.open({
      settings: readSettings(kind, config, report),
      files: project.files,
      ...(project.unread && { unread: project.unread }),
      ...(project.near && { near: project.near }),
      setting: setting ?? (() => Promise.resolve(undefined)),
      progress,
      report,
      ...(store && { store }),
    });
    if (session !== undefined) opened.set(type, session);
    return session;
  };
  const fingerprint = (type: string): Promise<string> | undefined => {
    const print = known.get(type) ?? of(type)?.fingerprint();
    if (print !== undefined) known.set(type, print);
    return print;
  };
  return {
    of,
    fingerprint: async (type) => fingerprint(type),
    async fingerprints(types) {
      const prints: Record<string, string> = {};
      for (const type of types.toSorted()) {
        const print = await fingerprint(type);
        if (print !== undefined) prints[type] = print;
      }
      return prints;
    },
    finish() {
      for (const session of opened.values()) session.finish?.();
    },
    async close() {
      await Promise.all([...opened.values()].map((session) => session.close()));
    },
  };
}

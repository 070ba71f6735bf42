/*
 * The table of kept results, and the operations. Times are PostgreSQL's own, in milliseconds since
 * 1970. The table names no owner and no id, only digests.
 */

/** First version of the table. `$schema` stands for the schema's name. */
const first = `
CREATE TABLE $schema.result (
  key text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  -- Order of an owner's results.
  n bigint GENERATED ALWAYS AS IDENTITY,
  bytes int NOT NULL,
  at bigint NOT NULL,
  ends_at bigint NOT NULL,
  sealed bytea NOT NULL
);
-- Compressing what is encrypted saves nothing.
ALTER TABLE $schema.result ALTER COLUMN sealed SET STORAGE EXTERNAL;
CREATE INDEX ON $schema.result (owner, n);
CREATE INDEX ON $schema.result (ends_at);

CREATE FUNCTION $schema.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- A result from the future has expired too: the clock was set back.
CREATE FUNCTION $schema.is_live(r $schema.result, now bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT r.ends_at > now AND r.at <= now + 60000
$$;

-- Keeps a result, and removes the oldest ones of its owner until all of them fit.
CREATE FUNCTION $schema.keep_result(
  key_ text, owner_ text, sealed_ bytea, bytes_ int, ttl bigint, most bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('skillc result ' || owner_, 0));
  now := $schema.now_ms();
  DELETE FROM $schema.result r WHERE r.owner = owner_ AND NOT $schema.is_live(r, now);
  DELETE FROM $schema.result r USING (
    SELECT own.key, sum(own.bytes) OVER (ORDER BY own.n DESC) AS bytes
    FROM $schema.result own WHERE own.owner = owner_
  ) newer
  WHERE r.key = newer.key AND newer.bytes > most - bytes_;
  INSERT INTO $schema.result (key, owner, bytes, at, ends_at, sealed)
    VALUES (key_, owner_, bytes_, now, now + ttl, sealed_);
END $$;

CREATE FUNCTION $schema.read_result(key_ text) RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT encode(r.sealed, 'base64') FROM $schema.result r
  WHERE r.key = key_ AND $schema.is_live(r, $schema.now_ms())
$$;

-- Removes expired results of all owners, at most so many.
CREATE FUNCTION $schema.sweep(most int) RETURNS void LANGUAGE sql VOLATILE AS $$
  DELETE FROM $schema.result WHERE key IN (SELECT key FROM $schema.result
    WHERE ends_at <= $schema.now_ms() LIMIT most FOR UPDATE SKIP LOCKED)
$$;
`;

/** Versions of the table, from 1. Never change a released one; add a new one. */
export const migrations: readonly string[] = [first];

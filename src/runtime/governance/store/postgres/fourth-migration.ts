/**
 * Lets an approval be saved again without an effect, so that a repeated confirmation approves one
 * call. `$schema` stands for the schema's name, as in the first migration.
 */
export const fourth = `
-- Stores an approval and approves its request. False if the request was denied; null if an
-- approval with this id was stored before.
CREATE OR REPLACE FUNCTION $schema.approve_request(
  approval_id text, approval_ text, ttl bigint, decision_ text,
  id_ text, request_ text, tool_ text, tenant_ text, subject_ text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known $schema.request;
  now bigint;
BEGIN
  PERFORM $schema.durably();
  LOOP
    SELECT * INTO known FROM $schema.request r WHERE r.id = id_ FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO $schema.request AS r (id, request, tool, state, at, ends_at)
      VALUES (id_, request_, tool_, 'pending', 0, 0) ON CONFLICT DO NOTHING;
  END LOOP;
  IF EXISTS (SELECT 1 FROM $schema.approval a WHERE a.id = approval_id) THEN RETURN NULL; END IF;
  now := $schema.now_ms();
  IF known.ends_at > now AND known.state = 'denied' THEN RETURN false; END IF;
  INSERT INTO $schema.approval VALUES (approval_id, approval_, now, now + ttl);
  IF known.ends_at <= now THEN
    UPDATE $schema.request r
      SET request = request_, tool = tool_, tenant = tenant_, subject = subject_, at = now
      WHERE r.id = id_;
  END IF;
  UPDATE $schema.request r
    SET state = 'approved', ends_at = now + ttl, decision = decision_, decided_at = now,
        approval = approval_id
    WHERE r.id = id_;
  RETURN true;
END $$;
`;

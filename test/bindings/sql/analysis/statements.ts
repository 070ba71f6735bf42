/**
 * Statements for the tests that run them: every known way to a NULL, and every proof against one.
 * All parameters are NULL.
 */
export const STATEMENTS: readonly string[] = `
SELECT * FROM customers
SELECT c.*, o.* FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT * FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
SELECT * FROM customers c RIGHT JOIN orders o ON o.customer_id = c.id
SELECT * FROM customers c FULL JOIN orders o ON o.customer_id = c.id
SELECT * FROM customers c LEFT JOIN (orders o JOIN items i ON i.order_id = o.id) ON o.customer_id = c.id
SELECT * FROM customers c LEFT JOIN orders o ON o.customer_id = c.id LEFT JOIN items i ON i.order_id = o.id
SELECT * FROM customers c LEFT JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id
SELECT * FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NOT NULL
SELECT * FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.status = 'new'
SELECT * FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.status = 'new' OR c.name = 'bo'
SELECT * FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.status = 'new' OR o.note = ''
SELECT * FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE NOT (o.id IS NULL)
SELECT * FROM customers c LEFT JOIN orders o ON true WHERE (o.id > 0) IS TRUE
SELECT * FROM customers c LEFT JOIN orders o ON true WHERE (o.id > 0) IS NOT TRUE
SELECT * FROM customers c LEFT JOIN orders o ON true WHERE (o.id < 0) IS NOT UNKNOWN
SELECT * FROM customers c LEFT JOIN orders o ON true WHERE (o.id < 0) IS NOT FALSE
SELECT * FROM customers JOIN notes USING (id)
SELECT * FROM customers LEFT JOIN notes USING (id)
SELECT * FROM customers RIGHT JOIN notes USING (id)
SELECT * FROM customers FULL JOIN notes USING (id)
SELECT id, customers.id, notes.id FROM customers FULL JOIN notes USING (id)
SELECT id, u.id FROM customers FULL JOIN notes USING (id) AS u
SELECT * FROM items NATURAL JOIN (SELECT order_id, sku FROM items) x
SELECT * FROM items NATURAL LEFT JOIN (SELECT order_id, 'other' AS more FROM items WHERE qty > 1) x
SELECT j.* FROM (customers c LEFT JOIN notes n ON n.customer_id = c.id) AS j (a, b)
SELECT * FROM orders o LEFT JOIN customers c USING (id) LEFT JOIN notes n USING (id)
SELECT * FROM customers a, orders b, LATERAL (SELECT b.note AS n, a.name AS m) l
SELECT l.* FROM customers c LEFT JOIN LATERAL (SELECT o.id, o.total FROM orders o WHERE o.customer_id = c.id LIMIT 1) l ON true
SELECT l.* FROM customers c CROSS JOIN LATERAL (SELECT count(*) AS n, max(o.id) AS m FROM orders o WHERE o.customer_id = c.id) l
SELECT l.* FROM orders o, LATERAL (SELECT o.note || 'x' AS n) l WHERE o.note IS NOT NULL
SELECT c.id, t FROM customers c, unnest(c.tags) t
SELECT c.id, t FROM customers c LEFT JOIN unnest(c.labels) t ON true
SELECT * FROM generate_series(1, 3) n
SELECT n + 1, n FROM generate_series(1, 3) AS s (n)
SELECT * FROM generate_series(1, 3) WITH ORDINALITY
SELECT * FROM ROWS FROM (generate_series(1, 3), generate_series(1, 2)) WITH ORDINALITY AS t (a, b, c)
SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a']) AS t (a, b)
SELECT * FROM unnest(ARRAY[1, NULL])
SELECT * FROM pairs(1)
SELECT * FROM pairs(1) AS p (x, y)
SELECT * FROM found(1)
SELECT * FROM some_customers()
SELECT generate_series(1, 2), generate_series(1, 3)
SELECT unnest(labels) FROM customers
SELECT * FROM jsonb_each('{"a": null}') e
SELECT * FROM jsonb_each_text('{"a": null}') e
SELECT * FROM jsonb_array_elements('[null]') e
SELECT * FROM jsonb_array_elements_text('[null]') e
SELECT * FROM jsonb_to_recordset('[{"a": 1}]') AS r (a int, b text)
SELECT * FROM json_table('[{"a":1}]', '$[*]' COLUMNS (n FOR ORDINALITY, a int PATH '$.a', b int PATH '$.b')) AS jt
SELECT * FROM (VALUES (1, 'a'), (2, NULL)) v (n, t)
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v
VALUES (1, NULL), (2, 'x')
SELECT count(*), count(note), sum(total), max(id), array_agg(id), string_agg(status, ','), bool_and(true) FROM orders WHERE false
SELECT status, count(*), sum(id), sum(total), max(placed), array_agg(note), string_agg(note, ','), avg(id), json_agg(note) FROM orders GROUP BY status
SELECT status, sum(id) FILTER (WHERE id > 2), count(*) FILTER (WHERE false) FROM orders GROUP BY status
SELECT status, stddev(id), variance(id), corr(id, id), percentile_disc(0.5) WITHIN GROUP (ORDER BY id), mode() WITHIN GROUP (ORDER BY note) FROM orders GROUP BY status
SELECT status, note, sum(id), count(*) FROM orders GROUP BY ROLLUP (status, note)
SELECT status, sum(id), grouping(status) FROM orders GROUP BY GROUPING SETS ((status), ())
SELECT coalesce(status, '?'), count(*) FROM orders GROUP BY ROLLUP (coalesce(status, '?'))
SELECT 'k' AS k, count(*) FROM orders GROUP BY ROLLUP (k)
SELECT 'k'::text, count(*) FROM orders GROUP BY ROLLUP (1)
SELECT status, count(*), coalesce(sum(id), 0) FROM orders GROUP BY CUBE (status)
SELECT lower(status), count(*) FROM orders GROUP BY GROUPING SETS ((lower(status)), ())
SELECT sum(id) FROM orders GROUP BY ()
SELECT sum(id) FROM orders HAVING count(*) >= 0
SELECT note, count(*) FROM orders GROUP BY note HAVING note IS NOT NULL
SELECT note, count(*) FROM orders GROUP BY note HAVING note > ''
SELECT coalesce(sum(total), 0), coalesce(note, 'none'), coalesce(note, note) FROM orders GROUP BY note
SELECT row_number() OVER (), rank() OVER (ORDER BY id), dense_rank() OVER (ORDER BY id), percent_rank() OVER (ORDER BY id), cume_dist() OVER (ORDER BY id), ntile(2) OVER (ORDER BY id) FROM orders
SELECT lag(id) OVER (ORDER BY id), lead(id) OVER (ORDER BY id), lag(id, 1, 0) OVER (ORDER BY id), first_value(id) OVER (ORDER BY id), nth_value(id, 2) OVER (ORDER BY id) FROM orders
SELECT sum(id) OVER (), sum(id) OVER (ORDER BY id), sum(total) OVER (), count(note) OVER () FROM orders
SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING), max(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM orders
SELECT sum(id) OVER w, sum(id) OVER (w ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING), min(id) OVER (w ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM orders WINDOW w AS (ORDER BY id)
SELECT max(id) OVER v FROM orders WINDOW v AS (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING)
SELECT sum(id) FILTER (WHERE id > 100) OVER () FROM orders
SELECT CASE WHEN note IS NULL THEN 'none' ELSE note END, CASE WHEN note IS NOT NULL THEN note END, CASE WHEN id > 1 THEN 1 END FROM orders
SELECT CASE WHEN note > '' THEN note ELSE '' END, CASE WHEN note > '' THEN '' ELSE note END FROM orders
SELECT CASE status WHEN 'new' THEN 1 ELSE 2 END, CASE note WHEN '' THEN note ELSE 'x' END, CASE status WHEN 'new' THEN NULL ELSE 1 END FROM orders
SELECT CASE WHEN total IS NULL OR note IS NULL THEN '' ELSE note END, CASE WHEN total IS NULL AND note IS NULL THEN '' ELSE note END FROM orders
SELECT nullif(status, 'new'), nullif(id, 0), greatest(total, 0), least(note, note), greatest(NULL, note), coalesce(NULL, note, status) FROM orders
SELECT ARRAY[note], ARRAY[1, NULL], ARRAY(SELECT note FROM orders), (ARRAY[1, 2])[3], labels[1], tags[1], tags[1:2], labels[1:2] FROM orders, customers
SELECT EXISTS (SELECT 1 FROM orders), NOT EXISTS (SELECT 1), 1 IN (SELECT qty FROM items), 1 IN (1, NULL), id IN (1, 2), note IN ('a'), 1 NOT IN (SELECT id FROM orders), 1 = ANY (ARRAY[1, 2]), 1 = ANY (ARRAY[2, NULL]) FROM orders
SELECT 'a' = ANY (labels), 'a' <> ALL (labels), 1 = ALL (SELECT qty FROM items), 5 > ALL (SELECT id FROM orders) FROM customers
SELECT (SELECT id FROM orders LIMIT 1), (SELECT count(*) FROM orders), (SELECT max(id) FROM orders), (SELECT coalesce(max(id), 0) FROM orders), (SELECT 1), (SELECT 1 WHERE false), (SELECT count(*) FROM orders HAVING false), (SELECT count(*) FROM orders LIMIT 0), (SELECT count(*) FROM orders GROUP BY status LIMIT 1)
SELECT (SELECT count(c.id) FROM notes WHERE false) FROM customers c
SELECT c.id, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id), (SELECT o.status FROM orders o WHERE o.customer_id = c.id LIMIT 1) FROM customers c
SELECT (SELECT generate_series(1, 0)) FROM customers
SELECT (VALUES (1)), (SELECT 1 UNION SELECT 1), (SELECT 1 OFFSET 1)
SELECT id + 1, total + 1, id + total, -id, id * NULL, status || '!', status || note, note || 'x', id::text || '?', 'a' || id FROM orders
SELECT lower(status), upper(note), length(status), lower(span), upper(span), isempty(span), substring(status from 1 for 2), substring(status from 'z'), split_part(status, ',', 1), left(status, 1), trim(status), position('a' in status), replace(status, 'a', 'b') FROM orders
SELECT array_length(labels, 1), cardinality(labels), array_position(labels, 'a'), array_to_string(labels, ','), array_append(labels, NULL), array_append(tags, 'x'), tags || 'x'::text, labels || NULL, array_upper(labels, 1) FROM customers
SELECT to_char(placed, 'YYYY'), to_char(id, ''), to_number('1', ''), extract(hour from placed), extract(epoch from placed), extract(year from placed), date_part('day', placed), date_trunc('day', placed), placed::time, placed::date, shipped::time, age(now(), now()) FROM orders
SELECT meta -> 'a', meta ->> 'a', prefs -> 'a', prefs ->> 'a', prefs #> '{a}', prefs #>> '{a}', prefs || '{}', prefs - 'a'::text, prefs ? 'a', meta ? 'a', prefs @> '{}', jsonb_typeof(prefs), prefs['a'], prefs::text FROM customers
SELECT (prefs -> 'a')::text, jsonb_path_query_first(prefs, '$.a'), jsonb_path_exists(prefs, '$.a'), prefs @? '$.a', prefs @@ '$.a == 1', jsonb_extract_path(prefs, 'a'), jsonb_set('{}', '{a}', '1'), to_jsonb(name), to_jsonb(mail), row_to_json(c), jsonb_build_object('a', NULL), json_object('a': NULL), json_array(NULL), jsonb_strip_nulls(prefs) FROM customers c
SELECT json_value('{"a":1}', '$.b'), json_query('{}', '$.a'), json_exists('{}', '$.a'), '{}' IS JSON, note IS JSON, json_scalar(note), json_array(SELECT 1 WHERE false) FROM orders
SELECT ('null'::jsonb)::int, ('1'::jsonb)::int, '1'::int, '2020-01-01'::date, NULL::int, 'gold'::tier, 'a@b'::email, '{1}'::int[], 1::text, 1.5::int, status::varchar(3), status::code FROM orders
SELECT o.id::text, total::text, note::text, tier::text, 'x' COLLATE "C", date '2020-01-01', born::timestamp FROM orders o, customers
SELECT current_date, current_timestamp, localtime, current_user, session_user, current_schema, now(), version(), gen_random_uuid(), random()
SELECT nothing(1), abs(-1), nothing(id), concat(note, NULL), concat_ws(',', note), concat_ws(NULL, 'a'), format('%s', note), coalesce(nothing(1), 1) FROM orders
SELECT note IS NULL, note IS DISTINCT FROM 'a', note = 'a', note LIKE 'a%', status LIKE 'a%', status ILIKE 'a', status SIMILAR TO 'a', status ~ 'a', id BETWEEN 1 AND 2, id BETWEEN 1 AND total, id NOT BETWEEN 1 AND 2, id BETWEEN SYMMETRIC 2 AND 1 FROM orders
SELECT true AND note = 'a', false AND note = 'a', true OR NULL, NOT (note = 'a'), o.id = 1 AND status = 'x', o.id = 1 OR note = 'x', (note = 'a') IS TRUE, active, active IS NOT TRUE FROM orders o, customers
SELECT (1, note) = (1, 'a'), (1, status) = (1, 'a'), (1, NULL) IN ((1, 2)), ROW(1, NULL) IS NULL, ROW(note) IS DISTINCT FROM ROW('a'), (1, 2) < (1, 3), (id, note) < (2, 'x') FROM orders
SELECT c, c.home, (c.home).city, c.home IS NULL, ROW(c.id), (c).name FROM customers c
SELECT o, c FROM orders o LEFT JOIN customers c ON c.id = o.customer_id
SELECT to_jsonb(c), count(c) OVER (), to_jsonb(o) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id
SELECT ctid, tableoid, xmin FROM customers
SELECT c.ctid, o.ctid FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
SELECT id FROM customers UNION SELECT customer_id FROM orders
SELECT id, name FROM customers UNION ALL SELECT id, status FROM orders
SELECT customer_id FROM orders INTERSECT SELECT id FROM customers
SELECT id FROM customers INTERSECT SELECT customer_id FROM orders
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders
SELECT customer_id FROM orders EXCEPT SELECT id FROM customers
SELECT 1 UNION SELECT NULL
SELECT 1, 'a' UNION ALL (SELECT 2, 'b' UNION SELECT 3, NULL) ORDER BY 1 LIMIT 3
SELECT x FROM (SELECT id AS x FROM customers UNION ALL SELECT 1) s
WITH a AS (SELECT id, note FROM orders) SELECT * FROM a
WITH a AS (SELECT * FROM orders WHERE note IS NOT NULL) SELECT note, total FROM a
WITH a (x, y) AS (SELECT id, note FROM orders), b AS (SELECT x, y FROM a WHERE y = '') SELECT b.*, a.* FROM b LEFT JOIN a ON a.x = b.x + 1
WITH orders AS (SELECT * FROM orders) SELECT id, note FROM orders
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 4) SELECT n FROM t
WITH RECURSIVE t (n, p) AS (SELECT 1, 1 UNION ALL SELECT n + 1, NULL FROM t WHERE n < 4) SELECT n, p FROM t
WITH RECURSIVE t (n, a, b, c) AS (SELECT 1, 1, 1, 1 UNION ALL SELECT n + 1, NULL, a, b FROM t WHERE n < 5) SELECT * FROM t
WITH RECURSIVE up AS (SELECT id, parent_id, name FROM customers WHERE parent_id IS NULL UNION SELECT c.id, c.parent_id, c.name FROM customers c JOIN up ON c.parent_id = up.id) SELECT * FROM up
WITH RECURSIVE up AS (SELECT id, parent_id, name FROM customers UNION SELECT up.id, c.id, c.name FROM up LEFT JOIN customers c ON c.parent_id = up.id WHERE up.id < 2) SELECT * FROM up
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 3) SEARCH DEPTH FIRST BY n SET o SELECT n, o FROM t
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n % 3 + 1 FROM t) CYCLE n SET c USING p SELECT * FROM t
WITH RECURSIVE b AS (SELECT * FROM a), a AS (SELECT id, note FROM orders) SELECT * FROM b
WITH d AS (DELETE FROM notes WHERE body IS NOT NULL RETURNING id, body, mark) SELECT * FROM d
WITH u AS (UPDATE customers SET mail = 'x@y' RETURNING id, mail, name, born) SELECT u.*, n.id FROM u LEFT JOIN notes n ON n.customer_id = u.id
SELECT * FROM customer_names
SELECT v.id, v.mail, v.loud FROM customer_names v
SELECT * FROM gold
SELECT * FROM order_totals
SELECT * FROM loud_names
SELECT * FROM tallies
SELECT g.* FROM customers c LEFT JOIN gold g ON g.id = c.id
SELECT * FROM events
SELECT id, kind, payload ->> 'a', extract(day from day) FROM events
SELECT * FROM events_a TABLESAMPLE bernoulli (100)
SELECT * FROM base
SELECT last_value, is_called FROM counter
SELECT nextval('counter')
SELECT note FROM orders WHERE note = ANY (ARRAY['', 'note'])
SELECT note FROM orders WHERE NOT (note = ANY (ARRAY[]::text[]))
SELECT note FROM orders WHERE note <> ALL (ARRAY[]::text[])
SELECT note FROM orders WHERE note <> ALL (ARRAY['zz'])
SELECT note FROM orders WHERE note = ALL (SELECT 'a' WHERE false)
SELECT note FROM orders WHERE note NOT IN (SELECT 'a' WHERE false)
SELECT note FROM orders WHERE note IN (SELECT note FROM orders)
SELECT note FROM orders WHERE note IN ('', 'note')
SELECT note FROM orders WHERE note NOT IN ('zz')
SELECT note, total FROM orders WHERE (note, total) = ('', 0)
SELECT note, total FROM orders WHERE (note, total) <> ('zz', 0)
SELECT note, total FROM orders WHERE NOT ((note, total) = ('zz', 0))
SELECT id, total FROM orders WHERE (id, total) > (0, 0)
SELECT id, total FROM orders WHERE (id, total) NOT IN ((0, 0))
SELECT total, weight FROM orders WHERE total BETWEEN 0 AND weight
SELECT total, weight FROM orders WHERE total NOT BETWEEN 5 AND weight
SELECT total, weight FROM orders WHERE id BETWEEN total AND weight OR true
SELECT note FROM orders WHERE note IS DISTINCT FROM NULL
SELECT note FROM orders WHERE note IS DISTINCT FROM 'x'
SELECT note FROM orders WHERE note IS NOT DISTINCT FROM ''
SELECT note FROM orders WHERE coalesce(note, '') = ''
SELECT note FROM orders WHERE nullif(note, 'x') = ''
SELECT note FROM orders WHERE concat(note, 'a') = 'a'
SELECT note, total FROM orders WHERE length(note) >= 0 AND abs(total) >= 0
SELECT note, status FROM orders WHERE spread(status, note) = status
SELECT note FROM orders WHERE note::text || '' = ''
SELECT note FROM orders WHERE note > '' IS TRUE OR note = ''
SELECT note FROM orders WHERE note LIKE '%' AND total IS NOT NULL OR note = 'note'
SELECT note FROM orders WHERE CASE WHEN note = 'zz' THEN false ELSE true END
SELECT tags FROM customers WHERE tags || 'x'::text = '{x}'
SELECT tags, meta FROM customers WHERE tags[1] = 'a' OR meta ->> 'a' = '1'
SELECT active FROM customers WHERE active
SELECT active FROM customers WHERE NOT active
SELECT active, born FROM customers WHERE active AND born < now()
SELECT home FROM customers WHERE home IS NOT NULL
SELECT home FROM customers WHERE NOT (home IS NULL)
SELECT c.born FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND c.born IS NOT NULL)
SELECT n.body, (SELECT n.body || 'x') FROM notes n WHERE n.body IS NOT NULL
SELECT o.note FROM orders o JOIN items i ON i.order_id = o.id AND o.note IS NOT NULL
SELECT o.note FROM orders o LEFT JOIN items i ON i.order_id = o.id AND o.note IS NOT NULL
SELECT o.note, i.qty FROM orders o LEFT JOIN items i ON i.order_id = o.id AND i.qty > 0 WHERE i.sku IS NOT NULL
SELECT a.id, b.id, c.id FROM customers a LEFT JOIN (orders b LEFT JOIN items i ON i.order_id = b.id) ON b.customer_id = a.id LEFT JOIN notes c ON c.customer_id = a.id WHERE i.sku = 's1'
SELECT a.id, b.id FROM customers a FULL JOIN notes b ON b.customer_id = a.id WHERE a.name = 'bo'
SELECT DISTINCT ON (status) status, note FROM orders ORDER BY status, id
SELECT id, note FROM orders FOR UPDATE
SELECT $1::int, coalesce($1::int, 0), $1::text || 'x'
SELECT note FROM orders WHERE ($1::text IS NULL OR note = $1::text)
INSERT INTO notes (customer_id, body) VALUES (1, 'x') RETURNING *
INSERT INTO notes (customer_id, body) VALUES (1, NULL), (2, 'x') RETURNING id, body, mark, body || 'x'
INSERT INTO notes (customer_id, body, mark) SELECT 1, status, DEFAULT_MARK FROM (SELECT status, NULL::text AS default_mark FROM orders) s RETURNING body, mark
INSERT INTO notes (customer_id, mark) VALUES (1, DEFAULT) RETURNING mark
INSERT INTO notes (id, customer_id, body) VALUES (1, 1, 'x') ON CONFLICT (id) DO UPDATE SET rank = excluded.rank RETURNING body, rank, old.id, new.id, (xmax = 0)
INSERT INTO notes (customer_id) VALUES (1) RETURNING WITH (OLD AS o, NEW AS n) o.id, n.id, n.*
INSERT INTO watched VALUES (9, 'v', 'm') RETURNING *
INSERT INTO ruled VALUES (9, 'm') RETURNING *
INSERT INTO customer_names (id, name) VALUES (99, 'x') RETURNING *
INSERT INTO gold (id, name) VALUES (99, 'x') RETURNING *
UPDATE notes SET body = 'x' RETURNING *, old.body, new.body
UPDATE notes SET body = NULL WHERE body IS NOT NULL RETURNING body, old.body, new.body
UPDATE notes SET rank = 1 WHERE body IS NOT NULL AND mark > '' RETURNING body, mark, rank
UPDATE notes n SET body = c.mail FROM customers c WHERE c.id = n.customer_id AND c.mail IS NOT NULL RETURNING n.*, c.mail
UPDATE notes n SET body = c.mail FROM customers c RETURNING n.body, c.mail
UPDATE notes SET (body, mark) = (SELECT NULL, 'y') RETURNING body, mark
UPDATE notes SET body = DEFAULT, mark = DEFAULT RETURNING body, mark
UPDATE customers SET tags[1] = 'x', prefs['a'] = '1', home.city = 'x' RETURNING tags, prefs, home
UPDATE watched SET val = 'x' WHERE val IS NOT NULL RETURNING *, old.val
UPDATE gold SET born = NULL RETURNING *
DELETE FROM notes WHERE body IS NOT NULL RETURNING *, old.id, new.id
DELETE FROM notes n USING customers c WHERE c.id = n.customer_id AND c.mail > '' RETURNING n.body, c.mail, c.name
MERGE INTO notes n USING customers c ON n.customer_id = c.id WHEN MATCHED THEN UPDATE SET body = c.name WHEN NOT MATCHED THEN INSERT (customer_id, body) VALUES (c.id, c.mail) RETURNING merge_action(), *
MERGE INTO notes n USING customers c ON n.customer_id = c.id WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN MATCHED THEN DO NOTHING RETURNING merge_action(), c.name, n.id, n.body, old.id, new.id
`
  .split("\n")
  .filter((line) => line !== "");

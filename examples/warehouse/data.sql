INSERT INTO categories (parent_id, name) VALUES (NULL, 'Kitchen'), (1, 'Mugs'), (1, 'Plates'), (2, 'Travel mugs'), (NULL, 'Office');

INSERT INTO products (sku, category_id, name, price, tags, attributes) VALUES
  ('MUG-BLUE', 2, 'Mug, blue', 12.00, '{stoneware,dishwasher}', '{"volume_ml": 350, "colour": "blue"}'),
  ('MUG-RED', 2, 'Mug, red', 12.50, '{stoneware}', '{"volume_ml": 350, "colour": "red"}'),
  ('MUG-TRAVEL', 4, 'Travel mug', 24.90, '{steel,lid}', '{"volume_ml": 450}'),
  ('PLATE-26', 3, 'Plate, 26 cm', 9.80, '{}', '{"diameter_cm": 26}'),
  ('PEN-BLACK', 5, 'Pen, black', 1.20, '{}', '{}'),
  ('OLD-CUP', NULL, 'Cup, old pattern', 5.00, '{}', '{}');
UPDATE products SET discontinued_at = '2026-01-31T00:00:00Z' WHERE sku = 'OLD-CUP';

INSERT INTO locations (code, aisle, capacity) VALUES ('A-01', 1, 500), ('A-02', 1, 300), ('B-01', 2, 1000);

INSERT INTO stock (sku, location, quantity, counted_at) VALUES
  ('MUG-BLUE', 'A-01', 120, '2026-07-01T08:00:00Z'), ('MUG-BLUE', 'B-01', 30, NULL), ('MUG-RED', 'A-01', 4, '2026-07-01T08:05:00Z'),
  ('MUG-TRAVEL', 'A-02', 0, NULL), ('PLATE-26', 'B-01', 75, '2026-07-02T10:00:00Z'), ('PEN-BLACK', 'B-01', 900, NULL);

INSERT INTO movements (sku, location, quantity, reason, note, moved_at) VALUES
  ('MUG-BLUE', 'A-01', 150, 'delivery', NULL, '2026-06-01T07:00:00Z'), ('MUG-BLUE', 'A-01', -30, 'order', NULL, '2026-06-20T09:30:00Z'),
  ('MUG-RED', 'A-01', 10, 'delivery', 'two broken', '2026-06-02T07:00:00Z'), ('MUG-RED', 'A-01', -2, 'loss', 'broken', '2026-06-02T07:10:00Z'),
  ('MUG-RED', 'A-01', -4, 'order', NULL, '2026-06-21T11:00:00Z'), ('PLATE-26', 'B-01', 75, 'delivery', NULL, '2026-06-03T07:00:00Z');

INSERT INTO customers (id, name, email, since) VALUES
  ('6f1c1d9e-0b1a-4c55-9d2e-1f4f6a2b7c01', 'Ada', 'ada@example.com', '2024-03-01'),
  ('6f1c1d9e-0b1a-4c55-9d2e-1f4f6a2b7c02', 'Grace', NULL, '2025-11-12');

INSERT INTO orders (customer_id, status, reference, note, created_at, shipped_at) VALUES
  ('6f1c1d9e-0b1a-4c55-9d2e-1f4f6a2b7c01', 'shipped', 'SPRING-1', NULL, '2026-05-04T12:00:00Z', '2026-05-05T16:00:00Z'),
  ('6f1c1d9e-0b1a-4c55-9d2e-1f4f6a2b7c01', 'open', NULL, 'ring the bell', '2026-07-20T08:15:00Z', NULL),
  ('6f1c1d9e-0b1a-4c55-9d2e-1f4f6a2b7c02', 'picked', 'G-77', NULL, '2026-07-21T09:00:00Z', NULL),
  (NULL, 'open', NULL, 'counter sale', '2026-07-22T14:00:00Z', NULL);

INSERT INTO order_lines (order_id, line, sku, quantity, price) VALUES
  (1, 1, 'MUG-BLUE', 6, 11.50), (1, 2, 'PLATE-26', 6, 9.80), (2, 1, 'MUG-RED', 2, 12.50), (3, 1, 'MUG-TRAVEL', 1, 24.90), (3, 2, 'PEN-BLACK', 10, 1.20);

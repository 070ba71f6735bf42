CREATE TABLE vaults (name text PRIMARY KEY, keys jsonb NOT NULL);

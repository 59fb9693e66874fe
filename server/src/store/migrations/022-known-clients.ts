import type { Migration } from '#store/engine/migration.ts'

/** Shares the clients of handshakes between nodes. On SQLite there is one node, which has them in memory. */
export const knownClients: Migration = {
  number: 22,
  sql: ({ engine, bigint }) =>
    engine === 'sqlite'
      ? ''
      : `
create table known_clients (key text primary key, name text not null, version text, used_at ${bigint} not null);
create index known_clients_age on known_clients (used_at);
`,
}

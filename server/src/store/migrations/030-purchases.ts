import type { Migration } from '#store/engine/migration.ts'

/** Requests for more sources or for another plan, with their outcome. */
export const purchases: Migration = {
  number: 30,
  sql: ({ bigint }) => `
create table purchases (
  id text primary key, account_id text not null references accounts (id) on delete cascade, kind text not null,
  server_id text references servers (id) on delete set null, sources integer, plan text, price_cents ${bigint},
  note text not null, state text not null, reason text, created_at ${bigint} not null, settled_at ${bigint},
  settled_by text);
create index purchases_account on purchases (account_id, created_at);
create index purchases_state on purchases (state, created_at);
create index purchases_server on purchases (server_id) where server_id is not null;
`,
}

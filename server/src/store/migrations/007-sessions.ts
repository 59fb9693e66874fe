import type { Migration } from '#store/engine/migration.ts'

export const sessions: Migration = {
  number: 7,
  sql: ({ bigint }) => `
create table sessions (
  id text primary key, account_id text not null references accounts (id) on delete cascade, hash text not null unique,
  user_agent text, created_at ${bigint} not null, last_used_at ${bigint} not null);
create index sessions_account on sessions (account_id, last_used_at);
`,
}

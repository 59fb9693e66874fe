import type { Migration } from '#store/engine/migration.ts'

export const rulesAndTools: Migration = {
  number: 4,
  sql: ({ bigint }) => `
create table retrieval_rules (
  id text primary key, server_id text not null references servers (id) on delete cascade,
  source_id text references sources (id) on delete cascade, natural_language text not null, enabled ${bigint} not null,
  priority ${bigint} not null, effects text not null, created_at ${bigint} not null, updated_at ${bigint} not null);
create index retrieval_rules_server on retrieval_rules (server_id);

create table custom_tools (
  id text primary key, account_id text not null references accounts (id) on delete cascade, name text not null,
  display_name text not null, description text not null, status text not null, input_schema text not null,
  plan text, error text, created_at ${bigint} not null, updated_at ${bigint} not null);
create index custom_tools_account on custom_tools (account_id, created_at);
`,
}

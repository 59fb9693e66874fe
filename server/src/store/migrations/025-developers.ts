import type { Migration } from '#store/engine/migration.ts'

/** The SDK interface: developer profiles, widget configurations, attribution tokens and the sessions of widgets. */
export const developers: Migration = {
  number: 25,
  sql: ({ bigint }) => `
create table developers (
  id text primary key, account_id text not null unique references accounts (id) on delete cascade,
  client_id text not null unique, app_name text not null, secret_hash text not null unique, sealed_secret text not null,
  created_at ${bigint} not null, updated_at ${bigint} not null);
create table configurations (
  id text primary key, developer_id text not null references developers (id) on delete cascade, name text not null,
  domain text not null, tools text not null, sources text not null, colors text not null, layout text not null,
  font_family text not null, is_active integer not null, created_at ${bigint} not null, updated_at ${bigint} not null,
  unique (developer_id, domain));
create table attribution_tokens (
  id text primary key, developer_id text not null references developers (id) on delete cascade, end_user_id text,
  created_at ${bigint} not null, expires_at ${bigint} not null, used_at ${bigint});
create index attribution_tokens_expiry on attribution_tokens (expires_at);
create table embed_sessions (
  hash text primary key, configuration_id text not null references configurations (id) on delete cascade,
  attribution_id text, end_user_id text, created_at ${bigint} not null, expires_at ${bigint} not null);
create index embed_sessions_expiry on embed_sessions (expires_at);
`,
}

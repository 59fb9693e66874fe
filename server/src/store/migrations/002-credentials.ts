import type { Migration } from '#store/engine/migration.ts'

export const credentials: Migration = {
  number: 2,
  sql: ({ bigint }) => `
create table secret_keys (id text primary key, is_current ${bigint} not null, created_at ${bigint} not null);
create unique index secret_keys_current on secret_keys (is_current) where is_current = 1;

create table credentials (
  source_id text primary key references sources (id) on delete cascade, header_name text not null, sealed text not null,
  updated_at ${bigint} not null);

create table linked_accounts (
  id text primary key, account_id text not null references accounts (id) on delete cascade, host text not null,
  login text not null, sealed text not null, linked_at ${bigint} not null, unique (account_id, host));

create table source_credits (
  server_id text primary key references servers (id) on delete cascade, credits ${bigint} not null,
  updated_at ${bigint} not null);

create table idempotent_answers (
  id text primary key, account_id text not null references accounts (id) on delete cascade, request_hash text not null,
  answer text not null, expires_at ${bigint} not null);
create index idempotent_answers_expiry on idempotent_answers (expires_at);

alter table sources add column include_patterns text not null default '[]';
alter table sources add column exclude_patterns text not null default '[]';
alter table servers add column refresh text not null default 'daily';
create index sources_refresh on sources (crawl_started_at) where crawl_status in ('complete', 'error');
`,
}

import type { Migration } from '#store/engine/migration.ts'

export const calls: Migration = {
  number: 3,
  sql: ({ bigint, serial }) => `
create table monthly_calls (
  account_id text not null references accounts (id) on delete cascade, month text not null, calls ${bigint} not null,
  primary key (account_id, month));

create table calls (
  seq ${serial}, id text not null unique, server_id text not null references servers (id) on delete cascade,
  at ${bigint} not null, day ${bigint} not null, tool text not null, arguments text not null, query text,
  client_name text, client_version text, status text not null, duration_ms double precision not null, error text,
  confidence text);
create index calls_server on calls (server_id, at);
create index calls_age on calls (at);

create table call_citations (
  call_id text not null references calls (id) on delete cascade, position ${bigint} not null,
  rank ${bigint} not null, source_id text not null references sources (id) on delete cascade, url text not null, title text not null,
  score double precision not null, primary key (call_id, position));
create index call_citations_source on call_citations (source_id);

create table call_days (
  server_id text not null references servers (id) on delete cascade, day ${bigint} not null, tool text not null,
  calls ${bigint} not null, failed ${bigint} not null, duration_ms double precision not null,
  primary key (server_id, day, tool));

create table source_uses (
  source_id text primary key references sources (id) on delete cascade, calls ${bigint} not null,
  citations ${bigint} not null, last_cited_at ${bigint} not null);
`,
}

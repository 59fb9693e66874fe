import type { Migration } from '#store/engine/migration.ts'

export const init: Migration = {
  number: 1,
  sql: ({ bigint, blob, serial }) => `
create table accounts (
  id text primary key, email text not null unique, name text not null, plan text not null, password_hash text,
  is_operator ${bigint} not null, trial_ends_at ${bigint}, created_at ${bigint} not null);

create table api_keys (
  id text primary key, account_id text not null references accounts (id) on delete cascade, name text not null,
  hash text not null unique, last4 text not null, server_ids text, created_at ${bigint} not null,
  last_used_at ${bigint}, revoked_at ${bigint});
create index api_keys_account on api_keys (account_id);

create table servers (
  id text primary key, account_id text not null references accounts (id) on delete cascade, slug text not null unique,
  name text not null, description text, visibility text not null, tools text not null, created_at ${bigint} not null,
  updated_at ${bigint} not null, deleted_at ${bigint}, purge_at ${bigint});
create index servers_account on servers (account_id, created_at);
create index servers_purge on servers (purge_at) where purge_at is not null;

create table access_tokens (
  id text primary key, server_id text not null references servers (id) on delete cascade, name text not null,
  hash text not null unique, last4 text not null, created_at ${bigint} not null, last_used_at ${bigint},
  revoked_at ${bigint});
create index access_tokens_server on access_tokens (server_id);

create table sources (
  id text primary key, server_id text not null references servers (id) on delete cascade, url text not null,
  type text not null, label text, is_private ${bigint} not null, crawl_status text not null, crawl_error text,
  run ${bigint} not null, segments text not null, pages_found ${bigint} not null, pages_to_go ${bigint} not null, pages_indexed ${bigint} not null,
  pages_skipped ${bigint} not null, pages_failed ${bigint} not null, chunks ${bigint} not null,
  text_bytes ${bigint} not null, crawl_started_at ${bigint}, last_indexed_at ${bigint}, created_at ${bigint} not null,
  unique (server_id, url));

create table pages (
  id ${serial}, source_id text not null references sources (id) on delete cascade, url text not null,
  state text not null, reason text, detail text, run ${bigint} not null, depth ${bigint} not null, title text,
  text_hash text, chunks ${bigint} not null, etag text, last_modified text, published ${bigint} not null,
  misses ${bigint} not null, anchor_texts text, updated_at ${bigint} not null,
  unique (source_id, url));
create index pages_run on pages (source_id, run, id);
create index pages_text on pages (source_id, text_hash) where text_hash is not null;
create index pages_unpublished on pages (source_id, id) where state = 'indexed' and published = 0;

create table texts (
  source_id text not null references sources (id) on delete cascade, hash text not null, markdown ${blob} not null,
  outline ${blob} not null, size ${bigint} not null, primary key (source_id, hash));

create table segments (
  id text primary key, source_id text not null references sources (id) on delete cascade, bytes ${bigint} not null,
  created_at ${bigint} not null);
create index segments_source on segments (source_id);

create table segment_parts (
  segment_id text not null references segments (id) on delete cascade, part ${bigint} not null, data ${blob} not null,
  primary key (segment_id, part));

create table jobs (
  id ${serial}, kind text not null, payload text not null, dedupe_key text, server_id text, source_id text,
  state text not null, attempts ${bigint} not null, run_at ${bigint} not null, fence ${bigint} not null,
  lease_until ${bigint}, error text, created_at ${bigint} not null, updated_at ${bigint} not null);
create index jobs_due on jobs (run_at, id) where state = 'queued';
create index jobs_leases on jobs (lease_until) where state = 'running';
create unique index jobs_dedupe on jobs (dedupe_key) where state in ('queued', 'running');
create index jobs_server on jobs (server_id, state);

create table rate_limits (key text primary key, hits text not null, expires_at ${bigint} not null);
create index rate_limits_expiry on rate_limits (expires_at);
`,
}

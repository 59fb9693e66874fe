import type { Words } from './migrate.ts'

/** References to the owner of a row. The row is deleted with it. */
export const OF_ACCOUNT = 'text not null references accounts (id) on delete cascade'
export const OF_SERVER = 'text not null references servers (id) on delete cascade'
const OF_SOURCE = 'text not null references sources (id) on delete cascade'

/**
 * Pages with their texts and segments. Crawls and publications read a source's pages in discovery order without sorting.
 * The sizes of texts and the formats of segments have indexes, because SQLite reads a whole blob for its first bytes.
 */
export const pages = ({ bigint, blob, serial }: Words): string => `
create table pages (
  id ${serial}, source_id ${OF_SOURCE}, url text not null, state text not null, reason text, detail text,
  run ${bigint} not null, depth ${bigint} not null, title text, text_hash text, chunks ${bigint} not null, etag text,
  last_modified text, published ${bigint} not null, misses ${bigint} not null, anchor_texts text,
  updated_at ${bigint} not null, unique (source_id, url));
create index pages_run on pages (source_id, run, id);
create index pages_text on pages (source_id, text_hash) where text_hash is not null;
create index pages_order on pages (source_id, id);
create index pages_unpublished on pages (source_id, published, id);

create table texts (
  source_id ${OF_SOURCE}, hash text not null, markdown ${blob} not null, outline ${blob} not null,
  size ${bigint} not null, primary key (source_id, hash));
create index texts_sizes on texts (source_id, hash, size);

create table segments (
  id text primary key, source_id ${OF_SOURCE}, bytes ${bigint} not null, created_at ${bigint} not null,
  format ${bigint} not null default 0);
create index segments_source on segments (source_id);
create index segments_format on segments (format);

create table segment_parts (
  segment_id text not null references segments (id) on delete cascade, part ${bigint} not null, data ${blob} not null,
  primary key (segment_id, part));

create table host_shares (
  host text not null, node text not null, until ${bigint} not null, not_before ${bigint} not null,
  primary key (host, node));
create index host_shares_age on host_shares (until);
create table host_slots (host text primary key, next_at ${bigint} not null);
create index host_slots_age on host_slots (next_at);
`

export const uploads = ({ bigint, blob }: Words): string => `
create table uploads (
  id text primary key, server_id ${OF_SERVER}, source_id text references sources (id) on delete cascade,
  file_name text not null, bytes ${bigint} not null, created_at ${bigint} not null);
create index uploads_source on uploads (source_id);
create index uploads_server on uploads (server_id);
create index uploads_unfinished on uploads (created_at) where source_id is null;

create table upload_parts (
  upload_id text not null references uploads (id) on delete cascade, part ${bigint} not null, data ${blob} not null,
  primary key (upload_id, part));
`

/** `jobs_waiting` has one range per account, so that a single seek finds an account's first job. */
export const jobs = ({ bigint, serial }: Words): string => `
create table jobs (
  id ${serial}, kind text not null, payload text not null, dedupe_key text, account_id text not null default '',
  server_id text, source_id text, state text not null, attempts ${bigint} not null, run_at ${bigint} not null,
  fence ${bigint} not null, lease_until ${bigint}, error text, created_at ${bigint} not null,
  updated_at ${bigint} not null);
create index jobs_waiting on jobs (account_id, run_at, id) where state = 'queued';
create index jobs_leases on jobs (lease_until) where state = 'running';
create unique index jobs_dedupe on jobs (dedupe_key) where state in ('queued', 'running');
create index jobs_server on jobs (server_id, state);

create table job_turns (account_id text primary key, turn ${bigint} not null);
create index job_turns_turn on job_turns (turn);
`

/**
 * The request log. Feedback has no reference to its call, because calls are recorded in batches and can come after it.
 * Nodes share the clients of handshakes on PostgreSQL. On SQLite there is one node, which has them in memory.
 */
export const calls = ({ bigint, serial, engine }: Words): string => `
create table calls (
  seq ${serial}, id text not null unique, server_id ${OF_SERVER}, at ${bigint} not null, day ${bigint} not null,
  tool text not null, arguments text not null, query text, client_name text, client_version text,
  configuration_id text, end_user_id text, status text not null, duration_ms double precision not null, error text,
  confidence text, unanswered integer not null default 0, segments text, citations text);
create index calls_server on calls (server_id, at);
create index calls_age on calls (at);
create index calls_unanswered on calls (server_id, at) where unanswered = 1;

create table call_feedback (
  call_id text primary key, configuration_id text not null references configurations (id) on delete cascade,
  helpful integer not null, at ${bigint} not null);
create index call_feedback_age on call_feedback (at);
create index call_feedback_configuration on call_feedback (configuration_id);
${
  engine === 'sqlite'
    ? ''
    : `
create table known_clients (key text primary key, name text not null, version text, used_at ${bigint} not null);
create index known_clients_age on known_clients (used_at);
`
}`

/** Counts of calls. Without a row id, SQLite has one tree instead of two: each batch of calls updates a dozen rows. */
export const counts = ({ bigint, engine }: Words): string => {
  const clustered = engine === 'sqlite' ? ' without rowid' : ''
  const counted = (period: 'hour' | 'day') => `
  server_id ${OF_SERVER}, ${period} ${bigint} not null, tool text not null, client_name text not null,
  client_version text not null, configuration_id text not null, status text not null, calls ${bigint} not null,
  duration_ms double precision not null, durations text not null, last_at ${bigint} not null,
  primary key (server_id, ${period}, tool, client_name, client_version, configuration_id, status)`
  return `
create table monthly_calls (
  account_id ${OF_ACCOUNT}, month text not null, calls ${bigint} not null, primary key (account_id, month));

create table model_usage (
  account_id ${OF_ACCOUNT}, day ${bigint} not null, kind text not null, requests ${bigint} not null,
  input_tokens ${bigint} not null, output_tokens ${bigint} not null, primary key (account_id, day, kind));

create table call_hours (${counted('hour')})${clustered};
create index call_hours_age on call_hours (hour);

create table call_days (${counted('day')})${clustered};

create table call_groups (
  server_id ${OF_SERVER}, dimension text not null, day ${bigint} not null, name text not null, version text not null,
  status text not null, calls ${bigint} not null, duration_ms double precision not null, last_at ${bigint} not null,
  durations text not null, primary key (server_id, dimension, day, name, version, status))${clustered};
`
}

/** Citations by source and page. A row for each page and day would be a million rows a year. */
export const citations = ({ bigint, serial }: Words): string => `
create table source_uses (
  source_id text primary key references sources (id) on delete cascade, calls ${bigint} not null,
  citations ${bigint} not null, last_cited_at ${bigint} not null);

create table cited_pages (
  id ${serial}, source_id ${OF_SOURCE}, hash text not null, url text not null, title text not null,
  last_cited_at ${bigint} not null, unique (source_id, hash));

create table page_days (
  source_id ${OF_SOURCE}, day ${bigint} not null, counts text not null, primary key (source_id, day));

create table page_periods (
  source_id ${OF_SOURCE}, day ${bigint} not null, counts text not null, primary key (source_id, day));

create table call_folds (id ${bigint} primary key, folded_until ${bigint} not null);
`

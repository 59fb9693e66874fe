/** References to the owner of a row. The row is deleted with it. */
export const OF_ACCOUNT = 'text not null references accounts (id) on delete cascade'
export const OF_SERVER = 'text not null references servers (id) on delete cascade'
export const OF_SOURCE = 'text not null references sources (id) on delete cascade'

/** Sizes and formats have indexes, because SQLite reads a whole blob for its first bytes. */
export const pages = `
-- 'reason' is the typed reason for a skip or a failure. 'run' is the crawl that last settled the page. 'published' is
-- 1 if the published segments contain its current state. 'misses' are consecutive refreshes that failed to fetch it.
-- 'anchor_texts' is a JSON array of its labels in the source's navigation.
create table pages (
  id serial, source_id ${OF_SOURCE}, url text not null, state text not null, reason text, detail text,
  run bigint not null, depth bigint not null, title text, text_hash text, chunks bigint not null, etag text,
  last_modified text, published bigint not null, misses bigint not null, anchor_texts text,
  updated_at bigint not null, unique (source_id, url));
create index pages_run on pages (source_id, run, id);
create index pages_text on pages (source_id, text_hash) where text_hash is not null;
create index pages_order on pages (source_id, id);
create index pages_unpublished on pages (source_id, published, id);

-- 'markdown', and 'outline' (JSON of '{language, chunks, links}'), are zstd-compressed: together, everything to
-- rebuild the index. 'size' are characters before compression.
create table texts (
  source_id ${OF_SOURCE}, hash text not null, markdown blob not null, outline blob not null,
  size bigint not null, primary key (source_id, hash));
create index texts_sizes on texts (source_id, hash, size);

-- 'format' of its bytes. 0: unknown.
create table segments (
  id text primary key, source_id ${OF_SOURCE}, bytes bigint not null, created_at bigint not null,
  format bigint not null default 0);
create index segments_source on segments (source_id);
create index segments_format on segments (format);

create table segment_parts (
  segment_id text not null references segments (id) on delete cascade, part bigint not null, data blob not null,
  primary key (segment_id, part));

-- Nodes that currently fetch pages from hosts. 'host' is the SHA-256 of the name, 'not_before' the end of the pause
-- that the host requested.
create table host_shares (
  host text not null, node text not null, until bigint not null, not_before bigint not null,
  primary key (host, node));
create index host_shares_age on host_shares (until);
-- Next allowed request start of hosts with a crawl delay.
create table host_slots (host text primary key, next_at bigint not null);
create index host_slots_age on host_slots (next_at);
` as const

export const uploads = `
-- Uploaded files of sources, as received. Without a source, an upload is in progress or was replaced.
create table uploads (
  id text primary key, server_id ${OF_SERVER}, source_id text references sources (id) on delete cascade,
  file_name text not null, bytes bigint not null, created_at bigint not null);
create index uploads_source on uploads (source_id);
create index uploads_server on uploads (server_id);
create index uploads_unfinished on uploads (created_at) where source_id is null;

create table upload_parts (
  upload_id text not null references uploads (id) on delete cascade, part bigint not null, data blob not null,
  primary key (upload_id, part));
` as const

/** `jobs_waiting` has one range per account, so that a single seek finds an account's first job. */
export const jobs = `
-- At most one waiting or running job per 'dedupe_key'. 'account_id' is the account whose turn the job uses, empty for
-- the service's own jobs. Every claim increments 'fence': the holder of an older number has lost the job.
create table jobs (
  id serial, kind text not null, payload text not null, dedupe_key text, account_id text not null default '',
  server_id text, source_id text, state text not null, attempts bigint not null, run_at bigint not null,
  fence bigint not null, lease_until bigint, error text, created_at bigint not null,
  updated_at bigint not null);
create index jobs_waiting on jobs (account_id, run_at, id) where state = 'queued';
create index jobs_leases on jobs (lease_until) where state = 'running';
create unique index jobs_dedupe on jobs (dedupe_key) where state in ('queued', 'running');
create index jobs_server on jobs (server_id, state);

-- Last turn of each account at the queue.
create table job_turns (account_id text primary key, turn bigint not null);
create index job_turns_turn on job_turns (turn);
` as const

/** The request log. Feedback has no reference to its call, which is recorded in a batch and can come after it. */
export const calls = `
-- 'day' counts from 1970, UTC. 'arguments' is JSON, clipped if long. 'query' is the question or search query.
-- 'segments' are ids of the searched segments, separated by spaces, null for calls of older versions. 'citations' is
-- JSON, see 'store/calls/write-calls.ts'. 'configuration_id' is the widget configuration that asked, null for MCP
-- clients, and 'end_user_id' the developer's id of the user. 'unanswered' is 1 for a question or search that the
-- sources did not answer.
create table calls (
  seq serial, id text not null unique, server_id ${OF_SERVER}, at bigint not null, day bigint not null,
  tool text not null, arguments text not null, query text, client_name text, client_version text,
  configuration_id text, end_user_id text, status text not null, duration_ms double precision not null, error text,
  confidence text, unanswered integer not null default 0, segments text, citations text);
create index calls_server on calls (server_id, at);
create index calls_age on calls (at);
create index calls_unanswered on calls (server_id, at) where unanswered = 1;

-- Feedback of visitors of widgets on answers.
create table call_feedback (
  call_id text primary key, configuration_id text not null references configurations (id) on delete cascade,
  helpful integer not null, at bigint not null);
create index call_feedback_age on call_feedback (at);
create index call_feedback_configuration on call_feedback (configuration_id);
` as const

/** Nodes share the clients of handshakes on PostgreSQL. On SQLite there is one node, which has them in memory. */
export const KNOWN_CLIENTS = `
-- 'key' is the SHA-256 of the server, access token, address and User-Agent.
create table known_clients (key text primary key, name text not null, version text, used_at bigint not null);
create index known_clients_age on known_clients (used_at);
` as const

/** Sums, sketch of durations and last time of calls that agree in five columns. Texts can be empty. */
const COUNTED = `tool text not null, client_name text not null, client_version text not null,
  configuration_id text not null, status text not null, calls bigint not null, duration_ms double precision not null,
  durations text not null, last_at bigint not null`

/** Clustered tables have no row id: SQLite then has one tree instead of two. A batch of calls updates a dozen rows. */
export const counts = `
-- Use of an account's monthly allowance. 'month' is 'YYYY-MM', UTC.
create table monthly_calls (
  account_id ${OF_ACCOUNT}, month text not null, calls bigint not null, primary key (account_id, month));

-- Model usage of an account's servers by day since 1970, UTC.
create table model_usage (
  account_id ${OF_ACCOUNT}, day bigint not null, kind text not null, requests bigint not null,
  input_tokens bigint not null, output_tokens bigint not null, primary key (account_id, day, kind));

-- Calls of recent days by hour since 1970, and of earlier days. Each call is counted in one of them. Unlike the log,
-- counts do not expire.
create table call_hours (
  server_id ${OF_SERVER}, hour bigint not null, ${COUNTED},
  primary key (server_id, hour, tool, client_name, client_version, configuration_id, status)) clustered;
create index call_hours_age on call_hours (hour);
create table call_days (
  server_id ${OF_SERVER}, day bigint not null, ${COUNTED},
  primary key (server_id, day, tool, client_name, client_version, configuration_id, status)) clustered;

-- Sums of 'call_days' in one dimension, so that a report of a year reads few rows. 'name' is of the tool or client, or
-- the id of the configuration: empty for a call without one, and for all calls.
create table call_groups (
  server_id ${OF_SERVER}, dimension text not null, day bigint not null, name text not null, version text not null,
  status text not null, calls bigint not null, duration_ms double precision not null, last_at bigint not null,
  durations text not null, primary key (server_id, dimension, day, name, version, status)) clustered;
` as const

/** Citations by source and page. A row for each page and day would be a million rows a year. */
export const citations = `
-- Citation counts of sources, by call and in total.
create table source_uses (
  source_id text primary key references sources (id) on delete cascade, calls bigint not null,
  citations bigint not null, last_cited_at bigint not null);

-- Pages that answers cited. 'hash' is a short hash of the address.
create table cited_pages (
  id serial, source_id ${OF_SOURCE}, hash text not null, url text not null, title text not null,
  last_cited_at bigint not null, unique (source_id, hash));

-- Citations of a source's pages on a day since 1970, UTC. 'counts' is JSON, see 'store/calls/fold-citations.ts'.
create table page_days (
  source_id ${OF_SOURCE}, day bigint not null, counts text not null, primary key (source_id, day));

-- The sums of 'page_days' in periods of 32 days, by the first day of the period.
create table page_periods (
  source_id ${OF_SOURCE}, day bigint not null, counts text not null, primary key (source_id, day));

-- One row: the time before which the citations of calls are in 'page_days' and 'page_periods'.
create table call_folds (id bigint primary key, folded_until bigint not null);
` as const

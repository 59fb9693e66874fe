import { KNOWN_CLIENTS, OF_ACCOUNT, OF_SERVER, calls, citations, counts, jobs, pages, uploads } from './content.ts'
import type { Migration } from './migrate.ts'

const accounts = `
create table accounts (
  id text primary key, email text not null unique, name text not null, plan text not null, password_hash text,
  is_operator bigint not null, trial_ends_at bigint, created_at bigint not null);

-- 'server_ids' is a JSON array, or null for the whole account.
create table api_keys (
  id text primary key, account_id ${OF_ACCOUNT}, name text not null, hash text not null unique, last4 text not null,
  server_ids text, created_at bigint not null, last_used_at bigint, revoked_at bigint);
create index api_keys_account on api_keys (account_id);

-- Signed-in browsers. 'hash' is of the cookie's value.
create table sessions (
  id text primary key, account_id ${OF_ACCOUNT}, hash text not null unique, user_agent text,
  created_at bigint not null, last_used_at bigint not null);
create index sessions_account on sessions (account_id, last_used_at);

-- One-use links to create the first account. 'hash' is the SHA-256 of the link's secret.
create table setup_links (hash text primary key, created_at bigint not null);

-- 'id' is the SHA-256 of the API key's id, the operation and the 'Idempotency-Key'. The answer is encrypted under a
-- key derived from the caller's credential.
create table idempotent_answers (
  id text primary key, account_id ${OF_ACCOUNT}, request_hash text not null, answer text not null,
  expires_at bigint not null);
create index idempotent_answers_expiry on idempotent_answers (expires_at);

-- 'hits' has the times of the last allowed requests, up to the limit, 13 digits each, oldest first.
create table rate_limits (key text primary key, hits text not null, expires_at bigint not null);
create index rate_limits_expiry on rate_limits (expires_at);
` as const

/** Developer profiles, and the widgets on pages of other sites. */
const embedding = `
-- Developer profiles for the SDK interface, one per account. The sealed secret is encrypted for its row, because the
-- portal shows it again.
create table developers (
  id text primary key, account_id text not null unique references accounts (id) on delete cascade,
  client_id text not null unique, app_name text not null, secret_hash text not null unique, sealed_secret text not null,
  created_at bigint not null, updated_at bigint not null);

-- Widget configurations. 'domain' is in lower case, and empty for any page, because null would not be unique. 'tools',
-- 'sources' and 'colors' are JSON. 'updated_at' is unique within the developer, so that the order of the list is
-- exact.
create table configurations (
  id text primary key, developer_id text not null references developers (id) on delete cascade, name text not null,
  domain text not null, tools text not null, sources text not null, colors text not null, layout text not null,
  font_family text not null, is_active integer not null, created_at bigint not null, updated_at bigint not null,
  unique (developer_id, domain));

-- 'id' is the random part of the token, worthless without its signature. 'end_user_id' is the developer's own id of
-- its user.
create table attribution_tokens (
  id text primary key, developer_id text not null references developers (id) on delete cascade, end_user_id text,
  created_at bigint not null, expires_at bigint not null, used_at bigint);
create index attribution_tokens_expiry on attribution_tokens (expires_at);

-- 'hash' is of the session's secret. 'attribution_id' is the used attribution token, or null.
create table embed_sessions (
  hash text primary key, configuration_id text not null references configurations (id) on delete cascade,
  attribution_id text, end_user_id text, created_at bigint not null, expires_at bigint not null);
create index embed_sessions_expiry on embed_sessions (expires_at);
` as const

/** Servers with their tokens and tools. Lists need no sort, and the count against the plan reads an index only. */
const servers = `
-- 'tools' is a JSON array of names, 'rules' one of the enabled retrieval rules in the order in which they run.
-- 'refresh' is the reindexing schedule of the sources. 'structured_output' adds structured content to the results of
-- the tools. 'redaction' is JSON: what is removed from calls before they are stored, '[]' for nothing.
create table servers (
  id text primary key, account_id ${OF_ACCOUNT}, slug text not null unique, name text not null, description text,
  visibility text not null, tools text not null, refresh text not null default 'daily',
  structured_output integer not null default 0, rules text not null default '[]', redaction text not null default '[]',
  created_at bigint not null, updated_at bigint not null, deleted_at bigint, purge_at bigint);
create index servers_account on servers (account_id, created_at, id);
create index servers_live on servers (account_id, created_at) where deleted_at is null;
create index servers_purge on servers (purge_at) where purge_at is not null;

create table access_tokens (
  id text primary key, server_id ${OF_SERVER}, name text not null, hash text not null unique, last4 text not null,
  created_at bigint not null, last_used_at bigint, revoked_at bigint);
create index access_tokens_server on access_tokens (server_id);

-- 'name' is a program name, unique among the tools of one server, but not here. 'input_schema' is JSON Schema. 'plan'
-- is JSON of the steps, null until the tool is ready. 'prompt' is the request in plain words, null for a tool of an
-- older version. JSON also: 'sources' that the request names, 'server_ids' that the requesting key is scoped to (null:
-- all of the account), 'progress' messages of the current build. 'attempts' counts the builds that were begun and is
-- their fence, 'lease_until' ends the lease of the process that builds.
create table custom_tools (
  id text primary key, account_id ${OF_ACCOUNT}, name text not null, display_name text not null,
  description text not null, status text not null, input_schema text not null, plan text, error text, prompt text,
  sources text, server_ids text, progress text, attempts bigint not null default 0, lease_until bigint,
  created_at bigint not null, updated_at bigint not null);
create index custom_tools_account on custom_tools (account_id, created_at);
create index custom_tools_building on custom_tools (lease_until) where status = 'building';
` as const

/** Sources with their rules, and the counter of changes that calls read. */
const sources = `
-- 'run' counts crawls: pages with a lower run are still to be settled, 'pages_to_go' of them. 'segments' is a JSON
-- array of segment ids: the published version, of 'published_pages' after the last complete crawl. 'text_bytes' are
-- characters of indexed text. 'include_patterns' and 'exclude_patterns' are JSON arrays of robots.txt path patterns.
-- 'cursor' is the opaque state of the source's reader for its next run, null to read everything. 'type_guessed': from
-- the address, and detected at the first indexing; 'type_reason' is a sentence on how, null if the type was given.
-- 'uses_linked_account': may be read with the account's linked code host, which only a key for the whole account or a
-- session sets. 'allowed_tools' is a JSON array: tools of a remote MCP server that may be called although they are not
-- declared read-only. 'discard_content': the next crawl first deletes everything, because it was indexed with a
-- removed credential. 'crawl_usage' is JSON: the current crawl's use of its budgets.
create table sources (
  id text primary key, server_id ${OF_SERVER}, url text not null, type text not null,
  type_guessed integer not null default 0, type_reason text, label text, is_private bigint not null,
  uses_linked_account integer not null default 0, allowed_tools text not null default '[]',
  include_patterns text not null default '[]', exclude_patterns text not null default '[]', crawl_status text not null,
  crawl_error text, crawl_usage text, cursor text, discard_content integer not null default 0, run bigint not null,
  segments text not null, published_pages bigint not null default 0, pages_found bigint not null,
  pages_to_go bigint not null, pages_indexed bigint not null, pages_skipped bigint not null,
  pages_failed bigint not null, chunks bigint not null, text_bytes bigint not null,
  crawl_started_at bigint, last_indexed_at bigint, created_at bigint not null, unique (server_id, url));
create index sources_refresh on sources (crawl_started_at) where crawl_status in ('complete', 'error');
create index sources_states on sources (server_id, crawl_status);

-- 'effects' is a JSON array.
create table retrieval_rules (
  id text primary key, server_id ${OF_SERVER}, source_id text references sources (id) on delete cascade,
  natural_language text not null, enabled bigint not null, priority bigint not null, effects text not null,
  created_at bigint not null, updated_at bigint not null);
create index retrieval_rules_server on retrieval_rules (server_id);
` as const

const secrets = `
-- All encryption keys of secrets. 'id' is derived from the key, but does not reveal it.
create table secret_keys (id text primary key, is_current bigint not null, created_at bigint not null);
create unique index secret_keys_current on secret_keys (is_current) where is_current = 1;

-- Credentials for the remote servers of MCP sources, encrypted for their source.
create table credentials (
  source_id text primary key references sources (id) on delete cascade, header_name text not null, sealed text not null,
  updated_at bigint not null);

-- Linked accounts at code hosts, for reading private repositories. 'kind' is the API of the host. 'via': a personal
-- access token, or the operator's app at the host. 'sealed' is the token, and 'sealed_refresh' the refresh token, null
-- for a token that does not expire. 'refreshing_until' is the claim of a node that refreshes the token.
create table linked_accounts (
  id text primary key, account_id ${OF_ACCOUNT}, host text not null, login text not null,
  kind text not null default 'github', via text not null default 'token', sealed text not null, sealed_refresh text,
  expires_at bigint, refreshing_until bigint not null default 0, linked_at bigint not null,
  unique (account_id, host));

-- Links in progress, while the owner approves at the code host. 'state_hash' is of the 'state' parameter of the
-- callback. 'credential_id' is the session or key that began the link and must complete it.
create table link_attempts (
  state_hash text primary key, account_id ${OF_ACCOUNT}, credential_id text not null, host text not null,
  expires_at bigint not null);
create index link_attempts_expiry on link_attempts (expires_at);
` as const

const purchases = `
-- Sources purchased for a server beyond the plan.
create table source_credits (
  server_id text primary key references servers (id) on delete cascade, credits bigint not null,
  updated_at bigint not null);

-- Requests for more sources or for another plan. 'server_id' is null for a plan, and after the purge of the server.
-- 'price_cents' are US cents, null if agreed with the operator. 'note' is for the operator, 'reason' is why the
-- operator refused, 'settled_by' is the account that granted or refused.
create table purchases (
  id text primary key, account_id ${OF_ACCOUNT}, kind text not null,
  server_id text references servers (id) on delete set null, sources integer, plan text, price_cents bigint,
  note text not null, state text not null, reason text, created_at bigint not null, settled_at bigint,
  settled_by text);
create index purchases_account on purchases (account_id, created_at);
create index purchases_state on purchases (state, created_at);
create index purchases_server on purchases (server_id) where server_id is not null;
` as const

/** Deliveries about a server are deleted with it, because they name it. */
const webhooks = `
-- 'events' is a JSON array of names. 'sealed_previous_secret' also signs until 'previous_secret_until', after a
-- rotation. 'disabled_reason' is why the service switched it off. 'failures' are consecutive, the first at
-- 'failing_since'. 'dropped' events were not queued, because too many were waiting.
create table webhooks (
  id text primary key, account_id ${OF_ACCOUNT}, url text not null, name text not null, events text not null,
  sealed_secret text not null, sealed_previous_secret text, previous_secret_until bigint, enabled integer not null,
  disabled_reason text, failures integer not null, failing_since bigint, last_delivered_at bigint,
  dropped integer not null, created_at bigint not null, updated_at bigint not null);
create index webhooks_account on webhooks (account_id, created_at);

-- Events for webhooks: queued, and the log of the last ones. 'id' is also the id that the receiver sees. 'body' is
-- JSON, as it is signed and sent. Every claim increments 'attempts': the holder of an older number has lost the
-- delivery. 'next_at' is the time of the next attempt, or the end of the current one's lease. 'log' is a JSON array of
-- the attempts.
create table webhook_deliveries (
  id text primary key, webhook_id text not null references webhooks (id) on delete cascade, account_id text not null,
  server_id text references servers (id) on delete cascade, type text not null, body text not null, state text not null,
  attempts integer not null, next_at bigint not null, log text not null, created_at bigint not null,
  settled_at bigint);
create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'queued';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at);
create index webhook_deliveries_server on webhook_deliveries (server_id) where server_id is not null;

-- Limits that were announced to webhooks in a period ('YYYY-MM', UTC). 'subject' is the limit, with the server if it
-- is one of a server.
create table limit_notices (
  account_id ${OF_ACCOUNT}, subject text not null, period text not null, created_at bigint not null,
  primary key (account_id, subject, period));
` as const

/** Changes of data that calls read: of the row of a served server, and of custom tools. */
const SERVED_CHANGES = [
  'insert on servers',
  'update on servers',
  'delete on servers',
  'insert on sources',
  'update on sources',
  'delete on sources',
  'update of plan on accounts',
]
const TOOL_CHANGES = ['update of plan, status on custom_tools', 'delete on custom_tools']

/** Shows that a cached row is current. SQLite only: on PostgreSQL a counter row would serialize writers. */
function countServedChanges(): string {
  const trigger = (name: string) => (change: string, index: number) =>
    `create trigger ${name}_${index} after ${change} begin update served_changes set count = count + 1; end;`
  return `
create table served_changes (id integer primary key, count integer not null);
insert into served_changes (id, count) values (1, 0);
${[...SERVED_CHANGES.map(trigger('served_changes')), ...TOOL_CHANGES.map(trigger('served_tools'))].join('\n')}
`
}

/** Both engines' tables of the first release. The type of every query is inferred from this text, see `schema.ts`. */
export const FIRST_TABLES =
  `${accounts}${embedding}${servers}${sources}${secrets}${purchases}${webhooks}${pages}${uploads}${jobs}${calls}${counts}${citations}` as const

/** Development versions had the numbers 1 to 35. A database of the last one already has these tables. */
export const first: Migration = {
  number: 35,
  name: 'first tables',
  sql: FIRST_TABLES,
  only: { sqlite: countServedChanges(), postgres: KNOWN_CLIENTS },
}

import { OF_ACCOUNT, OF_SERVER, calls, citations, counts, jobs, pages, uploads } from './first-content.ts'
import type { Migration, Words } from './migrate.ts'

/**
 * All tables of the first release, one function per subject. `schema.ts` says what is in the columns. Its number is 35,
 * because databases of development versions had 1 to 35, and those of the last one already have these tables.
 */
export const first: Migration = {
  number: 35,
  name: 'first tables',
  sql: (words) =>
    [
      accounts,
      embedding,
      servers,
      sources,
      secrets,
      purchases,
      webhooks,
      pages,
      uploads,
      jobs,
      calls,
      counts,
      citations,
    ]
      .map((tables) => tables(words))
      .join(''),
}

const accounts = ({ bigint }: Words): string => `
create table accounts (
  id text primary key, email text not null unique, name text not null, plan text not null, password_hash text,
  is_operator ${bigint} not null, trial_ends_at ${bigint}, created_at ${bigint} not null);

create table api_keys (
  id text primary key, account_id ${OF_ACCOUNT}, name text not null, hash text not null unique, last4 text not null,
  server_ids text, created_at ${bigint} not null, last_used_at ${bigint}, revoked_at ${bigint});
create index api_keys_account on api_keys (account_id);

create table sessions (
  id text primary key, account_id ${OF_ACCOUNT}, hash text not null unique, user_agent text,
  created_at ${bigint} not null, last_used_at ${bigint} not null);
create index sessions_account on sessions (account_id, last_used_at);

create table setup_links (hash text primary key, created_at ${bigint} not null);

create table idempotent_answers (
  id text primary key, account_id ${OF_ACCOUNT}, request_hash text not null, answer text not null,
  expires_at ${bigint} not null);
create index idempotent_answers_expiry on idempotent_answers (expires_at);

create table rate_limits (key text primary key, hits text not null, expires_at ${bigint} not null);
create index rate_limits_expiry on rate_limits (expires_at);
`

/** Developer profiles, and the widgets on pages of other sites. */
const embedding = ({ bigint }: Words): string => `
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
`

/** Servers with their tokens and tools. Lists need no sort, and the count against the plan reads an index only. */
const servers = ({ bigint }: Words): string => `
create table servers (
  id text primary key, account_id ${OF_ACCOUNT}, slug text not null unique, name text not null, description text,
  visibility text not null, tools text not null, refresh text not null default 'daily',
  structured_output integer not null default 0, rules text not null default '[]', redaction text not null default '[]',
  created_at ${bigint} not null, updated_at ${bigint} not null, deleted_at ${bigint}, purge_at ${bigint});
create index servers_account on servers (account_id, created_at, id);
create index servers_live on servers (account_id, created_at) where deleted_at is null;
create index servers_purge on servers (purge_at) where purge_at is not null;

create table access_tokens (
  id text primary key, server_id ${OF_SERVER}, name text not null, hash text not null unique, last4 text not null,
  created_at ${bigint} not null, last_used_at ${bigint}, revoked_at ${bigint});
create index access_tokens_server on access_tokens (server_id);

create table custom_tools (
  id text primary key, account_id ${OF_ACCOUNT}, name text not null, display_name text not null,
  description text not null, status text not null, input_schema text not null, plan text, error text, prompt text,
  sources text, server_ids text, progress text, attempts ${bigint} not null default 0, lease_until ${bigint},
  created_at ${bigint} not null, updated_at ${bigint} not null);
create index custom_tools_account on custom_tools (account_id, created_at);
create index custom_tools_building on custom_tools (lease_until) where status = 'building';
`

/** Sources with their rules, and the counter of changes that calls read. */
const sources = ({ bigint, engine }: Words): string => `
create table sources (
  id text primary key, server_id ${OF_SERVER}, url text not null, type text not null,
  type_guessed integer not null default 0, type_reason text, label text, is_private ${bigint} not null,
  uses_linked_account integer not null default 0, allowed_tools text not null default '[]',
  include_patterns text not null default '[]', exclude_patterns text not null default '[]', crawl_status text not null,
  crawl_error text, crawl_usage text, cursor text, discard_content integer not null default 0, run ${bigint} not null,
  segments text not null, published_pages ${bigint} not null default 0, pages_found ${bigint} not null,
  pages_to_go ${bigint} not null, pages_indexed ${bigint} not null, pages_skipped ${bigint} not null,
  pages_failed ${bigint} not null, chunks ${bigint} not null, text_bytes ${bigint} not null,
  crawl_started_at ${bigint}, last_indexed_at ${bigint}, created_at ${bigint} not null, unique (server_id, url));
create index sources_refresh on sources (crawl_started_at) where crawl_status in ('complete', 'error');
create index sources_states on sources (server_id, crawl_status);

create table retrieval_rules (
  id text primary key, server_id ${OF_SERVER}, source_id text references sources (id) on delete cascade,
  natural_language text not null, enabled ${bigint} not null, priority ${bigint} not null, effects text not null,
  created_at ${bigint} not null, updated_at ${bigint} not null);
create index retrieval_rules_server on retrieval_rules (server_id);
${engine === 'sqlite' ? servedChanges() : ''}`

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

/**
 * Counts the changes, so that a cached row is known to be current. SQLite only: on PostgreSQL a counter row would
 * serialize writers.
 */
function servedChanges(): string {
  const trigger = (name: string) => (change: string, index: number) =>
    `create trigger ${name}_${index} after ${change} begin update served_changes set count = count + 1; end;`
  return `
create table served_changes (id integer primary key, count integer not null);
insert into served_changes (id, count) values (1, 0);
${[...SERVED_CHANGES.map(trigger('served_changes')), ...TOOL_CHANGES.map(trigger('served_tools'))].join('\n')}
`
}

const secrets = ({ bigint }: Words): string => `
create table secret_keys (id text primary key, is_current ${bigint} not null, created_at ${bigint} not null);
create unique index secret_keys_current on secret_keys (is_current) where is_current = 1;

create table credentials (
  source_id text primary key references sources (id) on delete cascade, header_name text not null, sealed text not null,
  updated_at ${bigint} not null);

create table linked_accounts (
  id text primary key, account_id ${OF_ACCOUNT}, host text not null, login text not null,
  kind text not null default 'github', via text not null default 'token', sealed text not null, sealed_refresh text,
  expires_at ${bigint}, refreshing_until ${bigint} not null default 0, linked_at ${bigint} not null,
  unique (account_id, host));

create table link_attempts (
  state_hash text primary key, account_id ${OF_ACCOUNT}, credential_id text not null, host text not null,
  expires_at ${bigint} not null);
create index link_attempts_expiry on link_attempts (expires_at);
`

const purchases = ({ bigint }: Words): string => `
create table source_credits (
  server_id text primary key references servers (id) on delete cascade, credits ${bigint} not null,
  updated_at ${bigint} not null);

create table purchases (
  id text primary key, account_id ${OF_ACCOUNT}, kind text not null,
  server_id text references servers (id) on delete set null, sources integer, plan text, price_cents ${bigint},
  note text not null, state text not null, reason text, created_at ${bigint} not null, settled_at ${bigint},
  settled_by text);
create index purchases_account on purchases (account_id, created_at);
create index purchases_state on purchases (state, created_at);
create index purchases_server on purchases (server_id) where server_id is not null;
`

/** Deliveries about a server are deleted with it, because they name it. */
const webhooks = ({ bigint }: Words): string => `
create table webhooks (
  id text primary key, account_id ${OF_ACCOUNT}, url text not null, name text not null, events text not null,
  sealed_secret text not null, sealed_previous_secret text, previous_secret_until ${bigint}, enabled integer not null,
  disabled_reason text, failures integer not null, failing_since ${bigint}, last_delivered_at ${bigint},
  dropped integer not null, created_at ${bigint} not null, updated_at ${bigint} not null);
create index webhooks_account on webhooks (account_id, created_at);

create table webhook_deliveries (
  id text primary key, webhook_id text not null references webhooks (id) on delete cascade, account_id text not null,
  server_id text references servers (id) on delete cascade, type text not null, body text not null, state text not null,
  attempts integer not null, next_at ${bigint} not null, log text not null, created_at ${bigint} not null,
  settled_at ${bigint});
create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'queued';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at);
create index webhook_deliveries_server on webhook_deliveries (server_id) where server_id is not null;

create table limit_notices (
  account_id ${OF_ACCOUNT}, subject text not null, period text not null, created_at ${bigint} not null,
  primary key (account_id, subject, period));
`

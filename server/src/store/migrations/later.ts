import { readFileSync } from 'node:fs'
import { dataAt } from '#lib/place.ts'
import { OF_ACCOUNT, OF_SOURCE, OF_SERVER } from './content.ts'
import type { Migration } from './migrate.ts'

const pins = `
-- Sections that the owner of a server shows first for some questions ('effect' is 'first'), or never ('never').
-- 'questions' is a JSON array. 'url' is the address of the section, 'heading' its headings, empty at the start of a page.
create table pins (
  id text primary key, server_id ${OF_SERVER}, source_id text not null references sources (id) on delete cascade,
  effect text not null, questions text not null, url text not null, title text not null, heading text not null,
  created_at bigint not null);
create index pins_server on pins (server_id, created_at);
create index pins_source on pins (source_id);
-- 'pins' counts the changes of a server's pins. 0: it never had any.
alter table servers add column pins bigint not null default 0;
` as const

const questions = `
-- Questions that a source answers, tried when its current version was published. 'segments' is the version, as in
-- 'sources', and 'questions' a JSON array, see 'store/sources/questions.ts'.
create table source_questions (
  source_id text primary key references sources (id) on delete cascade, segments text not null,
  questions text not null);
` as const

const oauth = `
-- Clients of the authorization server that have no metadata document. 'account_id' is null for those that registered
-- themselves. 'redirect_uris' is a JSON array.
create table oauth_clients (
  id text primary key, account_id text references accounts (id) on delete cascade, name text not null,
  secret_hash text, redirect_uris text not null, created_at bigint not null, last_used_at bigint);
create index oauth_clients_account on oauth_clients (account_id);
-- What a person allowed a client to do with a server. 'scope' is a list with blanks between.
create table oauth_grants (
  id text primary key, account_id ${OF_ACCOUNT}, server_id ${OF_SERVER}, client_id text not null,
  client_name text not null, redirect_uri text not null, scope text not null, created_at bigint not null,
  last_used_at bigint, revoked_at bigint);
create index oauth_grants_account on oauth_grants (account_id, created_at);
create index oauth_grants_server on oauth_grants (server_id);
-- Codes of a grant, access tokens and refresh tokens. 'challenge' is that of a code (PKCE). 'used_at' is set when a code
-- or a refresh token has been exchanged. 'salt': its successors come from it and from the token itself.
create table oauth_tokens (
  hash text primary key, grant_id text not null references oauth_grants (id) on delete cascade, kind text not null,
  challenge text, salt text, expires_at bigint not null, used_at bigint);
create index oauth_tokens_grant on oauth_tokens (grant_id);
create index oauth_tokens_expired on oauth_tokens (expires_at);
` as const

const lastConnected = `
-- When a client last began a session with the server, or asked for its tools.
alter table servers add column last_connected_at bigint;
` as const

const sealedAddresses = `
-- The address of a source that has a credential in it, encrypted for the source. 'url' then has masks in its place.
alter table sources add column sealed_url text;
` as const

/** Columns without foreign keys, because backups hold their tables before that of people. */
const members = `
-- Who signs in. 'confirmed_at': when the operator or a provider vouched for the address. 'last_account_id' is the account
-- in which the next session begins.
create table people (
  id text primary key, email text not null unique, name text not null, password_hash text, confirmed_at bigint,
  last_account_id text, created_at bigint not null);
-- People in accounts. 'server_ids' is a JSON array, or null for the whole account.
create table members (
  account_id ${OF_ACCOUNT}, person_id text not null references people (id) on delete cascade, role text not null,
  server_ids text, created_at bigint not null, primary key (account_id, person_id));
create index members_person on members (person_id);
-- Links that can be used once. 'hash' is the SHA-256 of the link's secret.
create table invitations (
  id text primary key, hash text not null unique, account_id ${OF_ACCOUNT}, email text not null, role text not null,
  server_ids text, created_at bigint not null, expires_at bigint not null);
create index invitations_account on invitations (account_id);
alter table sessions add column person_id text;
alter table oauth_grants add column person_id text;
-- Who made the key.
alter table api_keys add column person_id text;
-- What the key may do, as a JSON array. Null: everything.
alter table api_keys add column scopes text;
` as const

const audit = `
-- What was done in an account, and by whom. Rows are never changed.
create table audit_entries (
  id serial, account_id ${OF_ACCOUNT}, at bigint not null, action text not null, person_id text, credential text not null,
  credential_id text, address text, thing text, thing_id text, details text);
create index audit_entries_order on audit_entries (account_id, id);
create index audit_entries_old on audit_entries (at);
` as const

const callerLimits = `
-- Calls without a credential in recent days, where the owner limits them. 'day' is since 1970, UTC. 'network' is empty
-- for all networks together.
create table anonymous_calls (
  account_id ${OF_ACCOUNT}, day bigint not null, network text not null, calls bigint not null,
  primary key (account_id, day, network)) clustered;
-- JSON, or null for no limits.
alter table accounts add column caller_limits text;
alter table monthly_calls add column anonymous_calls bigint not null default 0;
` as const

const identities = `
-- People as sign-in providers know them.
create table identities (
  issuer text not null, subject text not null, person_id text not null references people (id) on delete cascade,
  created_at bigint not null, primary key (issuer, subject));
create index identities_person on identities (person_id);
-- The sign-in provider whose groups decide the role. Null: owners do.
alter table members add column provider text;
` as const

const webhookAddresses = `
-- As in 'sources'.
alter table webhooks add column sealed_url text;
` as const

const approvals = `
-- Requests by keys that a member has to approve. 'hash' is the SHA-256 of operation, arguments and thing. 'arguments' is
-- JSON for people, without secrets.
create table approvals (
  id text primary key, account_id ${OF_ACCOUNT}, key_id text not null references api_keys (id) on delete cascade,
  hash text not null, operation text not null, thing text, arguments text not null, created_at bigint not null,
  approved_at bigint);
create unique index approvals_request on approvals (key_id, hash);
create index approvals_account on approvals (account_id, created_at);
-- Requests by the key that publish, delete or issue need an approval.
alter table api_keys add column for_assistant integer not null default 0;
-- Those by all keys of the account.
alter table accounts add column asks_approval integer not null default 0;
-- When the operator switched the account off.
alter table accounts add column disabled_at bigint;
-- The person whose password the link sets. Null: it invites.
alter table invitations add column person_id text;
` as const

const pdfPages = `
-- Pages of its PDFs when it was last read as a whole. Null: it has none.
alter table sources add column pdf_pages bigint;
` as const

/** A migration that creates no tables: its SQL stands in a file. */
const textOf = (name: string): string => readFileSync(dataAt(`store/migrations/${name}.sql`), 'utf8')

const connectionsOfAccounts = {
  sqlite: textOf('connections-of-accounts'),
  postgres: `
alter table oauth_grants alter column server_id drop not null;
alter table approvals drop constraint approvals_key_id_fkey;
`,
}

const pageCitations = `
-- Replaces 'citations', see 'store/calls/cited-pages.ts'.
alter table calls add column page_citations text;
create index calls_unconverted on calls (server_id, seq) where citations is not null;
` as const

const webPages = `
-- Who finds the pages of the server over HTTP, see 'contract/values/server-fields.ts'.
alter table servers add column web_pages text not null default 'off';
` as const

const objects = `
-- 'object' is the address of bytes outside of the database, 'object_bytes' their number. 'data' is empty then. See
-- 'store/engine/blobs/'.
alter table segment_parts add column object text;
alter table segment_parts add column object_bytes bigint not null default 0;
alter table upload_parts add column object text;
alter table upload_parts add column object_bytes bigint not null default 0;
create index segment_parts_object on segment_parts (object) where object is not null;
create index upload_parts_object on upload_parts (object) where object is not null;
-- Objects whose rows were deleted or have other bytes now. Triggers add them, also for cascades.
create table object_deletions (object text primary key);
-- One row: the first folder of this database's objects.
create table object_prefix (id bigint primary key, prefix text not null);
` as const

/** Notes objects whose rows are deleted or get other bytes. */
const objectTriggers = (...tables: string[]) => ({
  sqlite: tables
    .flatMap((table) =>
      ['delete', 'update of object'].map(
        (change) => `create trigger ${table}_${change.slice(0, 6)}_object after ${change} on ${table}
  when old.object is not null begin insert or ignore into object_deletions (object) values (old.object); end;
`,
      ),
    )
    .join(''),
  postgres: `
create or replace function object_unused() returns trigger language plpgsql
  as 'begin insert into object_deletions (object) values (old.object) on conflict do nothing; return null; end';
${tables
  .map(
    (table) => `create trigger ${table}_object after delete or update of object on ${table} for each row
  when (old.object is not null) execute function object_unused();
`,
  )
  .join('')}`,
})

const siteAccess = `
-- Credentials of an account for the sites at an origin, as sealed JSON. Private sources at the origin that may be read
-- with a linked account are read with it.
create table site_access (
  id text primary key, account_id ${OF_ACCOUNT}, origin text not null, kind text not null, sealed text not null,
  created_at bigint not null, last_used_at bigint);
create unique index site_access_origin on site_access (account_id, origin);
` as const

const sourcePushes = `
-- Addresses to which changes of sources are reported. 'sealed' is JSON with the token and the secret. A reading has seen
-- the first 'pushes_read' of 'pushes'.
create table source_pushes (
  source_id text primary key references sources (id) on delete cascade, token_hash text not null, sealed text not null,
  pushes bigint not null default 0, pushes_read bigint not null default 0, pushed_at bigint, sender text);
create unique index source_pushes_token on source_pushes (token_hash);
` as const

const siteDates = `
-- 'site_date' is the time of the page in a sitemap when it was last fetched. 'refresh_state' is JSON, see
-- 'crawl/site-dates.ts'.
alter table pages add column site_date bigint;
alter table sources add column refresh_state text;
` as const

const sourceVersions = `
-- 'versions' is a JSON array of the names of further versions. A scheduled refresh does not fetch a page before
-- 'fresh_until', see 'crawl/freshness.ts'.
alter table sources add column versions text not null default '[]';
alter table pages add column fresh_until bigint;
` as const

const textPacks = `
-- Objects with the texts of many pages: their number when the object was written, and the bytes. Texts leave 'texts' for
-- 'packed_texts' then. 'place' says where one is in its pack, see 'store/pages/packed-texts.ts'.
create table text_packs (
  id serial, source_id ${OF_SOURCE}, object text not null, object_bytes bigint not null, texts bigint not null);
create index text_packs_source on text_packs (source_id, id);
create index text_packs_object on text_packs (object);
create table packed_texts (
  source_id ${OF_SOURCE}, hash text not null, size bigint not null, pack bigint not null, place blob not null,
  primary key (source_id, hash));
-- Nearly all pages are published.
drop index pages_unpublished;
create index pages_unpublished on pages (source_id, id) where published = 0;
` as const

/** Of the log of calls before migration 50. The log keeps the calls. */
const oldCitations = `
drop index calls_unconverted;
alter table calls drop column citations;
`

/** Null for parts that are read whole. */
const partDigests = `
-- Of the blocks of a part of which ranges are read, see 'store/pages/partial-segment.ts'.
alter table segment_parts add column digests blob;
` as const

const uploadVersions = `
-- Of the source, which has one upload for each. Empty: the upload without a version.
alter table uploads add column version text not null default '';
` as const

/** Without the run of a page, and with the start of its text's hash only, they take a quarter of the bytes less. */
const leanPages = `
drop index pages_run;
drop index pages_text;
create index pages_text on pages (source_id, substr(text_hash, 1, 8)) where text_hash is not null;
`

/** Tables and columns since the first release. The type of every query is inferred from this text, see `schema.ts`. */
export const LATER_TABLES =
  `${pins}${questions}${oauth}${lastConnected}${sealedAddresses}${members}${audit}${callerLimits}${identities}${webhookAddresses}${approvals}${pdfPages}${pageCitations}${webPages}${objects}${siteAccess}${sourcePushes}${siteDates}${textPacks}${sourceVersions}${partDigests}${uploadVersions}` as const

/** Nodes listen to it for jobs and deliveries that others have added or put off. */
export const QUEUE_CHANNEL = 'docent_queue'

const queueTrigger = (table: string) =>
  `create trigger ${table}_changed after insert or update on ${table} for each row
  when (new.state = 'queued') execute function queue_changed();`

const queueNotices = {
  sqlite: '',
  postgres: `
-- A restore of a backup drops all tables, and the function stays.
create or replace function queue_changed() returns trigger language plpgsql
  as 'begin perform pg_notify(''${QUEUE_CHANNEL}'', ''''); return null; end';
${queueTrigger('jobs')}
${queueTrigger('webhook_deliveries')}
`,
}

/** A migration whose SQL is the same for both engines. */
const shared = (number: number, name: string, sql: string): Migration => {
  return { number, name, sql, only: { sqlite: '', postgres: '' } }
}

/** Every migration after the first, in the order of their numbers. */
export const later: readonly Migration[] = [
  shared(36, 'pins', pins),
  shared(37, 'outcomes of calls', textOf('outcomes')),
  shared(38, 'questions that sources answer', questions),
  shared(39, 'authorization server', oauth),
  shared(40, 'when clients last connected', lastConnected),
  shared(41, 'encrypted addresses', sealedAddresses),
  shared(42, 'members of accounts', members + textOf('people-of-accounts')),
  shared(43, 'audit log', audit),
  {
    number: 44,
    name: 'limits of callers',
    sql: callerLimits,
    only: {
      sqlite: `
create trigger served_caller_limits after update of caller_limits on accounts begin update served_changes set count = count + 1; end;
`,
      postgres: '',
    },
  },
  shared(45, 'sign-in providers', identities),
  shared(46, 'encrypted addresses of webhooks', webhookAddresses),
  {
    number: 47,
    name: 'approvals',
    sql: approvals,
    only: {
      sqlite: `
create trigger served_disabled after update of disabled_at on accounts begin update served_changes set count = count + 1; end;
`,
      postgres: '',
    },
  },
  shared(48, 'pages of PDFs', pdfPages),
  // A grant without a server is for the endpoint of the account. It can need approvals, as a key can.
  { number: 49, name: 'connections to accounts', sql: '', only: connectionsOfAccounts },
  shared(50, 'references of calls to pages', pageCitations),
  { number: 51, name: 'notices of the queue', sql: '', only: queueNotices },
  shared(52, 'pages over HTTP', webPages),
  {
    number: 53,
    name: 'bytes outside of the database',
    sql: objects,
    only: objectTriggers('segment_parts', 'upload_parts'),
  },
  shared(54, 'site access', siteAccess),
  shared(55, 'pushes of sources', sourcePushes),
  shared(56, 'dates in sitemaps', siteDates),
  { number: 57, name: 'texts in packs', sql: textPacks, only: objectTriggers('text_packs') },
  shared(58, 'citations in the old form', oldCitations),
  shared(59, 'versions of sources', sourceVersions),
  shared(60, 'smaller indexes of pages', leanPages),
  shared(61, 'ranges of segments', partDigests),
  shared(62, 'versions of uploads', uploadVersions),
]

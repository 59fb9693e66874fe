import { OF_ACCOUNT, OF_SERVER } from './content.ts'
import type { Migration } from './migrate.ts'

export const OAUTH_TABLES = `
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

export const oauth: Migration = {
  number: 39,
  name: 'authorization server',
  sql: OAUTH_TABLES,
  only: { sqlite: '', postgres: '' },
}

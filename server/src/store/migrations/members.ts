import { OF_ACCOUNT } from './content.ts'
import type { Migration } from './migrate.ts'

export const MEMBER_TABLES = `
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
` as const

/** Without foreign keys, because backups hold the tables of the columns before that of people. */
export const MEMBER_COLUMNS = `
alter table sessions add column person_id text;
alter table oauth_grants add column person_id text;
-- Who made the key.
alter table api_keys add column person_id text;
-- What the key may do, as a JSON array. Null: everything.
alter table api_keys add column scopes text;
` as const

/** The person of an account that was made before people had rows. */
const personOf = (account: string) => `'per_' || substr(${account}, 5)`

export const members: Migration = {
  number: 42,
  name: 'members of accounts',
  sql: `${MEMBER_TABLES}${MEMBER_COLUMNS}
insert into people (id, email, name, password_hash, confirmed_at, last_account_id, created_at)
  select ${personOf('id')}, email, name, password_hash, case when is_operator = 1 then created_at end, id, created_at
  from accounts;
insert into members (account_id, person_id, role, server_ids, created_at)
  select id, ${personOf('id')}, 'owner', null, created_at from accounts;
update sessions set person_id = ${personOf('account_id')};
update oauth_grants set person_id = ${personOf('account_id')};
create index sessions_person on sessions (person_id, last_used_at);
create index oauth_grants_person on oauth_grants (person_id);
alter table accounts drop column password_hash;
`,
  only: { sqlite: '', postgres: '' },
}

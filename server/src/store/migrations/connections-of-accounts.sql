-- SQLite cannot change a column, so that its tables are copied. Dropping grants deletes their tokens.
create table kept_tokens as select * from oauth_tokens;
create table new_grants (
  id text primary key, account_id text not null references accounts (id) on delete cascade, server_id text references servers (id) on delete cascade,
  client_id text not null, client_name text not null, redirect_uri text not null, scope text not null,
  created_at bigint not null, last_used_at bigint, revoked_at bigint, person_id text);
insert into new_grants select * from oauth_grants;
drop table oauth_grants;
alter table new_grants rename to oauth_grants;
create index oauth_grants_account on oauth_grants (account_id, created_at);
create index oauth_grants_server on oauth_grants (server_id);
create index oauth_grants_person on oauth_grants (person_id);
insert into oauth_tokens select * from kept_tokens;
drop table kept_tokens;
create table new_approvals (
  id text primary key, account_id text not null references accounts (id) on delete cascade, key_id text not null, hash text not null, operation text not null,
  thing text, arguments text not null, created_at bigint not null, approved_at bigint);
insert into new_approvals select * from approvals;
drop table approvals;
alter table new_approvals rename to approvals;
create unique index approvals_request on approvals (key_id, hash);
create index approvals_account on approvals (account_id, created_at);

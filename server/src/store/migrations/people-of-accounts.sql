-- The owner of each account that was made before people had rows.
insert into people (id, email, name, password_hash, confirmed_at, last_account_id, created_at)
  select 'per_' || substr(id, 5), email, name, password_hash, case when is_operator = 1 then created_at end, id, created_at
  from accounts;
insert into members (account_id, person_id, role, server_ids, created_at)
  select id, 'per_' || substr(id, 5), 'owner', null, created_at from accounts;
update sessions set person_id = 'per_' || substr(account_id, 5);
update oauth_grants set person_id = 'per_' || substr(account_id, 5);
create index sessions_person on sessions (person_id, last_used_at);
create index oauth_grants_person on oauth_grants (person_id);
alter table accounts drop column password_hash;

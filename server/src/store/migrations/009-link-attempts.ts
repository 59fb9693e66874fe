import type { Migration } from '#store/engine/migration.ts'

/** Linked accounts at further code hosts, and through apps. */
export const linkAttempts: Migration = {
  number: 9,
  sql: ({ bigint }) => `
alter table linked_accounts add column kind text not null default 'github';
alter table linked_accounts add column via text not null default 'token';
alter table linked_accounts add column sealed_refresh text;
alter table linked_accounts add column expires_at ${bigint};
alter table linked_accounts add column refreshing_until ${bigint} not null default 0;

create table link_attempts (
  state_hash text primary key, account_id text not null references accounts (id) on delete cascade,
  credential_id text not null, host text not null, expires_at ${bigint} not null);
create index link_attempts_expiry on link_attempts (expires_at);
`,
}

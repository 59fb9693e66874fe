import { OF_ACCOUNT } from './content.ts'
import type { Migration } from './migrate.ts'

export const AUDIT_TABLES = `
-- What was done in an account, and by whom. Rows are never changed.
create table audit_entries (
  id serial, account_id ${OF_ACCOUNT}, at bigint not null, action text not null, person_id text, credential text not null,
  credential_id text, address text, thing text, thing_id text, details text);
create index audit_entries_order on audit_entries (account_id, id);
create index audit_entries_old on audit_entries (at);
` as const

export const audit: Migration = {
  number: 43,
  name: 'audit log',
  sql: AUDIT_TABLES,
  only: { sqlite: '', postgres: '' },
}

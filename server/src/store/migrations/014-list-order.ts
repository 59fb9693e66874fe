import type { Migration } from '../migration.ts'

/** The servers of an account in the order in which they are listed, so that nothing is to be sorted. */
export const listOrder: Migration = {
  number: 14,
  sql: () => `
drop index servers_account;
create index servers_account on servers (account_id, created_at, id);
`,
}

import type { Migration } from '#store/engine/migration.ts'

/** Index in list order for an account's servers, so that no sort is needed. */
export const listOrder: Migration = {
  number: 14,
  sql: () => `
drop index servers_account;
create index servers_account on servers (account_id, created_at, id);
`,
}

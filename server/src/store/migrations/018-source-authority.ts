import type { Migration } from '#store/engine/migration.ts'

/**
 * The owner's authorization of a source. Older private sources were all added for the account, so they keep using its
 * linked account.
 */
export const sourceAuthority: Migration = {
  number: 18,
  sql: () => `
alter table sources add column uses_linked_account integer not null default 0;
update sources set uses_linked_account = 1 where is_private = 1;
alter table sources add column allowed_tools text not null default '[]';
alter table sources add column discard_content integer not null default 0;
`,
}

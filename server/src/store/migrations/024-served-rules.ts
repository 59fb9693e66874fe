import type { Migration } from '#store/engine/migration.ts'

/** Keeps the enabled rules of a server in its row, which every call reads. */
export const servedRules: Migration = {
  number: 24,
  sql: () => `
alter table servers add column rules text not null default '[]';
`,
}

import type { Migration } from '#store/engine/migration.ts'

/** Resume position of a source's crawl, and how its type was detected. */
export const reading: Migration = {
  number: 10,
  sql: () => `
alter table sources add column cursor text;
alter table sources add column type_guessed integer not null default 0;
alter table sources add column type_reason text;
`,
}

import type { Migration } from '../migration.ts'

/** Where the reading of a source goes on, and what its kind was told by. */
export const reading: Migration = {
  number: 10,
  sql: () => `
alter table sources add column cursor text;
alter table sources add column type_guessed integer not null default 0;
alter table sources add column type_reason text;
`,
}

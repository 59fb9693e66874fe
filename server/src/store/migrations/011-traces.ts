import type { Migration } from '../migration.ts'

/** What a call was answered from, to tell whether it can be done again as it was. */
export const traces: Migration = {
  number: 11,
  sql: () => `
alter table calls add column segments text;
`,
}

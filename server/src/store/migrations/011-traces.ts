import type { Migration } from '#store/engine/migration.ts'

/** Data of a call's answer, to tell whether it can be repeated exactly. */
export const traces: Migration = {
  number: 11,
  sql: () => `
alter table calls add column segments text;
`,
}

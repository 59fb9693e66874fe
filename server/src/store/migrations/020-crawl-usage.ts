import type { Migration } from '../migration.ts'

/** What the current crawl of a source has used, as JSON, so that its limits hold over restarts. Null: nothing yet. */
export const crawlUsage: Migration = {
  number: 20,
  sql: () => `
alter table sources add column crawl_usage text;
`,
}

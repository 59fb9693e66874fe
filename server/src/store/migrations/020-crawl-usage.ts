import type { Migration } from '#store/engine/migration.ts'

/** Usage of a source's current crawl as JSON, so that limits survive restarts. Null: nothing yet. */
export const crawlUsage: Migration = {
  number: 20,
  sql: () => `
alter table sources add column crawl_usage text;
`,
}

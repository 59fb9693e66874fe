import type { Migration } from '#store/engine/migration.ts'

/** The secret of a webhook from before a rotation, which signs beside the new one until a time. */
export const webhookRotation: Migration = {
  number: 34,
  sql: ({ bigint }) => `
alter table webhooks add column sealed_previous_secret text;
alter table webhooks add column previous_secret_until ${bigint};
`,
}

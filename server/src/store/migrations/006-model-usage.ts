import type { Migration } from '#store/engine/migration.ts'

export const modelUsage: Migration = {
  number: 6,
  sql: ({ bigint }) => `
create table model_usage (
  account_id text not null references accounts (id) on delete cascade, day ${bigint} not null, kind text not null,
  requests ${bigint} not null, input_tokens ${bigint} not null, output_tokens ${bigint} not null,
  primary key (account_id, day, kind));
`,
}

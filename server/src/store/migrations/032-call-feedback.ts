import type { Migration } from '#store/engine/migration.ts'

/**
 * Feedback of visitors of widgets on answers. Calls are recorded in batches, so feedback can come before its call, and
 * has no reference to it.
 */
export const callFeedback: Migration = {
  number: 32,
  sql: ({ bigint }) => `
create table call_feedback (
  call_id text primary key, configuration_id text not null references configurations (id) on delete cascade,
  helpful integer not null, at ${bigint} not null);
create index call_feedback_age on call_feedback (at);
create index call_feedback_configuration on call_feedback (configuration_id);
`,
}

import type { Migration } from '#store/engine/migration.ts'

/**
 * The account of each job (empty for the service's own), and when each account had its turn: jobs are claimed
 * round-robin. The index has one range per account, so that a single seek finds an account's first job.
 */
export const jobTurns: Migration = {
  number: 19,
  sql: ({ bigint }) => `
alter table jobs add column account_id text not null default '';
update jobs set account_id = coalesce((select account_id from servers where servers.id = jobs.server_id), '')
  where kind = 'ingest';
create index jobs_waiting on jobs (account_id, run_at, id) where state = 'queued';
drop index jobs_due;
create table job_turns (account_id text primary key, turn ${bigint} not null);
create index job_turns_turn on job_turns (turn);
`,
}

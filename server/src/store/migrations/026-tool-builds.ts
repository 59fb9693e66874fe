import type { Migration } from '#store/engine/migration.ts'

/** Changes of custom tools that affect what servers expose. */
const CHANGES = ['update of plan, status', 'delete']

/**
 * What a custom tool was asked for and how far its build is, so that an interrupted build is resumed. `lease_until` is
 * null unless a process builds the tool. On SQLite, a changed tool counts as a change of the servers.
 */
export const toolBuilds: Migration = {
  number: 26,
  sql: ({ engine, bigint }) => `
alter table custom_tools add column prompt text;
alter table custom_tools add column sources text;
alter table custom_tools add column server_ids text;
alter table custom_tools add column progress text;
alter table custom_tools add column attempts ${bigint} not null default 0;
alter table custom_tools add column lease_until ${bigint};
create index custom_tools_building on custom_tools (lease_until) where status = 'building';
${
  engine === 'sqlite'
    ? CHANGES.map(
        (change, index) =>
          `create trigger served_tools_${index} after ${change} on custom_tools begin update served_changes set count = count + 1; end;\n`,
      ).join('')
    : ''
}`,
}

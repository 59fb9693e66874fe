import type { Migration } from '#store/engine/migration.ts'

/** Tables behind the served-server row, and the changes that affect it. */
const CHANGES = [
  'insert on servers',
  'update on servers',
  'delete on servers',
  'insert on sources',
  'update on sources',
  'delete on sources',
  'update of plan on accounts',
]

/**
 * Counts changes to server data that calls read, so that a cached row is known to be current. SQLite only: on
 * PostgreSQL a counter row would serialize writers.
 */
export const servedChanges: Migration = {
  number: 17,
  sql: ({ engine }) =>
    engine === 'sqlite'
      ? `
create table served_changes (id integer primary key, count integer not null);
insert into served_changes (id, count) values (1, 0);
${CHANGES.map(
  (change, index) =>
    `create trigger served_changes_${index} after ${change} begin update served_changes set count = count + 1; end;\n`,
).join('')}`
      : '',
}

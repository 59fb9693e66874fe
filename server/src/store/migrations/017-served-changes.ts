import type { Migration } from '../migration.ts'

/** Tables that the served-server row is read from, and the changes that it shows. */
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
 * Counts changes of what calls read of a server, so that a row in memory is known to be current. On SQLite alone: on
 * PostgreSQL, one counted row would make writers wait for each other.
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

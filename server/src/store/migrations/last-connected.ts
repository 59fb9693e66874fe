import type { Migration } from './migrate.ts'

export const LAST_CONNECTED = `
-- When a client last began a session with the server, or asked for its tools.
alter table servers add column last_connected_at bigint;
` as const

export const lastConnected: Migration = {
  number: 40,
  name: 'when clients last connected',
  sql: LAST_CONNECTED,
  only: { sqlite: '', postgres: '' },
}

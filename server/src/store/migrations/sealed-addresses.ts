import type { Migration } from './migrate.ts'

export const SEALED_URL = `
-- The address of a source that has a credential in it, encrypted for the source. 'url' then has masks in its place.
alter table sources add column sealed_url text;
` as const

export const sealedAddresses: Migration = {
  number: 41,
  name: 'encrypted addresses',
  sql: SEALED_URL,
  only: { sqlite: '', postgres: '' },
}

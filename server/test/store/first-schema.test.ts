import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Store } from '#store/db.ts'
import { openStore } from '#store/engine/open.ts'
import { BACKED_UP_TABLES, OTHER_TABLES } from '#store/snapshot/read-snapshot.ts'
import { digestTables } from '../support/database/digest-tables.ts'
import { type Engine, type Place, makePlace, onBothEngines } from '../support/database/engines.ts'

/** Tables that later migrations change or add. */
const CHANGED = [
  'accounts',
  'anonymous_calls',
  'api_keys',
  'approvals',
  'audit_entries',
  'call_days',
  'call_groups',
  'call_hours',
  'calls',
  'identities',
  'invitations',
  'members',
  'monthly_calls',
  'oauth_clients',
  'oauth_grants',
  'oauth_tokens',
  'object_deletions',
  'object_prefix',
  'packed_texts',
  'pages',
  'people',
  'pins',
  'schema_version',
  'segment_parts',
  'servers',
  'sessions',
  'site_access',
  'source_pushes',
  'source_questions',
  'sources',
  'text_packs',
  'upload_parts',
  'uploads',
  'webhooks',
]

const ADDED = [
  'anonymous_calls',
  'approvals',
  'audit_entries',
  'identities',
  'invitations',
  'members',
  'oauth_clients',
  'oauth_grants',
  'oauth_tokens',
  'object_deletions',
  'object_prefix',
  'packed_texts',
  'people',
  'pins',
  'site_access',
  'source_pushes',
  'source_questions',
  'text_packs',
]

/** Added tables whose rows come from earlier ones. */
const FILLED = ['members', 'people']

/** Fills a database as the last development version left it: a dump with a row in each table. */
async function load({ database }: Place): Promise<void> {
  const dump = readFileSync(join(import.meta.dirname, `fixtures/schema-35-${database.engine}.sql`), 'utf8')
  await using store = await openStore({ database, onError: () => {}, migrates: false })
  await store.write.connection().execute(async (db) => {
    for (const statement of dump.split(/;\n/)) if (statement.trim()) await sql.raw(statement).execute(db)
  })
}

const CATALOGUE: Record<Engine, string[]> = {
  sqlite: [
    `select m.name, c.name as part, upper(c.type) as type, c."notnull", c.dflt_value, c.pk, m.sql like '%without rowid%' as clustered,
       m.sql like '%autoincrement%' as serial from sqlite_master m, pragma_table_xinfo(m.name) c where m.type = 'table'`,
    `select m.name, f."from", f."table", f."to", f.on_update, f.on_delete
       from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`,
    `select m.name, i."unique", i.origin, i.partial, group_concat(c.name || c.desc order by c.seqno) as columns,
       lower((select sql from sqlite_master where name = i.name)) as sql
       from sqlite_master m, pragma_index_list(m.name) i, pragma_index_xinfo(i.name) c where m.type = 'table' group by m.name, i.name`,
    `select name, lower(sql) as sql from sqlite_master where type not in ('table', 'index')`,
  ],
  postgres: [
    `select table_name, column_name, data_type, is_nullable, column_default, is_identity, identity_generation
       from information_schema.columns where table_schema = current_schema()`,
    `select conrelid::regclass::text as name, contype, pg_get_constraintdef(oid) as definition
       from pg_constraint where connamespace = current_schema()::regnamespace`,
    `select tablename, replace(indexdef, '_pkey1 ', '_pkey ') as definition from pg_indexes where schemaname = current_schema()`,
    `select event_object_table, trigger_name from information_schema.triggers where trigger_schema = current_schema()`,
  ],
}

/** Tables, columns, types, defaults, indexes, constraints and triggers. Columns have no order. */
async function readCatalogue({ engine, read }: Store): Promise<string[][]> {
  const parts: string[][] = []
  for (const query of CATALOGUE[engine]) {
    const { rows } = await sql.raw<object>(query).execute(read)
    parts.push(rows.map((row) => JSON.stringify(row)).toSorted())
  }
  return parts
}

onBothEngines('database of the last development version', (engine) => {
  test('opens with all its rows, and has the tables of a new one', async () => {
    await using oldPlace = await makePlace(engine, { isEmpty: true })
    await using newPlace = await makePlace(engine, { isEmpty: true })
    await load(oldPlace)
    const open = ({ database }: Place, migrates: boolean) => openStore({ database, onError: () => {}, migrates })
    const digests = async () => {
      await using store = await open(oldPlace, false)
      return await digestTables(store)
    }
    const before = await digests()
    expect(BACKED_UP_TABLES.filter((table) => !(table in before)).toSorted()).toEqual(
      ['call_folds', ...ADDED].filter((table) => !OTHER_TABLES.includes(table)).toSorted(),
    )
    for (const table of BACKED_UP_TABLES.filter((name) => name in before))
      expect([table, before[table]]).toEqual([table, expect.stringMatching(/^1 /)])
    await using opened = await open(oldPlace, true)
    await using fresh = await open(newPlace, true)
    const after = await digests()
    const changed = Object.keys(after).filter((table) => after[table] !== before[table])
    expect(changed.toSorted()).toEqual(CHANGED)
    expect(Object.keys(after).filter((table) => !(table in before))).toEqual(ADDED)
    const isEmpty = (table: string) => ADDED.includes(table) && !FILLED.includes(table)
    expect(CHANGED.filter((table) => !after[table]?.startsWith(isEmpty(table) ? '0 ' : '1 '))).toEqual([])
    const catalogue = await readCatalogue(opened)
    expect(catalogue).toEqual(await readCatalogue(fresh))
    expect(catalogue.map((part) => part.length > 0)).toEqual([true, true, true, true])
  })
})

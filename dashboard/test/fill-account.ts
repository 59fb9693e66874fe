import { createAccount } from '@docent/server/auth/accounts.ts'
import { newId } from '@docent/server/lib/ids.ts'
import type { Store } from '@docent/server/store/db.ts'
import { insertServer } from '@docent/server/store/servers/servers.ts'
import { insertSourceRow, newSourceRow } from '@docent/server/store/sources/sources.ts'

const HOUR_MS = 3_600_000
/** A multiple of 26, the number of columns times the parameters that an engine takes. */
const AT_ONCE = 500

/** Servers with one source each, the newest last. Returns the slug of the newest. */
export async function addServers(store: Store, count: number): Promise<string> {
  const { id: accountId } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const now = Date.now()
  await store.transaction(async (tx) => {
    for (let n = 1; n <= count; n++) {
      const at = now - (count - n) * HOUR_MS
      const id = newId('srv')
      await insertServer(tx, {
        id,
        accountId,
        slug: `manual-${n}`,
        name: `Manual ${n}${n % 40 === 0 ? ' of the Größe' : ''}`,
        description: n % 3 === 0 ? 'Installation, operation and maintenance.' : null,
        visibility: n % 5 === 0 ? 'private' : 'public',
        tools: '["search_docs","ask_question","get_code_examples"]',
        refresh: 'off',
        createdAt: at,
        updatedAt: at,
        deletedAt: null,
        purgeAt: null,
      })
      await addSource(tx, id, { n, at })
    }
  })
  return `manual-${count}`
}

/** More sources for a server. The first gets `pages` pages. */
export async function addSources(store: Store, slug: string, { sources, pages }: { sources: number; pages: number }) {
  const { id } = await store.read.selectFrom('servers').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()
  const now = Date.now()
  await store.transaction(async (tx) => {
    for (let n = 1; n < sources; n++) await addSource(tx, id, { n, at: now - n * HOUR_MS })
    const first = await tx
      .selectFrom('sources')
      .select('id')
      .where('serverId', '=', id)
      .orderBy('createdAt')
      .executeTakeFirstOrThrow()
    const states = ['indexed', 'indexed', 'indexed', 'indexed', 'skipped', 'failed'] as const
    const rows = Array.from({ length: pages }, (_, n) => {
      const state = states[n % states.length] ?? 'indexed'
      const reason = state === 'indexed' ? null : state === 'skipped' ? 'duplicate' : 'not_found'
      return {
        sourceId: first.id,
        url: `https://manuals.example.com/part/${Math.floor(n / 100)}/chapter-${n}`,
        title: state === 'indexed' ? `Chapter ${n}: how to maintain part ${Math.floor(n / 100)}` : null,
        state,
        reason,
        detail: reason === null ? null : 'The site answered 404: there is no such page.',
        run: 1,
        depth: 1,
        chunks: state === 'indexed' ? 3 : 0,
        published: 1,
        misses: 0,
        updatedAt: now - n * 1_000,
      }
    })
    for (let from = 0; from < pages; from += AT_ONCE)
      await tx
        .insertInto('pages')
        .values(rows.slice(from, from + AT_ONCE))
        .execute()
    const counts = { pagesFound: pages, pagesIndexed: 0, pagesSkipped: 0, pagesFailed: 0 }
    for (const { state } of rows) {
      if (state === 'indexed') counts.pagesIndexed++
      else if (state === 'skipped') counts.pagesSkipped++
      else counts.pagesFailed++
    }
    await tx.updateTable('sources').set(counts).where('id', '=', first.id).execute()
  })
}

type Place = { n: number; at: number }

async function addSource(tx: Parameters<typeof insertSourceRow>[0], serverId: string, { n, at }: Place): Promise<void> {
  const address = { url: `https://manuals.example.com/${serverId}/${n}/`, type: 'docs' as const, label: `Part ${n}` }
  const row = newSourceRow({ ...address, id: newId('src'), serverId, createdAt: at })
  const state = n % 7 === 0 ? 'error' : 'complete'
  await insertSourceRow(tx, {
    ...row,
    crawlStatus: state,
    crawlError: state === 'error' ? 'The site did not answer within 20 seconds.' : null,
    pagesFound: 50,
    pagesIndexed: 50,
    chunks: 400,
    lastIndexedAt: at,
  })
}

/** Rows of every other list of an account: keys, orders, widgets, custom tools, accounts, and what a server has. */
export async function addRows(store: Store, slug: string, count: number): Promise<void> {
  const server = await store.read
    .selectFrom('servers')
    .select(['id', 'accountId'])
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  const { id: sourceId } = await store.read
    .selectFrom('sources')
    .select('id')
    .where('serverId', '=', server.id)
    .executeTakeFirstOrThrow()
  const { id: developerId } = await store.read.selectFrom('developers').select('id').executeTakeFirstOrThrow()
  const now = Date.now()
  const { accountId, id: serverId } = server
  const rows = <Row>(make: (n: number, at: number) => Row): Row[] =>
    Array.from({ length: count }, (_, n) => make(n, now - (count - n) * HOUR_MS))
  const own = { accountId, createdAt: now }
  const keys = rows((n, at) => ({
    ...own,
    id: newId('key'),
    name: `Key ${n}`,
    hash: `hash ${n}`,
    last4: 'abcd',
    createdAt: at,
    serverIds: n % 3 === 0 ? JSON.stringify([serverId]) : null,
    lastUsedAt: null,
    revokedAt: null,
  }))
  const widgets = rows((n, at) => ({
    id: newId('cfg'),
    developerId,
    name: `docs-${n}.example.com`,
    domain: `docs-${n}.example.com`,
    tools: '[{"name":"ask_question","enabled":true}]',
    sources: '[]',
    colors: '{}',
    layout: 'horizontal' as const,
    fontFamily: '',
    isActive: n % 2,
    createdAt: at,
    updatedAt: at,
  }))
  const orders = rows((n, at) => ({
    ...own,
    id: newId('pur'),
    kind: 'sources' as const,
    serverId,
    sources: 1 + (n % 5),
    plan: null,
    priceCents: null,
    note: n % 2 === 0 ? 'For the manuals of the workshop.' : '',
    state: n % 3 === 0 ? ('requested' as const) : ('granted' as const),
    reason: null,
    createdAt: at,
    settledAt: n % 3 === 0 ? null : at,
    settledBy: null,
  }))
  const tools = rows((n, at) => ({
    ...own,
    id: newId('ct'),
    name: `tool_${n}`,
    displayName: `Tool ${n}`,
    description: 'Finds oils for sprockets.',
    status: n % 4 === 0 ? ('failed' as const) : ('ready' as const),
    inputSchema: '{"type":"object"}',
    plan: null,
    prompt: 'Find oils.',
    error: n % 4 === 0 ? 'The sources have no table of oils.' : null,
    createdAt: at,
    updatedAt: at,
  }))
  const rules = rows((n, at) => ({
    id: newId('rule'),
    serverId,
    sourceId: null,
    naturalLanguage: `Prefer pages below /part/${n}.`,
    enabled: n % 2,
    priority: 0,
    effects: `[{"kind":"prefer_path","glob":"/part/${n}/**","weight":2}]`,
    createdAt: at,
    updatedAt: at,
  }))
  const pins = rows((n, at) => ({
    id: newId('pin'),
    serverId,
    sourceId,
    effect: 'first' as const,
    questions: JSON.stringify([`How do I oil part ${n}?`]),
    url: `https://manuals.example.com/part/0/chapter-${n}`,
    title: `Chapter ${n}`,
    heading: '',
    createdAt: at,
  }))
  for (let n = 0; n < count; n++)
    await createAccount(store, { email: `person-${n}@example.org`, password: null, plan: 'free' })
  await store.transaction(async (tx) => {
    await tx.insertInto('apiKeys').values(keys).execute()
    await tx.insertInto('configurations').values(widgets).execute()
    await tx.insertInto('purchases').values(orders).execute()
    await tx.insertInto('customTools').values(tools).execute()
    await tx.insertInto('retrievalRules').values(rules).execute()
    await tx.insertInto('pins').values(pins).execute()
  })
}

import { type Operation, canNeedApproval } from '@docent/contract/operation'
import { operations } from '@docent/contract/operations'
import { type KeyScope, type Role, includesRole } from '@docent/contract/values/permissions'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { sql } from 'kysely'
import { newSecret } from '#auth/secret.ts'
import { openSession } from '#auth/sessions.ts'
import { newId } from '#lib/ids.ts'
import { isAudited } from '#operations/account/audit.ts'
import { insertMember, insertPerson } from '#store/accounts/people.ts'
import type { Store } from '#store/db.ts'
import { digestTables } from '../support/database/digest-tables.ts'
import { onBothEngines, repeatsOn } from '../support/database/engines.ts'
import { exampleInput } from '../support/service/example-input.ts'
import { type FurnishedAccount, furnishAccount } from '../support/service/furnish-account.ts'
import { type Answer, type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { openSessionOf } from '../support/service/open-browser.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

/**
 * Requests every operation as every kind of caller for every kind of thing. The expected refusal follows from the
 * operation's description, so new operations are covered without changes here.
 */

/** Without a listener. */
const NOWHERE = 'http://127.0.0.1:19151/'
const CANARY = 'canary-of-the-other-tenant'

/**
 * Callers. The assistant has a key that needs approvals. Scoped keys are the owner's: one for the requested server, one for another. Sessions are the owner's except
 * for the stranger's; a cross-site page uses one of them.
 */
const KEYS = [
  'none',
  'malformed',
  'unknown',
  'revoked',
  'account',
  'assistant',
  'scopedIn',
  'scopedOut',
  'stranger',
] as const
const SESSIONS = ['session', 'strangersSession', 'endedSession', 'expiredSession', 'crossSiteSession'] as const
/** Keys with one scope each, and sessions of members: with each role, limited to the requested server or another. */
const SCOPED = ['reading', 'asking', 'writing', 'publishing'] as const
const MEMBERS = ['viewer', 'editor', 'coOwner', 'viewerIn', 'editorIn', 'editorOut', 'formerMember'] as const
const CALLERS = [...KEYS, ...SESSIONS, ...SCOPED, ...MEMBERS] as const
type Caller = (typeof CALLERS)[number]
const SCOPE_OF: Partial<Record<Caller, KeyScope>> = {
  reading: 'read',
  asking: 'ask',
  writing: 'write',
  publishing: 'publish',
}
const ROLE_OF: Partial<Record<Caller, Role>> = {
  viewer: 'viewer',
  viewerIn: 'viewer',
  editor: 'editor',
  editorIn: 'editor',
  editorOut: 'editor',
}
/** Callers that see only the requested server, or only another. */
const INSIDE: ReadonlySet<Caller> = new Set(['scopedIn', 'viewerIn', 'editorIn'])
const OUTSIDE: ReadonlySet<Caller> = new Set(['scopedOut', 'editorOut'])
const WITHOUT_KEY: ReadonlySet<Caller> = new Set([
  'none',
  'malformed',
  'unknown',
  'revoked',
  'endedSession',
  'expiredSession',
  'formerMember',
])
const STRANGERS: ReadonlySet<Caller> = new Set(['stranger', 'strangersSession'])

/** Requested things. `own` and `slug` are the owner's, `other` the stranger's; no caller may see the rest. */
const ALL_MALFORMED = ["' or 1=1 --", '%', '../../healthz', '{id}', 'a\0b', '\u202E\uFFFF', 'srv_', 'x'.repeat(2_000)]
const MALFORMED = inject('isLong') ? ALL_MALFORMED : ALL_MALFORMED.filter((_, at) => at % 4 === 0)
const KINDS = ['own', 'slug', 'other', 'deleted', 'random', ...MALFORMED] as const
type Kind = (typeof KINDS)[number]

/** Ids by parameter name and kind. */
type Things = Record<string, Partial<Record<Kind, string>>>

/** A request of the matrix; `varied` is the parameter that is not the caller's own. */
type Request = { id: string; operation: Operation; caller: Caller; varied: string | null; kind: Kind; broken: boolean }

/** Thousands of requests take long on a busy machine, and all of them (`npm run test:long`) four times as long. */
vi.setConfig({ testTimeout: inject('isLong') ? 1_600_000 : 400_000 })

onBothEngines('every operation', (engine) => {
  /** On PostgreSQL, `npm test` sends each query and each change once, from those who may. */
  const isWhole = repeatsOn(engine)
  const testWhole = test.runIf(isWhole)
  let site: Site
  let docent: Docent
  let things: Things
  let credentials: Record<Caller, { key: string | null; headers?: Record<string, string> }>
  let requests = 0

  beforeAll(async () => {
    site = await startSite({ '/': page('Home', 'Welcome to this place.') })
    docent = await startDocent({
      engine,
      environment: { DOCENT_RATE_LIMITS: 'off', DOCENT_SECRET_KEY: 'k'.repeat(32) },
    })
    const own = await furnishAccount(docent, site, 'owner@example.test', 'Plain words')
    const other = await furnishAccount(docent, site, 'stranger@example.test', CANARY)
    things = Object.fromEntries(Object.keys(own.ids).map((name) => [name, kindsOf(name, own, other)]))
    const revoked = await docent.makeKey('owner@example.test')
    await docent.inStore(({ write }) =>
      write.updateTable('apiKeys').set({ revokedAt: 1 }).where('last4', '=', revoked.slice(-4)).execute(),
    )
    const byCookie = (secret: string, site = 'same-origin') => ({
      key: null,
      headers: { cookie: `docent_session=${secret}`, 'sec-fetch-site': site },
    })
    const ended = await openSessionOf(docent, 'owner@example.test')
    await docent.request('DELETE', '/api/sessions', { sessionId: ended.session.id })
    const expired = await openSessionOf(docent, 'owner@example.test')
    await docent.inStore(({ write }) =>
      write.updateTable('sessions').set({ lastUsedAt: 1 }).where('id', '=', expired.session.id).execute(),
    )
    credentials = {
      none: { key: null },
      malformed: { key: `dk_live_${'0'.repeat(36)}` },
      unknown: { key: newSecret('dk_live_').plaintext },
      revoked: { key: revoked },
      account: { key: docent.key },
      assistant: { key: await assistantKey() },
      scopedIn: { key: await docent.makeKey('owner@example.test', [own.ids['id'] ?? '']) },
      scopedOut: { key: await docent.makeKey('owner@example.test', [own.second]) },
      stranger: { key: other.key },
      session: byCookie(own.sessionSecret),
      strangersSession: byCookie(other.sessionSecret),
      endedSession: byCookie(ended.secret),
      expiredSession: byCookie(expired.secret),
      crossSiteSession: byCookie(own.sessionSecret, 'cross-site'),
      ...(await scopedKeys()),
      ...(await memberSessions({ viewer: null, editor: null, coOwner: null })),
      ...(await memberSessions({ viewerIn: own.ids['id'], editorIn: own.ids['id'], editorOut: own.second })),
      formerMember: byCookie((await joinAs('former', 'editor', null)).secret),
    }
    await docent.inStore(({ write }) =>
      write
        .deleteFrom('members')
        .where('personId', 'in', write.selectFrom('people').select('id').where('email', 'like', 'former@%'))
        .execute(),
    )

    async function assistantKey() {
      const made = await docent.request('POST', '/api/keys', { name: 'Assistant', forAssistant: true })
      return made.body.plaintext as string
    }

    async function scopedKeys() {
      const made = SCOPED.map(async (caller) => {
        const body = { name: caller, scopes: [SCOPE_OF[caller]] }
        return [caller, { key: (await docent.request('POST', '/api/keys', body)).body.plaintext as string }] as const
      })
      return Object.fromEntries(await Promise.all(made)) as Record<(typeof SCOPED)[number], { key: string }>
    }

    async function memberSessions<Name extends Caller>(servers: Record<Name, string | null | undefined>) {
      const entries: [string, ReturnType<typeof byCookie>][] = []
      for (const [name, server] of Object.entries<string | null | undefined>(servers)) {
        const role = ROLE_OF[name as Caller] ?? 'owner'
        entries.push([name, byCookie((await joinAs(name, role, server ?? null)).secret)])
      }
      return Object.fromEntries(entries) as Record<Name, ReturnType<typeof byCookie>>
    }

    /** Makes a person who is a member of the owner's account, and of no other. */
    function joinAs(name: string, role: Role, server: string | null) {
      return docent.inStore(async (store) => {
        const { accountId } = await store.read
          .selectFrom('servers')
          .select('accountId')
          .where('id', '=', own.ids['id'] ?? '')
          .executeTakeFirstOrThrow()
        const email = `${name.toLowerCase()}@example.test`
        const personId = newId('per')
        const login = { email, name, passwordHash: null, confirmedAt: null, lastAccountId: accountId }
        await insertPerson(store.write, { id: personId, ...login, createdAt: 1 })
        const serverIds = server === null ? null : JSON.stringify([server])
        await insertMember(store.write, { accountId, personId, role, serverIds, createdAt: 1 })
        return openSession(store, { accountId, personId, userAgent: null, now: Date.now() })
      })
    }
  })
  afterAll(() => disposeAll(docent, site))

  function kindsOf(name: string, own: FurnishedAccount, other: FurnishedAccount): Partial<Record<Kind, string>> {
    const isServer = name === 'id' || name === 'serverId'
    const random = { host: 'gitlab.example' }[name] ?? `${own.ids[name]?.split('_')[0]}_${'r4nd0m'.repeat(3)}`
    return {
      own: own.ids[name] ?? '',
      random,
      ...(name === 'host' ? {} : { other: other.ids[name] ?? '' }),
      ...(isServer ? { slug: own.slug, deleted: own.deleted } : {}),
      ...Object.fromEntries(MALFORMED.map((text) => [text, text])),
    }
  }

  /** True if the caller may see what the parameter names. */
  function inReach({ operation, caller, kind }: Request, name: string): boolean {
    // The operator, whose account is the owner's, sees the things of all accounts, but withdraws no purchase of another.
    if (operation.auth === 'operator') return kind === 'own' || kind === 'other'
    // A widget's configuration is named by pages of anybody, and an address for pushes by any sender.
    if ((name === 'configurationId' || name === 'token') && operation.auth === 'none')
      return kind === 'own' || kind === 'other'
    if (WITHOUT_KEY.has(caller)) return operation.auth === 'none' && ['own', 'slug', 'other'].includes(kind)
    // A cross-site page is refused before any look-up, so it learns nothing.
    if (caller === 'crossSiteSession' && operation.auth !== 'none') return true
    // Without required credentials a session is not checked.
    if (operation.auth === 'none' && isSession(caller)) return ['own', 'slug', 'other'].includes(kind)
    // Any host can be named; its link is looked up in the caller's account.
    if (name === 'host') return kind === 'own' || kind === 'random'
    if (STRANGERS.has(caller)) return kind === 'other'
    const ofAccount = [
      'webhookId',
      'deliveryId',
      'purchaseId',
      'toolId',
      'keyId',
      'connectionId',
      'oauthClientId',
      'siteAccessId',
      'sessionId',
      'configurationId',
      'memberId',
      'invitationId',
      'approvalId',
      'accountId',
    ].includes(name)
    // Sessions belong to a person, or for a key to the account.
    if (name === 'sessionId' && isMember(caller)) return false
    // So do connections, of which owners see all.
    if (name === 'connectionId' && ROLE_OF[caller]) return false
    if (kind === 'own') return !OUTSIDE.has(caller) || ofAccount
    if (kind === 'slug') return !OUTSIDE.has(caller) && operation.resource !== 'serverOfRules'
    const seesAll = !INSIDE.has(caller) && !OUTSIDE.has(caller)
    return kind === 'deleted' && seesAll && operation.resource === 'restorableServer'
  }

  /** The first parameter that names something the caller cannot see. */
  function hiddenName(request: Request): string | undefined {
    const { operation, varied, broken } = request
    // An unreadable body names nothing.
    const seen = namesOf(operation).filter((name) => !broken || operation.path.includes(`{${name}}`))
    return seen.find((name) => !inReach({ ...request, kind: name === varied ? request.kind : 'own' }, name))
  }

  /** Status of the expected refusal; null if the request may be carried out. */
  function refusalOf(request: Request): 401 | 403 | 404 | null {
    const { operation, caller } = request
    // No caller here has a client secret. Keys do not count as one.
    if (operation.auth === 'client' || (operation.auth === 'developer' && !isSession(caller))) return 401
    if (operation.auth !== 'none' && WITHOUT_KEY.has(caller)) return 401
    if (operation.auth !== 'none' && caller === 'crossSiteSession') return 403
    // Refused before any look-up.
    const isOperator = hasAll(caller) || SCOPE_OF[caller] !== undefined || caller === 'coOwner'
    if (operation.auth === 'operator' && !isOperator) return 403
    // Signing in names no thing, and the example's password is nobody's. Nor is its session of a widget.
    if (operation === operations['sessions.create'] || operation === operations['embed.ask']) return null
    if (hiddenName(request) !== undefined) return 404
    return isPermitted(operation, caller) ? null : 403
  }

  /** What a caller may do of all that it sees, from the operation's row. */
  function isPermitted({ auth, needs }: Operation, caller: Caller): boolean {
    if (needs === undefined) return true
    const isLimited = INSIDE.has(caller) || OUTSIDE.has(caller)
    if (isLimited && auth !== 'key' && !(auth === 'person' && isMember(caller))) return false
    const [role, scope] = needs
    return includesRole(ROLE_OF[caller] ?? 'owner', role) && (SCOPE_OF[caller] ?? scope) === scope
  }

  function send({ id, operation, caller, varied, kind, broken }: Request): Promise<Answer> {
    const input = { ...exampleInput(operation), ...GIVEN[id] }
    for (const name of namesOf(operation)) input[name] = things[name]?.[name === varied ? kind : 'own'] ?? ''
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = encodeURIComponent(String(input[name]))
      delete input[name]
      return value
    })
    requests += 1
    const options = credentials[caller]
    // The body of such a request is a file.
    if (operation.consumes && operation.publishes)
      return docent.request(
        operation.method,
        `${path}?${new URLSearchParams(input as Record<string, string>)}`,
        {},
        options,
      )
    if (operation.method !== 'GET') return docent.request(operation.method, path, broken ? '{' : input, options)
    const needed = [...namesOf(operation), 'url'].filter((name) => name in input)
    const query = new URLSearchParams(Object.fromEntries(needed.map((name) => [name, String(input[name])])))
    return docent.request('GET', needed.length > 0 ? `${path}?${query}` : path, undefined, options)
  }

  const all = (): Request[] =>
    Object.entries<Operation>(operations).flatMap(([id, operation], place) => {
      const names = namesOf(operation)
      const asked: [varied: string | null, kind: Kind][] =
        names.length === 0
          ? [[null, 'own']]
          : names.flatMap((name) =>
              KINDS.filter((kind) => things[name]?.[kind] !== undefined).map((kind) => [name, kind] as [string, Kind]),
            )
      const isPlain = (kind: Kind) => inject('isLong') || kind === 'own' || kind === 'other'
      const isBreakable = (kind: Kind) => operation.method !== 'GET' && isPlain(kind)
      // Refused before any look-up, whatever the thing.
      const isUnseen = (caller: Caller) =>
        operation.auth !== 'none' && (WITHOUT_KEY.has(caller) || caller === 'crossSiteSession')
      const isTried = (caller: Caller, at: number) => inject('isLong') || !isSampled(caller) || at % 6 === 0
      return CALLERS.flatMap((caller, at) =>
        asked
          .filter(() => isTried(caller, at + place))
          .filter(([, kind]) => isPlain(kind) || !isUnseen(caller))
          .flatMap(([varied, kind]) =>
            (isBreakable(kind) && (inject('isLong') || (at + place) % 6 === 0) ? [false, true] : [false]).map(
              (broken) => ({
                id,
                operation,
                caller,
                varied,
                kind,
                broken,
              }),
            ),
          ),
      )
    })

  testWhole('names in paths only resources that the fixture has', () => {
    const names = Object.values<Operation>(operations).flatMap(namesOf)
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => !(name in things))).toEqual([])
  })

  testWhole('refuses unauthorised callers in the same bytes as for unknown things and changes nothing', async () => {
    const refused = all().filter((request) => refusalOf(request) !== null)
    const before = await docent.inStore(digestTables)
    const answers = new Map<string, Set<string>>()
    for (let from = 0; from < refused.length; from += 25) {
      await Promise.all(
        refused.slice(from, from + 25).map(async (request) => {
          const { id, caller, varied, kind, broken } = request
          const { status, text } = await send(request)
          const expected = refusalOf(request)
          const told = { id, caller, varied, kind: kind.slice(0, 30), broken, text }
          expect({ ...told, status }).toEqual({ ...told, status: expected })
          expect(text).not.toContain(CANARY)
          const why = caller === 'crossSiteSession' ? ' from another site' : ''
          const { auth } = request.operation
          const isOther = auth === 'operator' && STRANGERS.has(caller)
          const by = auth === 'developer' || auth === 'client' || isOther ? ` of a ${auth}` : ''
          const row: Operation = request.operation
          const lacks = expected === 403 && isGraded(caller) ? ` ${caller} ${row.auth} ${row.needs?.join(' ')}` : ''
          const same = expected === 404 ? `${id} ${hiddenName(request)}` : `${expected}${by}${why}${lacks}`
          answers.set(same, (answers.get(same) ?? new Set()).add(text))
        }),
      )
    }
    expect([...answers].filter(([, texts]) => texts.size !== 1)).toEqual([])
    expect(answers.size).toBeGreaterThan(20)
    expect(await docent.inStore(digestTables)).toEqual(before)
  })

  test('shows no account the data of another', async () => {
    const reads = all().filter(
      (request) =>
        request.operation.method === 'GET' &&
        refusalOf(request) === null &&
        (isWhole || ['account', 'stranger', 'editorIn'].includes(request.caller)),
    )
    expect(reads.length).toBeGreaterThan(40)
    let seenByItsOwner = 0
    for (const request of reads) {
      const { status, text } = await send(request)
      const told = { id: request.id, caller: request.caller, kind: request.kind }
      expect({ ...told, status }).toEqual({ ...told, status: 200 })
      // The operator's lists name all accounts.
      if (request.operation.auth === 'operator') continue
      if (STRANGERS.has(request.caller)) {
        expect(text).not.toContain('Plain words')
        if (text.includes(CANARY)) seenByItsOwner += 1
      } else expect({ ...told, leaks: text.includes(CANARY) }).toEqual({ ...told, leaks: false })
    }
    expect(seenByItsOwner).toBeGreaterThan(5)
  })

  /** A request for the owner's things with which an operation does what it is for. */
  const plain = (id: string, operation: Operation, caller: Caller): Request => ({
    id,
    operation,
    caller,
    varied: null,
    kind: 'own',
    broken: false,
  })

  testWhole('lets the key of an assistant publish, delete and issue nothing without an approval', async () => {
    const asking = Object.entries<Operation>(operations).filter(
      ([, operation]) => canNeedApproval(operation) && !['developer', 'client'].includes(operation.auth),
    )
    const digest = async () => ({ ...(await docent.inStore(digestTables)), approvals: '' })
    const before = await digest()
    const others = []
    for (const [id, operation] of asking) {
      const { status, body } = await send(plain(id, operation, 'assistant'))
      if (body.error === 'approval_required') expect([status, body.approvalUrl]).toEqual([403, expect.any(String)])
      else others.push(`${id} ${status}`)
    }
    expect(others).toEqual([])
    expect(asking.length).toBeGreaterThan(30)
    expect(await digest()).toEqual(before)
  })

  test('keeps no change whose record in the audit log cannot be written', async () => {
    const recorded = Object.entries<Operation>(operations).filter(
      ([, operation]) => isAudited(operation) && operation.method !== 'GET' && operation.auth !== 'client',
    )
    await docent.inStore((store) => refuseAuditEntries(store, true))
    const others = []
    try {
      const before = await docent.inStore(digestTables)
      for (const [id, operation] of recorded) {
        const { status } = await send(plain(id, operation, 'session'))
        if (status !== 500) others.push(`${id} ${status}`)
        // Names the operation that keeps a change. All tables take longer to hash than most requests.
        if (inject('isLong')) expect([id, await docent.inStore(digestTables)]).toEqual([id, before])
      }
      expect(await docent.inStore(digestTables)).toEqual(before)
    } finally {
      await docent.inStore((store) => refuseAuditEntries(store, false))
    }
    expect(others).toEqual(REFUSED)
  })

  testWhole('has made thousands of requests', () => {
    expect(requests).toBeGreaterThan(inject('isLong') ? 10_000 : 1_500)
  })
})

/** Inputs where those made from the schema alone would be refused. */
const GIVEN: Readonly<Record<string, object>> = {
  'servers.create': { sources: [{ url: NOWHERE }], visibility: 'public', tools: undefined, uploads: undefined },
  'servers.import': { visibility: 'public' },
  'servers.crawl': { sourceId: undefined },
  'servers.crawlOne': { sourceId: undefined },
  'sources.add': { url: 'http://127.0.0.1:19152/', type: undefined, auth: undefined, isPrivate: undefined },
  'sources.changeCredential': { secret: undefined, remove: true },
  'sources.update': { include: undefined, exclude: undefined, versions: undefined, allowedTools: undefined },
  'tools.change': { tools: ['search_docs', 'ask_question', 'get_quickstart'] },
  'customTools.create': { sources: undefined },
  'retrievalRules.create': { naturalLanguage: 'Prefer pages whose path starts with /guides.' },
  'keys.create': { serverIds: undefined },
  'oauthClients.create': { redirectUris: ['http://127.0.0.1/callback'] },
  'members.invite': { email: 'new@example.test' },
  'members.transfer': { from: undefined },
  'instance.inviteAccount': { email: 'new@example.test' },
  'linkedAccounts.link': { token: 'a-token' },
  'siteAccess.save': { origin: NOWHERE, basic: undefined, header: undefined, cookie: 'a=1' },
  'configurations.save': { domain: 'docs.example.test', tools: undefined, sources: undefined, colors: undefined },
}

/** Changes that the example request cannot make, in the order of the operations. */
const REFUSED = [
  'servers.import 400',
  'sources.add 400',
  'sources.changeCredential 404',
  'sources.upload 400',
  'pages.readAgain 404',
  'pages.leaveOut 404',
  'customTools.retry 409',
  'retrievalRules.create 422',
  'pins.create 422',
  'purchases.requestPlan 409',
  'linkedAccounts.link 422',
  'linkedAccounts.start 503',
  'linkedAccounts.finish 503',
  'siteAccess.save 422',
  'instance.switchAccount 409',
]

/** Lets the database refuse every new row of the audit log, or no longer. */
async function refuseAuditEntries({ engine, write }: Store, isOn: boolean): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(write)
  const trigger = 'create trigger refused before insert on audit_entries'
  if (engine === 'sqlite')
    await run(isOn ? `${trigger} begin select raise(abort, 'refused'); end` : 'drop trigger refused')
  else if (isOn) {
    await run(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`)
    await run(`${trigger} for each row execute function refuse()`)
  } else await run('drop function refuse cascade')
}

/** Callers of whom short runs try a third of the operations each. They differ little from one of the others. */
const isSampled = (caller: Caller): boolean =>
  isGraded(caller) ||
  (WITHOUT_KEY.has(caller) && caller !== 'none') ||
  ['assistant', 'scopedIn', 'strangersSession', 'crossSiteSession'].includes(caller)
const isGraded = (caller: Caller): boolean => SCOPE_OF[caller] !== undefined || isMember(caller)
const isMember = (caller: Caller): boolean => (MEMBERS as readonly Caller[]).includes(caller)
const isSession = (caller: Caller): boolean => (SESSIONS as readonly Caller[]).includes(caller) || isMember(caller)

/** True if the caller may do everything with the owner's account. */
const hasAll = (caller: Caller): boolean => ['account', 'assistant', 'session'].includes(caller)

/** Path parameters, and the server that the input names. */
function namesOf({ path, input, resource }: Operation): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const named = exampleInput({ input })
  const ids = resource === 'session' ? ['sessionId'] : resource === 'configurationInBody' ? ['configurationId'] : []
  const inInput = ['serverId', ...ids].filter((name) => name in named)
  return [...inPath, ...inInput, ...(resource === 'serverOfRules' && 'sourceId' in named ? ['sourceId'] : [])]
}

import { readSetting } from '@docent/contract/values/setting-texts'
import { EMBED_LIMITS, EMBED_SESSION_MS, MAX_EMBED_QUESTIONS } from '@docent/contract/operations/embed'
import { EMBED_TOOLS, type EmbedToolName } from '@docent/contract/values/embed-tools'
import { redeemAttributionToken } from '#auth/developers.ts'
import { newSecret, hashSecret, isWellFormed } from '#auth/secret.ts'
import { DocentError, found } from '#errors.ts'
import { insertEmbedSession, findEmbedSession, findActiveConfiguration } from '#store/accounts/developers.ts'
import { isoTime } from '#lib/clock.ts'
import { saveFeedback } from '#store/calls/read-calls.ts'
import type { Db } from '#store/db.ts'
import type { HandlersOf, OperationDeps, Visitor } from '../operation.ts'
import { enforceRateLimit } from '../rate-limits.ts'
import { answerParts } from './answer-parts.ts'

export const embedHandlers: HandlersOf<'embed'> = {
  'embed.configuration': async ({ deps, visitor, configuration }) => {
    admitPage(visitor, configuration)
    const { layout, fontFamily, colors } = configuration
    const tools = widgetTools(configuration)
    const questions = tools[0]?.name === 'ask_question' ? await firstQuestions(deps, configuration) : []
    const shown = questions.length > 0 ? { questions } : {}
    return { layout, fontFamily, colors: readSetting('colors', colors), tools, ...shown }
  },

  'embed.openSession': async ({ deps, visitor, configuration }, { attributionToken }) => {
    const { address } = admitPage(visitor, configuration)
    const { id: configurationId, developerId } = configuration
    const isAttributed = typeof attributionToken === 'string'
    const take = (by: Asker, store: Windows = deps.store) =>
      takeShare({ ...deps, store }, { act: 'sessions', configurationId, by })
    const used = isAttributed
      ? await redeemAttributionToken(deps, { developerId, token: attributionToken }, (tx, { id, endUserId }) =>
          take({ attributionId: id, endUserId, address }, { read: tx, write: tx }),
        )
      : null
    if (!used) await take({ attributionId: null, endUserId: null, address })
    if (isAttributed && !used) throw new DocentError('attribution_token_invalid')
    const { plaintext, hash } = newSecret('des_')
    const createdAt = deps.clock()
    const expiresAt = createdAt + EMBED_SESSION_MS
    const owner = { attributionId: used?.id ?? null, endUserId: used?.endUserId ?? null }
    await insertEmbedSession(deps.store.write, { hash, configurationId, ...owner, createdAt, expiresAt })
    return { session: plaintext, expiresAt: isoTime(expiresAt), attributed: isAttributed }
  },

  'embed.ask': async ({ deps, visitor, signal }, { session, question, tool }) => {
    const { configuration, by } = await findOpened(deps, visitor, session)
    const tools = widgetTools(configuration)
    const used = found(tool ? tools.find(({ name }) => name === tool) : tools[0], 'embed_tool_not_enabled')
    await takeShare(deps, { act: 'questions', configurationId: configuration.id, by })
    const answer = await deps.prepareEmbedded({
      accountId: configuration.accountId,
      configurationId: configuration.id,
      endUserId: by.endUserId,
      sources: readSetting('sources', configuration.sources),
      withPrivate: by.attributionId !== null,
      address: by.address,
      tool: used.name,
      text: question,
    })
    return answerParts(answer, signal)
  },

  /** Only the visitor who got an answer knows the id of its call, which is recorded later. */
  'embed.feedback': async ({ deps, visitor }, { session, call: callId, helpful }) => {
    const { configuration, by } = await findOpened(deps, visitor, session)
    await takeShare(deps, { act: 'feedback', configurationId: configuration.id, by })
    const feedback = { callId, configurationId: configuration.id, helpful: Number(helpful), at: deps.clock() }
    await saveFeedback(deps.store.write, feedback)
    return { ok: true }
  },
}

/** A visitor. `attributionId` is null without an attribution token, `endUserId` without the name of a user. */
type Asker = { attributionId: string | null; endUserId: string | null; address: string }
/** The store, or one transaction as both members. */
type Windows = { read: Db; write: Db }
type Act = { act: 'sessions' | 'questions' | 'feedback'; configurationId: string; by: Asker }

/**
 * Takes one act from the limit of the visitor and from that of the widget. Visitors with a token have a limit apart,
 * because any program can send the `Origin` of the widget's site.
 */
async function takeShare(
  deps: Pick<OperationDeps, 'clock' | 'config'> & { store: Windows },
  { act, configurationId, by: { attributionId, endUserId, address } }: Act,
): Promise<void> {
  const key = `embed ${act}:${configurationId}`
  const user = attributionId === null ? null : hashSecret(endUserId ?? attributionId)
  const network = user === null ? address : `user ${user}`
  await enforceRateLimit(deps, { key: `${key} by:`, network, ...EMBED_LIMITS[`${act}OfVisitor`] })
  const group = user === null ? key : `${key} with a token`
  await enforceRateLimit(deps, { key: group, ...EMBED_LIMITS[`${act}OfConfiguration`] })
}

/** A widget's configuration, and the visitor of a session. Throws for pages that may not use it. */
async function findOpened({ store, clock }: OperationDeps, visitor: Visitor | undefined, session: string) {
  const isPlausible = isWellFormed('des_', session)
  const opened = isPlausible ? await findEmbedSession(store.read, hashSecret(session), clock()) : undefined
  const configuration = opened && (await findActiveConfiguration(store.read, opened.configurationId))
  if (!opened || !configuration) throw new DocentError('embed_session_ended')
  const { address } = admitPage(visitor, configuration)
  const { attributionId, endUserId } = opened
  return { configuration, by: { attributionId, endUserId, address } }
}

/** Throws `403 origin_not_allowed` unless the page is of the configuration's domain, a subdomain or the service. */
function admitPage(visitor: Visitor | undefined, { domain }: { domain: string }): Visitor {
  if (!visitor) throw new Error('This door has no visitors')
  if (domain === '' || visitor.sender === 'own') return visitor
  const { origin } = visitor
  const host = origin !== null && URL.canParse(origin) ? hostOf(new URL(origin), domain) : ''
  if (host !== domain && !host.endsWith(`.${domain}`)) throw new DocentError('origin_not_allowed')
  return visitor
}

/** The host of a page, with its port if the domain has one. */
function hostOf({ hostname, port, protocol }: URL, domain: string): string {
  return /:\d+$/.test(domain) ? `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}` : hostname
}

type Configuration = NonNullable<Awaited<ReturnType<typeof findActiveConfiguration>>>

/** Questions of public servers, as for a session without an attribution token. */
async function firstQuestions(deps: OperationDeps, configuration: Configuration): Promise<string[]> {
  const { accountId, id: configurationId, sources } = configuration
  const widget = { accountId, configurationId, sources: readSetting('sources', sources), withPrivate: false }
  return (await deps.suggestEmbedded(widget)).slice(0, MAX_EMBED_QUESTIONS).map(({ question }) => question)
}

/** The tools of a widget in the order of its configuration. Without any, the widget answers questions. */
function widgetTools({ tools }: { tools: string }): { name: EmbedToolName; title: string }[] {
  const wanted = readSetting('tools', tools).filter(({ enabled }) => enabled)
  const offered = wanted.flatMap(({ name, title }) => {
    const tool = EMBED_TOOLS.find((one) => one.name === name)
    return tool ? [{ name: tool.name, title: title || tool.title }] : []
  })
  return offered.length > 0 ? offered : [EMBED_TOOLS[0]]
}

import { type AnswerPart, EMBED_LIMITS } from '@docent/contract/embed'
import { readSetting } from '@docent/contract/setting-texts'
import { hashSecret, isWellFormed } from '#auth/secret.ts'
import { DocentError, toDocentError } from '#errors.ts'
import { findActiveConfiguration } from '#store/accounts/configurations.ts'
import { findEmbedSession } from '#store/accounts/embed-sessions.ts'
import type { EmbeddedAnswer, Handler, OperationDeps } from '../operation.ts'
import { takeOrRefuse } from '../take-or-refuse.ts'
import { admitPage } from './admit-page.ts'
import { widgetTools } from './widget-tools.ts'

export const askEmbedded: Handler<'embed.ask'> = async ({ deps, visitor, signal }, { session, question, tool }) => {
  const { opened, configuration } = await findOpened(deps, session)
  const { address } = admitPage(visitor, configuration)
  const tools = widgetTools(configuration)
  const used = tool ? tools.find(({ name }) => name === tool) : tools[0]
  if (!used) throw new DocentError('embed_tool_not_enabled')
  const key = `embed ask:${configuration.id}`
  const who = opened.endUserId === null ? `from:${address}` : `by:${hashSecret(opened.endUserId)}`
  await takeOrRefuse(deps, { key: `${key} ${who}`, ...EMBED_LIMITS.questionsOfVisitor })
  await takeOrRefuse(deps, { key, ...EMBED_LIMITS.questionsOfConfiguration })
  const answer = await deps.prepareEmbedded({
    accountId: configuration.accountId,
    configurationId: configuration.id,
    endUserId: opened.endUserId,
    sources: readSetting('sources', configuration.sources),
    withPrivate: opened.attributionId !== null,
    tool: used.name,
    text: question,
  })
  return answerParts(answer, signal)
}

/** The session and its configuration. An inactive configuration ends its sessions. */
async function findOpened({ store, clock }: OperationDeps, session: string) {
  const isPlausible = isWellFormed('des_', session)
  const opened = isPlausible ? await findEmbedSession(store.read, hashSecret(session), clock()) : undefined
  const configuration = opened && (await findActiveConfiguration(store.read, opened.configurationId))
  if (!opened || !configuration) throw new DocentError('embed_session_ended')
  return { opened, configuration }
}

/** The first item goes out before the work begins, so that the widget can show that it was heard. */
async function* answerParts(
  answer: (signal: AbortSignal) => Promise<EmbeddedAnswer>,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  yield { type: 'begin' }
  try {
    const { citations, parts, confidence, followUps } = await answer(signal)
    for (const citation of citations) yield { type: 'citation', ...citation }
    for (const text of parts) yield { type: 'text', text }
    yield { type: 'end', confidence, followUps }
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = toDocentError(error)
    if (code === 'internal') throw error
    yield { type: 'error', message }
  }
}

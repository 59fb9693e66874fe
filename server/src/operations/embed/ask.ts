import { EMBED_LIMITS } from '@docent/contract/operations/embed'
import { readSetting } from '@docent/contract/values/setting-texts'
import { DocentError } from '#errors.ts'
import type { Handler } from '../operation.ts'
import { enforceRateLimit } from '#operations/enforce-rate-limit.ts'
import { answerParts } from './answer-parts.ts'
import { findOpened } from './find-opened.ts'
import { widgetTools } from './widget-tools.ts'

export const askEmbedded: Handler<'embed.ask'> = async ({ deps, visitor, signal }, { session, question, tool }) => {
  const { opened, configuration, who } = await findOpened(deps, visitor, session)
  const tools = widgetTools(configuration)
  const used = tool ? tools.find(({ name }) => name === tool) : tools[0]
  if (!used) throw new DocentError('embed_tool_not_enabled')
  const key = `embed ask:${configuration.id}`
  await enforceRateLimit(deps, { key: `${key} ${who}`, ...EMBED_LIMITS.questionsOfVisitor })
  await enforceRateLimit(deps, { key, ...EMBED_LIMITS.questionsOfConfiguration })
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

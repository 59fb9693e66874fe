import { readSetting } from '@docent/contract/values/setting-texts'
import { answerParts } from '../embed/answer-parts.ts'
import type { Handler } from '../operation.ts'

export const tryConfiguration: Handler<'configurations.try'> = async (
  { deps, actor, signal },
  { sources, tool, question },
) => {
  const { accountId } = actor
  const answer = await deps.tryEmbedded({
    accountId,
    // Trials of an account share one joined server, which changes with the chosen sources.
    configurationId: `trial of ${accountId}`,
    endUserId: null,
    sources: readSetting('sources', sources ?? '[]'),
    withPrivate: false,
    tool,
    text: question,
  })
  return answerParts(answer, signal)
}

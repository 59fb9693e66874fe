import type { Request } from './read-prompt.ts'
import type { Survey, Trial } from './survey.ts'

/** Example requests for messages, which work on most documentation. */
const SUGGESTION = 'such as “Look up a setting by its name and explain what it does” or “Show code examples for a task”'

/** Share of the words of a topic that the sources may lack. Some words of a request are about the tool. */
const MOST_UNKNOWN = 0.6

/** The refusal of a request that no tool can carry out. */
export function actionProblem(action: string): string {
  return `A custom tool only looks things up in indexed sources, so it cannot ${action}. Describe what it should look up, ${SUGGESTION}.`
}

/** Why no tool can be made for a request from this content, as a sentence that says what to write instead; or null. */
export function contentProblem({ kind, products }: Request, survey: Survey): string | null {
  const { pages, unknownWords, words, has, languages } = survey
  if (pages === 0)
    return 'The sources have no indexed pages yet. Wait until they are indexed, then send the request again.'
  if (kind === 'issues' && !has.issues)
    return 'The sources have no issues. Add the repository of the project (type repo), whose issues are read, or ask for a tool that searches the documentation.'
  if (kind === 'changes' && !has.changes)
    return 'The sources have no changelog, release notes or migration guide. Add the repository of the project (type repo), or ask for a tool that searches the documentation.'
  if (kind === 'examples' && languages.length === 0)
    return 'The sources contain no code. Ask for a tool that explains, looks up or summarises instead.'
  const unknown = products.filter((product) => unknownWords.includes(product.toLowerCase()))
  if (products.length > 0 && unknown.length === products.length)
    return `The sources say nothing about ${listed(unknown)}. Add a source about ${unknown.length === 1 ? 'it' : 'them'}, or describe the tool with words that the sources use.`
  if (words > 0 && unknownWords.length / words > MOST_UNKNOWN)
    return `The sources say nothing about ${listed(unknownWords)}. Describe the tool with words that they use, ${SUGGESTION}.`
  return null
}

/** Why trial calls show that a plan does not work; or null. Half of the calls must find something about their input. */
export function trialProblem(trials: readonly Trial[]): string | null {
  const good = trials.filter(({ isRelevant }) => isRelevant).length
  if (trials.length > 0 && good * 2 >= trials.length) return null
  const [failed] = trials.filter(({ isRelevant }) => !isRelevant)
  const input = Object.values(failed?.input ?? {}).join(', ')
  const said = failed?.refusal ?? null
  const what =
    failed === undefined
      ? 'There was nothing to try the tool with'
      : `A trial call with “${input.slice(0, 120)}” found nothing about it`
  return `${what}.${said === null ? '' : ` It said: ${said}`} Say more precisely what the tool should look up and where, ${SUGGESTION}.`
}

function listed(words: readonly string[]): string {
  return words
    .slice(0, 4)
    .map((word) => `“${word}”`)
    .join(', ')
}

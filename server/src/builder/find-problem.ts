import type { Request } from './read-prompt.ts'
import type { Survey, Trial } from './survey.ts'
import { lengthAt, phrases, type Word, wordsOf } from './words.ts'

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

/** Verbs that change something outside of Docent, or watch it. A tool only reads. */
const ACTIONS = phrases(
  'send|sends|email|e-mail|emails|notify|notifies|alert|alerts|post|posts|publish|publishes|tweet|upload|uploads|delete|deletes|remove|removes|drop|drops|insert|inserts|deploy|deploys|restart|restarts|execute|executes|run|runs|schedule|schedules|book|books|buy|buys|order|orders|pay|pays|translate|translates|merge|merges|commit|commits|close|closes|assign|assigns|monitor|monitors|watch|watches|subscribe|subscribes|sende|sendet|schicke|schickt|lösche|löscht|veröffentliche|führe|übersetze|envoie|envoyer|publie|publier|supprime|traduis|exécute|envía|enviar|publica|borra|traduce|ejecuta',
)

/** Verbs that make something: an action unless they make an answer. */
const MAKERS = phrases(
  'create|creates|make|makes|open|opens|file|files|write|writes|add|adds|update|updates|generate|generates|raise|raises|erstelle|erstellt|crée|créer|crea|crear',
)
const MADE_ELSEWHERE = phrases(
  'ticket|tickets|issue|issues|pull request|pull requests|pr|merge request|merge requests|branch|branches|commit|meeting|meetings|appointment*|email|emails|e-mail|tweet|tweets|file|files|repository|repositories|user|users|account|accounts|row|rows|record|records|database|spreadsheet|reminder*|invoice*|wiki',
)
/** Maximum words between a verb of making and its object. */
const OBJECT = 5

/** Openings of a request before its verb. */
const LEADS = phrases(
  'please|can you|could you|i want it to|i want you to|i want to|i need to|i would like to|a tool that|a tool which|a tool to|the tool that|this tool|make a tool that|build a tool that|create a tool that|write a tool that|i want a tool that|i need a tool that|i want a tool to|i need a tool to|it should|automatically|then|bitte|ein werkzeug das|un outil qui|una herramienta que|can|should|will',
)

/** An action in the request that no tool can do, as in "send an email …", or null. */
export function findAction(prompt: string): string | null {
  const found = clausesOf(prompt).map((clause) => ({ clause, words: verbFirst(wordsOf(clause)) }))
  const action = found.find(({ words }) => lengthAt(words, 0, ACTIONS) > 0 || makesElsewhere(words))
  return action === undefined ? null : shorten(action.clause.slice(action.words[0]?.start ?? 0))
}

/** The parts of the first sentence that begin with a verb. The first sentence decides the kind of tool. */
function clausesOf(prompt: string): string[] {
  const [first = ''] = prompt.split(/[.!?](?:\s|$)|\n/)
  return first.split(/\band then\b|;/i)
}

function verbFirst(words: readonly Word[]): readonly Word[] {
  const skipped = lengthAt(words, 0, LEADS)
  return skipped === 0 ? words : verbFirst(words.slice(skipped))
}

function makesElsewhere(words: readonly Word[]): boolean {
  if (lengthAt(words, 0, MAKERS) === 0) return false
  return words.slice(1, OBJECT).some((_, index) => lengthAt(words, index + 1, MADE_ELSEWHERE) > 0)
}

const MOST = 60

function shorten(clause: string): string {
  const text = clause.trim()
  if (text.length <= MOST) return text.charAt(0).toLowerCase() + text.slice(1)
  const cut = text.slice(0, MOST)
  return `${cut.charAt(0).toLowerCase()}${cut.slice(1, cut.lastIndexOf(' '))} …`
}

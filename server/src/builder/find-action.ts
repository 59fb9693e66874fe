import { lengthAt, phrases, type Word, wordsOf } from './words.ts'

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

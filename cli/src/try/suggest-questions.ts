import { askQuestion } from './ask-question.ts'
import type { DocentApi } from './docent-api.ts'

/** Common topics of documentation, whose search results have headings worth a question. */
const PROBES = [
  'install',
  'create and add',
  'configure, change or set an option',
  'use an example',
  'run, build and deploy',
  'errors and troubleshooting',
  'overview',
]
const CANDIDATES = 15
const SUGGESTED = 3

/** Three questions from the server's own headings, each checked to have a good answer. */
export async function suggestQuestions(api: DocentApi, slug: string, signal: AbortSignal): Promise<string[]> {
  const found = await Promise.all(PROBES.map((query) => api.callTool(slug, 'search_docs', { query, limit: 5 }, signal)))
  const headings = found.flatMap(({ passages }) =>
    passages.map(({ title, heading }) => heading.split(' › ').at(-1) || title),
  )
  const candidates = [...new Set(headings.flatMap((heading) => toQuestion(heading) ?? []))].slice(0, CANDIDATES)
  const answered = await Promise.all(
    candidates.map(async (question) => {
      const { confidence } = await askQuestion(api, slug, question, signal)
      return { question, rank: ['high', 'medium'].indexOf(confidence) }
    }),
  )
  const good = answered.filter(({ rank }) => rank >= 0).toSorted((a, b) => a.rank - b.rank)
  return good.slice(0, SUGGESTED).map(({ question }) => question)
}

/** A heading as a question, or null if it says too little. */
export function toQuestion(heading: string): string | null {
  const plain = heading.replace(SYMBOLS, '').replace(/\s+/g, ' ').replace(NUMBERING, '').trim()
  if (SIGNATURE.test(plain)) return null
  // Manual pages have section headings in capitals.
  const text = /^[A-Z][A-Z ]+$/.test(plain) && plain.slice(1, -1).includes(' ') ? plain.toLowerCase() : plain
  if (text.length < 4 || text.length > 60 || /^[\d.\s]+$/.test(text)) return null
  if (text.endsWith('?')) return text
  const asked = fromQuestionWord(text)
  if (asked !== null) return asked
  const howTo = /^how to (.+)$/i.exec(text)?.[1]
  if (howTo) return `How do I ${howTo}?`
  const [first = '', ...rest] = text.split(' ')
  const isImperative = BEFORE_NOUN.test(rest[0] ?? '') || PLAIN_VERB.test(first)
  const verb = GERUNDS.get(first.toLowerCase()) ?? (isImperative ? IMPERATIVES.get(first) : undefined)
  if (verb && rest.length > 0) return `How do I ${verb} ${rest.join(' ').replace(/\byour\b/g, 'my')}?`
  if (rest.length === 0 || COMMONPLACE.test(text) || CIRCUMSTANCE.test(text)) return null
  // Names keep their capitals: `HTTP headers`, `Docker Compose`.
  const isSentence = /^\p{Lu}[\p{Ll}-]*$/u.test(first) && !/\p{Lu}/u.test(rest.join(' '))
  const topic = isSentence || ARTICLE.test(first) ? `${first.toLowerCase()} ${rest.join(' ')}` : text
  return `What do I need to know about ${topic}?`
}

/** `What a tool can do` → `What can a tool do?`. Null without a question word, and for `How to …`. */
function fromQuestionWord(text: string): string | null {
  const [word = '', next = '', ...rest] = text.split(' ')
  if (!QUESTION_WORD.test(word) || next === '' || next === 'to') return null
  const isQuestion = AUXILIARY.test(next) || (SUBJECT_WORD.test(word) ? !DETERMINER.test(next) : MEASURE.test(next))
  if (isQuestion) return `${text}?`
  const at = rest.findIndex((one) => MODAL.test(one))
  if (at >= 0) return `${[word, rest[at], next, ...rest.slice(0, at), ...rest.slice(at + 1)].join(' ')}?`
  return `What do I need to know about ${word.toLowerCase()} ${[next, ...rest].join(' ')}?`
}

const QUESTION_WORD = /^(what|why|how|which|who|where)$/i
/** Question words that can be the subject: `What makes a server private?` */
const SUBJECT_WORD = /^(what|which|who)$/i
const AUXILIARY = /^(is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had)$/i
const MODAL = /^(can|could|may|must|should|will|would)$/i
const DETERMINER = /^(an?|the|this|these|that|each|every|your?|it|we|i|they)$/i
/** `How many pages fit?` */
const MEASURE = /^(many|much|long|often|far|big|fast)$/i

/** Formatting, and signs such as ☞ that decorate a heading. */
const SYMBOLS = /[`*_]|\p{So}/gu

/** Section numbers: `4.2. Tanks`, `(3) Why is it slow?`. */
const NUMBERING = /^(?:\(\d+\)|\d+(?:\.\d+)*\.)\s+/

/** Options, signatures, and names with descriptions: they make no natural question. */
const SIGNATURE = /^-|\s--|[;=<>{}|]|\w\(|\s—\s/

/** Headings common to all documentation, which make no natural question. */
const COMMONPLACE =
  /^(getting started|next steps?|see also|table of contents|release notes|learn more|further reading)/i

/** Headings that only state a time or place. */
const CIRCUMSTANCE = /^(when|if|while|before|after|with|without|for|from|to|in|on|at|by|as|about|under) /i

/** First words of how-to headings, with the verb for the question. */
const GERUNDS: ReadonlyMap<string, string> = new Map([
  ['adding', 'add'],
  ['building', 'build'],
  ['calling', 'call'],
  ['changing', 'change'],
  ['configuring', 'configure'],
  ['connecting', 'connect'],
  ['creating', 'create'],
  ['customizing', 'customize'],
  ['debugging', 'debug'],
  ['defining', 'define'],
  ['deploying', 'deploy'],
  ['enabling', 'enable'],
  ['extending', 'extend'],
  ['handling', 'handle'],
  ['importing', 'import'],
  ['installing', 'install'],
  ['loading', 'load'],
  ['managing', 'manage'],
  ['migrating', 'migrate'],
  ['optimizing', 'optimize'],
  ['passing', 'pass'],
  ['publishing', 'publish'],
  ['reading', 'read'],
  ['running', 'run'],
  ['securing', 'secure'],
  ['serving', 'serve'],
  ['setting', 'set'],
  ['testing', 'test'],
  ['troubleshooting', 'troubleshoot'],
  ['updating', 'update'],
  ['upgrading', 'upgrade'],
  ['using', 'use'],
  ['validating', 'validate'],
  ['writing', 'write'],
])

const ARTICLE = /^(the|an?)$/i
const BEFORE_NOUN = /^(the|an?|your)$/i

/** Verbs that are no nouns: "Add reading time". After others an article must follow: "Test runner" is no instruction. */
const PLAIN_VERB =
  /^(add|configure|connect|create|customize|define|deploy|enable|extend|install|migrate|optimize|publish|validate|write)$/i

/** First words of headings such as "Connect a client". */
const IMPERATIVES: ReadonlyMap<string, string> = new Map(
  [...GERUNDS.values()].map((verb) => [verb.slice(0, 1).toUpperCase() + verb.slice(1), verb]),
)

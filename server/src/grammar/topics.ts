import everyday from '#lib/text/everyday-words.json' with { type: 'json' }
import { fold } from './tokenise.ts'

/** Words before a topic that do not change it: HTTP endpoints are endpoints. */
const PLAIN = new Set(['http', 'https', 'rest', 'api', 'web', 'any', 'certain', 'specific', 'particular', 'general'])
/** Letters that a form of a word can have more than another one: value, values. */
const ENDING = 2
/** Letters of the shortest phrase that can have another ending. */
const LEAST = 4

type Group = Readonly<Record<string, string>>
/**
 * Creates a search for what a topic is called in everyday words: `how large`, `maximum size`. The words come from
 * `everyday-words.json`, in the languages of the topic and in English, because many questions are.
 */
export function createTopics(): { expand: (topic: string, language: string) => string[] | null } {
  const groups = Object.values(everyday as Record<string, Group>)
  const known = new Map<string, { group: Group; language: string }[]>()
  for (const group of groups)
    for (const [language, phrases] of Object.entries(group))
      for (const phrase of phrases.split('|')) {
        const key = keyOf(phrase)
        known.set(key, [...(known.get(key) ?? []), { group, language }])
      }
  const find = (key: string) => known.get(key) ?? formOf(key, known)
  return {
    expand(topic, language) {
      const key = keyOf(topic)
      const words = key.split(' ')
      const first = words.findIndex((word) => !PLAIN.has(word))
      const found = find(key) ?? (first > 0 ? find(words.slice(first).join(' ')) : undefined)
      if (found === undefined) return null
      const own = found.filter((one) => one.language === language)
      const terms = (own.length > 0 ? own : found).flatMap((one) =>
        [one.group[one.language], one.group['en']].flatMap((list) => list?.split('|') ?? []),
      )
      return [...new Set(terms.map((term) => term.toLowerCase()))]
    },
  }
}

const keyOf = (text: string): string =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')

/** A known phrase whose last word has another ending. */
function formOf<T>(key: string, known: ReadonlyMap<string, T>): T | undefined {
  for (let cut = 1; cut <= ENDING; cut++) {
    const isWord = key.length - cut >= LEAST && /^\p{L}+$/u.test(key.slice(-cut))
    const found = isWord ? known.get(key.slice(0, -cut)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Frequent words that tell apart the languages of the Latin script. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'the a is are how do does what which when where why can i my to of in for and with not',
  de: 'der die das ist sind wie was wann wo warum kann ich mein zu von im für und mit nicht ein eine einen welche',
  fr: 'le la les est sont comment quel quelle quand où pourquoi je mon de du des dans pour et avec pas un une puis',
  es: 'el la los las es son cómo como qué que cuándo dónde por puedo mi de del en para y con no un una se',
  pt: 'o a os as é são como que quando onde posso meu de do da em para e com não um uma por se',
  it: 'il lo la gli le è sono come che cosa quando dove perché posso mio di del della in per e con non un una si',
  nl: 'de het een is zijn hoe wat wanneer waar waarom kan ik mijn van in voor en met niet welke',
}
const LISTS = Object.entries(WORDS).map(([language, words]) => ({ language, words: new Set(words.split(' ')) }))

const SCRIPTS: readonly [language: string, letters: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['ar', /\p{Script=Arabic}/u],
]

/** ISO 639-1 code of the language of a question, or null if its words do not tell. */
export function questionLanguage(question: string): string | null {
  const script = SCRIPTS.find(([, letters]) => letters.test(question))
  if (script) return script[0]
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? []
  const counted = LISTS.map(({ language, words: known }) => ({
    language,
    count: words.reduce((sum, word) => sum + (known.has(word) ? 1 : 0), 0),
  })).sort((a, b) => b.count - a.count)
  const [first, second] = counted
  return first && second && first.count > second.count ? first.language : null
}

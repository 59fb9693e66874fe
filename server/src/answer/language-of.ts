/** Frequent function words of the Latin-script languages that the index stems, by ISO 639-1 code. */
const FUNCTION_WORDS: Record<string, string> = {
  en: 'the of and to is in that for it with as on are this be by an or from you can',
  da: 'og det at en den til er som på de med af for ikke der var har et fra kan',
  de: 'der die das und ist in zu den von mit nicht ein eine auf für im des dem sich werden wird',
  es: 'de la que el en y los del se las por un para con no una su al es lo como',
  fi: 'ja on ei se että oli hän joka mutta myös kun tai sen niin kuin ovat',
  fr: 'de la le et les des en un une du est dans qui que pour par sur pas au avec ce sont',
  hu: 'a az és hogy nem egy is ez meg van csak volt mint de kell vagy',
  it: 'di e il la che in un per è del non una sono con le si da dei come gli della',
  nl: 'de het een van en in is dat op te zijn met voor niet er aan door om worden wordt',
  no: 'og i det på som er en til å for av at med ikke den har de et om fra var',
  pt: 'de a o que e do da em um para com não uma os no se na por mais as dos são',
  ro: 'de și în la a cu pe nu că un o este din pentru care sunt mai sau prin',
  sv: 'och i att det som en på är av för med den till inte om ett de har kan från',
  tr: 've bir bu için ile da de olarak daha en olan çok gibi kadar ancak veya',
}

const LANGUAGES = Object.entries(FUNCTION_WORDS).map(([code, words]) => [code, new Set(words.split(' '))] as const)

/** Enough text to decide. */
const WORDS = 200
/** Minimum share of function words. Prose has 0.2 to 0.4, tables and code less than 0.1. */
const LEAST = 0.12

/** Function words of a text. One or two can be names. */
const LEAST_WORDS = 3

/** The language with the most function words in a text. Null if there are few, as among names and numbers. */
export function languageOf(text: string, least = LEAST_WORDS): string | null {
  const words =
    text
      .toLowerCase()
      .match(/\p{L}+/gu)
      ?.slice(0, WORDS) ?? []
  let best: { code: string | null; count: number } = { code: null, count: Math.max(least - 1, LEAST * words.length) }
  for (const [code, known] of LANGUAGES) {
    const count = words.filter((word) => known.has(word)).length
    if (count > best.count) best = { code, count }
  }
  return best.code
}

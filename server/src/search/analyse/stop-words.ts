/**
 * Words without content in a question. Dropped from queries but never from the index, so that a query for `if` or `has`
 * alone still works.
 */
const ENGLISH =
  `a an the and or but if then than so of in on at to from for with by as into about is are was were be been being am do does did
  can could may might must should would will shall has have had having i you he she it we they me my your our their its
  this that these those there here what which who whom whose when where why how any some all not no please use used using
  want need way get make work`.split(/\s+/)

const stopWords = new Set(ENGLISH)

export function isStopWord(word: string): boolean {
  return stopWords.has(word.toLowerCase())
}

/** Words without a subject, by language. A word may be in several lists. */
const LISTS = [
  // German
  `aber als am an auch auf aus bei beim bis da dann darf das dass dem den der des die dies diese diesem diesen dieser dieses
  doch dort du durch ein eine einem einen einer eines er es für gegen hat hatte hier ich ihr ihre im in ins ist kann kein
  keine können man mein mit muss müssen nach nicht noch nur oder ohne schon sein sich sie sind so soll sollen um und unter
  viel viele vom von vor wann war waren warum was welche welchem welchen welcher welches wem wen wenn wer werden wessen wie
  wieso wieviel wir wird wo womit wurde wurden zu zum zur über`,
  // French
  `a au aux avec ce ces cet cette combien comment dans de des dont du elle elles en est et faire fait il ils je l la le les
  leur ma mais mes mon ne nous on ont ou où par pas peut peuvent plus pour pourquoi quand que quel quelle quelles quels qui
  quoi sa sans se ses si son sont sous sur tu un une vous y à était être`,
  // Spanish
  `al como con cuál cuáles cuando cuándo cuánto cuántos cómo de del donde dónde el ella en era es esa ese esta estas este
  estos está están fue ha han hay la las le les lo los me mi más no nosotros o para pero por puede puedo que quién quiénes
  qué se ser si sin sobre son su sus un una unas unos y yo él`,
  // Italian
  `ai al alla che chi ci come con cosa da dal dalla dei del della delle dello di dove e era essere fra gli ha hanno i il in la
  le lo ma mi nel nella non o per perché posso può quale quali quando quanti quanto questa queste questi questo se si sono
  su sul sulla tra un una uno è`,
  // Portuguese
  `a ao as com como da das de do dos e ela ele em era essa esse esta este eu foi há isso mais mas na nas no nos não o onde os
  ou para pode por porque posso quais qual quando quantos quanto que quem se sem ser seu sobre sua são tem um uma à é`,
  // Dutch
  `aan als bij dan dat de deze die dit door een en er geen heeft hebben het hij hoe hoeveel ik in is je jij kan kunnen maar
  mag met moet naar niet nog of om ook op over te uit van voor waar waarom waren was wanneer wat we welke werd wie wij
  worden wordt zij ze zijn zonder`,
].map((list) => new Set(list.trim().split(/\s+/)))

/** One word can also be a word of another language, but two rarely are. */
const LEAST = 2

/**
 * Function words of the question's language, in lower case, if it is one of the listed languages and not English.
 * Pages rarely contain the question words (`welche`, `combien`), so rarity alone would make them important.
 */
export function functionWordsOf(words: readonly string[]): ReadonlySet<string> {
  const lower = [...new Set(words.map((word) => word.toLowerCase()))]
  let best: ReadonlySet<string> = new Set()
  let most = Math.max(LEAST - 1, lower.filter(isStopWord).length)
  for (const list of LISTS) {
    const count = lower.filter((word) => list.has(word)).length
    if (count <= most) continue
    most = count
    best = list
  }
  return best
}

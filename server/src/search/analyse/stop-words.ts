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

/**
 * Words of a question that say nothing about its subject. They are dropped when asking, never when indexing, so that
 * `if` or `has` can still be asked for by themselves.
 */
const ENGLISH =
  `a about all also am an and any are as at be because been before being but by can cannot could did do does doing done
  each either else ever every for from get gets getting give gives go goes got had has have having he her here him his
  how however i if in into is it its itself just let like made make makes many may me might more most much must my need
  needed needs no not now of off on one only or other our out over own per please possible same shall she should so some
  someone something such than that the their them then there these they thing things this those through to too try
  trying under until up us use used uses using very via want wanted wants was way ways we well were what when where
  whether which while who whom whose why will with within without would yet you your`.split(/\s+/)

const stopWords = new Set(ENGLISH)

export function isStopWord(word: string): boolean {
  return stopWords.has(word.toLowerCase())
}

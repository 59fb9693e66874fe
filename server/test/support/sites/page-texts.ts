import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../../../bench/src/lib/typo.ts'

/** Members of web interfaces in TypeScript's DOM declarations, with their doc comments. */
const MEMBER = /^(?:interface|declare var) (\w+)|\/\*\*\n((?: +\* .*\n| +\*\n)+) +\*\/\n +([^\n]+)/gm

/** Pages of an API reference in Markdown: one template, each page about a different member; at most 2,900. */
export function referencePages(count: number): { name: string; text: string }[] {
  const [file] = globSync(
    join(import.meta.dirname, '../../../../node_modules/@typescript/typescript-*/lib/lib.dom.d.ts'),
  )
  const pages = new Map<string, string>()
  let owner = ''
  for (const [, name, comment = '', declaration = ''] of readFileSync(file ?? '', 'utf8').matchAll(MEMBER)) {
    if (name !== undefined) owner = name
    else {
      const member = `${owner}.${/\w+(?=[?(:<])/.exec(declaration)?.[0] ?? declaration}`
      const text = comment.replaceAll(/^ +\* ?/gm, '').replaceAll(/\[MDN Reference\]\([^)]*\)/g, '')
      const code = '```\n' + declaration + '\n```'
      pages.set(member, `Interface ${owner}\n\n${code}\n\n${text}\n\nSupported by all browsers since they have it.`)
    }
  }
  if (pages.size < count) throw new Error(`The declarations have ${pages.size} members alone.`)
  return [...pages].slice(0, count).map(([name, text]) => ({ name, text }))
}

const MADE_UP = {
  letters: Number.POSITIVE_INFINITY,
  'list of 20': 20,
  'list of 200': 200,
  'list of 2000': 2_000,
  frequencies: 5_000,
  template: 300,
}
export type RandomText = keyof typeof MADE_UP

const random = seededRandom(404)
const pick = (from: string) => [...from][random([...from].length)] ?? ''
const wordOf = (from: string, length: number) => Array.from({ length }, () => pick(from)).join('')
const code = () => wordOf('abcdefghijklmnopqrstuvwxyz0123456789', 8)
const month = () => ['January', 'March', 'May', 'August', 'October', 'December'][random(6)] ?? ''
const date = () => `${1990 + random(40)}-${10 + random(3)}-${10 + random(19)}`
const some = (count: number, make: () => string) => () => Array.from({ length: count }, make).join(' ')

/** Texts of traps that answer every address: words with digits, other alphabets, dates and hashes. */
export const TRAP_TEXTS: Record<string, () => string> = {
  'soft 404': () => `The page ${code()} does not exist. Perhaps ${code()} or ${code()}.`,
  'short soft 404': () => `Page ${code()} not found.`,
  'words with digits': some(100, code),
  hashes: some(10, () => wordOf('0123456789abcdef', 40)),
  'ISO dates': some(30, date),
  dates: some(10, () => `${1 + random(28)} ${month()} ${1990 + random(40)} at ${random(24)}:15`),
  'one date': () => `There are no events on ${month()} ${1 + random(28)}. Come back in ${1990 + random(40)}.`,
  Cyrillic: some(60, () => wordOf('абвгдежзийклмнопрстуфхцчшщъыьэюя', 7)),
  'Arabic with digits': some(60, () => wordOf('ابتثجحخدذرزسشصضطظعغفقكلمنهوي٠١٢٣٤٥٦٧٨٩', 6)),
  Han: some(60, () => String.fromCodePoint(0x4e00 + random(3_000), 0x4e00 + random(3_000))),
}

/** Generates a different text of about a hundred random words at each call, the same in every run. */
export function randomTexts(kind: RandomText): () => string {
  const random = seededRandom(MADE_UP[kind] + 7)
  const make = () => Array.from({ length: 3 + random(7) }, () => String.fromCodePoint(97 + random(26))).join('')
  const list = Array.from({ length: Math.min(MADE_UP[kind], 5_000) }, make)
  // Zipf distribution: rank frequencies of 1, 1/2, 1/3 and so on.
  const rank = () => Math.floor(Math.exp((random(1_000_000) / 1_000_000) * Math.log(list.length)))
  const word = () => {
    if (kind === 'letters') return make()
    return list[kind === 'frequencies' ? rank() : random(list.length)] ?? ''
  }
  if (kind !== 'template') return () => `${Array.from({ length: 100 }, word).join(' ')}.`
  return () =>
    `The ${word()} of the ${word()} is used to ${word()} a ${word()} when the ${word()} has been ${word()}. It returns the ${word()}, or throws ${word()} where the ${word()} is not valid. By default the ${word()} is ${word()}. See also ${word()} for more about ${word()} and ${word()}.`
}

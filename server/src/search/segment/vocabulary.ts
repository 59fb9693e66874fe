import { scanWords } from '#search/analyse/scan-words.ts'
import { createWordAnalyser, type WordAnalyser, wordOrder } from '#search/analyse/word-analyser.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import { hashText, openingMark } from './hashes.ts'

/** A word with numbers of its terms. `term` is -1 for an unindexed word. */
export type CountedWord = {
  term: number
  joined: readonly number[]
  parts: readonly number[]
  /** Terms for word order: those of its plain words; none for a stop word. */
  order: readonly number[]
  /** `openingMark` of the word. */
  opening: number
  /** Number of content words: 0 for `the`, 2 for `path.join`. */
  telling: number
  /** False for names: words with a capital, a digit or a sign. */
  isPlain: boolean
}

const FORM = /^[a-z]{4,}$/
const NAME = /[^\p{Ll}\p{Lo}\p{M}]/u

/** Terms of a segment under construction, numbered in the order of first occurrence. */
export class Vocabulary {
  readonly #ids = new Map<string, number>()
  readonly #analysers = new Map<string, { analyse: WordAnalyser; memo: WordMemo }>()
  /** Two 32-bit hashes of each term. */
  readonly hashes: number[] = []
  /** Written forms that differ from their terms, for spelling correction. */
  readonly forms = new Set<string>()

  terms(): string[] {
    return [...this.#ids.keys()]
  }

  /** Number of a known term, or -1. */
  find(term: string): number {
    return this.#ids.get(term) ?? -1
  }

  #id(term: string): number {
    const known = this.#ids.get(term)
    if (known !== undefined) return known
    const id = this.#ids.size
    this.#ids.set(term, id)
    this.hashes.push(hashText(term, 0), hashText(term, 1))
    return id
  }

  /** Calls `onWord` for each word of a text in the given language. */
  scan(
    language: string | null,
    text: string,
    [start, end]: readonly [number, number],
    onWord: (word: CountedWord) => void,
  ): void {
    const { analyse, memo } = this.#analyser(language)
    scanWords(text, start, end, (from, to) =>
      onWord(memo.find(text, from, to) ?? memo.add(text.slice(from, to), (raw) => this.#count(raw, analyse))),
    )
  }

  #analyser(language: string | null) {
    const key = language ?? ''
    let known = this.#analysers.get(key)
    if (known === undefined) {
      known = { analyse: createWordAnalyser(language, 1), memo: new WordMemo() }
      this.#analysers.set(key, known)
    }
    return known
  }

  #count(raw: string, analyse: WordAnalyser): CountedWord {
    const word = analyse(raw)
    const { term, joined, words, parts } = word
    const form = raw.toLowerCase()
    if (term !== '' && form !== term && FORM.test(form)) this.forms.add(form)
    const ids = (terms: readonly string[]) => terms.map((one) => this.#id(one))
    return {
      term: term === '' ? -1 : this.#id(term),
      joined: ids(joined),
      parts: ids(parts),
      order: isStopWord(raw) ? [] : ids(wordOrder(word)),
      opening: openingMark(form),
      telling: isStopWord(raw) ? 0 : Math.max(1, words.length),
      isPlain: term !== '' && !NAME.test(raw),
    }
  }
}

/** Slots of a memo, a power of two. */
const MEMO_SLOTS = 1 << 18
/** Words of a memo, of which an index of a large site fills some. It is emptied when full. */
const MEMO_SIZE = 100_000

/** Counted words by how they are written. A look-up in a text makes no string: most words of a text are known. */
class WordMemo {
  readonly #slots = new Int32Array(MEMO_SLOTS)
  #raws: string[] = []
  #hashes: number[] = []
  #words: CountedWord[] = []
  /** Slot of the last look-up. */
  #slot = 0
  #hash = 0

  /** The word at an offset of a text. */
  find(text: string, from: number, to: number): CountedWord | undefined {
    let hash = 0x811c9dc5
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    let slot = (hash ^ (hash >>> 15)) & (MEMO_SLOTS - 1)
    for (let number = this.#slots[slot]; number > 0; number = this.#slots[slot]) {
      const raw = this.#raws[number - 1] ?? ''
      if (this.#hashes[number - 1] === hash && raw.length === to - from && isAt(text, from, raw))
        return this.#words[number - 1]
      slot = (slot + 1) & (MEMO_SLOTS - 1)
    }
    this.#slot = slot
    this.#hash = hash
    return undefined
  }

  /** Adds the word that the last call of `find` did not find. */
  add(raw: string, count: (raw: string) => CountedWord): CountedWord {
    if (this.#words.length >= MEMO_SIZE) {
      this.#slots.fill(0)
      this.#raws = []
      this.#hashes = []
      this.#words = []
    }
    const word = count(raw)
    this.#raws.push(raw)
    this.#hashes.push(this.#hash)
    this.#slots[this.#slot] = this.#words.push(word)
    return word
  }
}

function isAt(text: string, from: number, word: string): boolean {
  for (let at = 0; at < word.length; at++) if (text.charCodeAt(from + at) !== word.charCodeAt(at)) return false
  return true
}

/** Term counts of a chunk or a page, in one array with `width` counters for each term of the segment. */
export class TermCounts {
  readonly #width: number
  #counts: Uint16Array
  /** Distinct counted terms, in the order of first occurrence. */
  readonly touched: number[] = []

  constructor(width: number) {
    this.#width = width
    this.#counts = new Uint16Array(width << 12)
  }

  add(term: number, counter: number, by = 1): void {
    const at = term * this.#width
    if (at >= this.#counts.length) this.#grow(at)
    if (this.#counts[at] === 0) {
      // Counter 0 is reserved: it marks a term as touched.
      this.#counts[at] = 1
      this.touched.push(term)
    }
    this.#counts[at + counter] += by
  }

  /** `counter` starts at 1. */
  get(term: number, counter: number): number {
    return this.#counts[term * this.#width + counter]
  }

  /** Raises the counter to at least `value`. */
  raise(term: number, counter: number, value: number): void {
    const now = this.get(term, counter)
    if (now < value) this.add(term, counter, value - now)
  }

  clear(): void {
    // A call of `fill` takes longer than these few numbers.
    for (const term of this.touched)
      for (let at = term * this.#width, end = at + this.#width; at < end; at++) this.#counts[at] = 0
    this.touched.length = 0
  }

  #grow(index: number): void {
    const larger = new Uint16Array(Math.max(this.#counts.length * 2, index + this.#width))
    larger.set(this.#counts)
    this.#counts = larger
  }
}

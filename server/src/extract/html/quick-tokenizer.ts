import { Tokenizer } from 'htmlparser2'
import names from './names.json' with { type: 'json' }

/** What a subclass needs of the library's tokenizer, whose types hide it. Offsets count from the document's start. */
type Inside = {
  buffer: string
  /** Offset of the buffer. */
  offset: number
  index: number
  sectionStart: number
  state: number
  stateText(code: number): void
  cbs: {
    ontext(start: number, end: number): void
    onopentagname(start: number, end: number): void
    onopentagend(at: number): void
    onclosetag(start: number, end: number): void
    cbs: { onattribute(name: string, value: string): void }
  }
}

/** Attributes that some pass reads. Others are skipped, because a tag can have a million of them. */
export const ATTRIBUTES: ReadonlySet<string> = new Set(names.attributes)

const BEFORE_ATTRIBUTE = 8
const [TAB, LINE, SPACE, QUOTE, AMPERSAND, SLASH, LESS, EQUALS, GREATER] = [9, 10, 32, 34, 38, 47, 60, 61, 62]
/** First letters of elements whose content is no markup, such as `script`, and of some others. */
const SPECIAL = new Set(['if', 'no', 'pl', 'sc', 'st', 'te', 'ti', 'xm'].map((two) => pairOf(two, 0)))

const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122
const isSpace = (code: number) => code === SPACE || code === LINE || code === TAB || code === 12 || code === 13

/** 0 past the end: `NaN` would turn the comparisons of hot loops into those of floating-point numbers. */
function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0
}

function pairOf(text: string, at: number): number {
  return ((codeAt(text, at) | 32) << 8) | (codeAt(text, at + 1) | 32)
}

/**
 * Reads usual tags and texts in one step each, where the library's tokenizer takes one per character. Leaves all else to
 * it: entities, comments, attributes in other forms, and tags at the end of the buffer.
 */
export class QuickTokenizer extends (Tokenizer as unknown as new (...args: unknown[]) => Inside) {
  /** Called in the text of a document. Continues as long as it can. */
  override stateText(code: number): void {
    const { buffer, offset } = this
    for (let at = this.index - offset, next = code; ; next = codeAt(buffer, ++at)) {
      while (at < buffer.length && next !== LESS && next !== AMPERSAND) next = codeAt(buffer, ++at)
      this.index = Math.min(at, buffer.length - 1) + offset
      if (at >= buffer.length) return
      const end = next === LESS ? this.#tag(at) : -1
      if (end < 0) return super.stateText(next)
      if (end === 0) return
      at = end
    }
  }

  /**
   * Reads the tag at an index of the buffer, and the text before it. Returns the index of its end, 0 if the library has
   * to read the rest of its attributes, and -1 if it has to read the tag.
   */
  #tag(start: number): number {
    const { buffer, offset, cbs } = this
    const isClosing = codeAt(buffer, start + 1) === SLASH
    const from = start + (isClosing ? 2 : 1)
    if (!isLetter(codeAt(buffer, from)) || (!isClosing && SPECIAL.has(pairOf(buffer, from)))) return -1
    let at = from + 1
    let code = codeAt(buffer, at)
    while (at < buffer.length && code !== GREATER && code !== SLASH && !isSpace(code)) code = codeAt(buffer, ++at)
    if (at >= buffer.length || (isClosing && code !== GREATER)) return -1
    if (this.index > this.sectionStart) cbs.ontext(this.sectionStart, this.index)
    if (isClosing) cbs.onclosetag(from + offset, at + offset)
    else {
      cbs.onopentagname(from + offset, at + offset)
      while (code !== GREATER) {
        const next = isSpace(code) ? at + 1 : this.#attribute(at)
        if (next < 0) return this.#leave(at)
        at = next
        code = codeAt(buffer, at)
      }
      cbs.onopentagend(at + offset)
    }
    this.sectionStart = at + 1 + offset
    return at
  }

  /** Reads an attribute with a value in double quotes. Returns the index after it, or -1 for one in another form. */
  #attribute(start: number): number {
    const { buffer } = this
    let isLower = true
    let at = start
    let code = codeAt(buffer, at)
    for (; code !== EQUALS; code = codeAt(buffer, ++at)) {
      if (at >= buffer.length || code === GREATER || code === SLASH || isSpace(code)) return -1
      if (code >= 128 || (code >= 65 && code <= 90)) isLower = false
    }
    if (at === start || codeAt(buffer, at + 1) !== QUOTE) return -1
    const value = at + 2
    let end = value
    for (code = codeAt(buffer, end); code !== QUOTE; code = codeAt(buffer, ++end))
      if (end >= buffer.length || code === AMPERSAND) return -1
    const written = buffer.slice(start, at)
    const name = isLower ? written : written.toLowerCase()
    if (ATTRIBUTES.has(name)) this.cbs.cbs.onattribute(name, buffer.slice(value, end))
    return end + 1
  }

  /** Lets the library go on before the attribute at an index of the buffer. */
  #leave(at: number): 0 {
    this.state = BEFORE_ATTRIBUTE
    this.sectionStart = -1
    this.index = at - 1 + this.offset
    return 0
  }
}

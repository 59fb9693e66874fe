import names from './roff-names.json' with { type: 'json' }

type Names = Readonly<Record<string, string>>
/** Characters by their roff names, strings of macro packages, other escapes, and the marks of fonts. */
const CHARACTERS: Names = names.characters
const STRINGS: Names = names.strings
const ESCAPES: Names = names.escapes
const FONTS: Names = names.fonts
/** Escapes with an argument in quotes, of which nothing is shown. */
const QUOTED = new Set('hvwlLDXZbxoNASRC')

/** Converts the escapes of a roff line to Markdown, or to text if `plain` is set. Omits unknown escapes. */
export function roffText(line: string, plain = false): string {
  let text = ''
  /** Text in the open font. */
  let run = ''
  let mark = ''
  const font = (name: string) => {
    const next = plain ? '' : (FONTS[name] ?? '')
    if (next === mark) return
    text += marked(run, mark)
    run = ''
    mark = next
  }
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? ''
    if (sign !== '\\') {
      run += sign
      continue
    }
    const letter = line[++at] ?? ''
    if (letter === '"' || letter === '#') break
    if ('f*n(['.includes(letter) && letter !== '') {
      const { name, end } = nameAt(line, letter === '(' || letter === '[' ? at : at + 1)
      if (letter === 'f') font(name)
      else if (letter === '*') run += STRINGS[name] ?? ''
      else if (letter !== 'n') run += characterOf(name)
      at = end
    } else if ('smMk'.includes(letter) && letter !== '') {
      // A size or a colour: `+2`, `-1`, `(12`, `[red]`.
      const isSigned = line[at + 1] === '+' || line[at + 1] === '-'
      at = nameAt(line, isSigned ? at + 2 : at + 1).end
    } else if (QUOTED.has(letter) && line[at + 1] === "'") at = Math.max(at, line.indexOf("'", at + 2))
    else run += ESCAPES[letter] ?? ''
  }
  return text + marked(run, mark)
}

/** Encloses text in marks, without the spaces at its ends. */
function marked(text: string, mark: string): string {
  const core = text.trim()
  if (mark === '' || core === '') return text
  const lead = text.length - text.trimStart().length
  return `${text.slice(0, lead)}${mark}${core}${mark}${text.slice(lead + core.length)}`
}

/** Reads `x`, `(xx` or `[name]` at an offset. `end` is the offset of its last character. */
function nameAt(line: string, at: number): { name: string; end: number } {
  if (line[at] === '(') return { name: line.slice(at + 1, at + 3), end: at + 2 }
  if (line[at] !== '[') return { name: line[at] ?? '', end: at }
  const close = line.indexOf(']', at)
  return close < 0 ? { name: '', end: line.length } : { name: line.slice(at + 1, close), end: close }
}

function characterOf(name: string): string {
  const code = /^u([0-9A-F]{4,5})$/.exec(name)?.[1]
  return code === undefined ? (CHARACTERS[name] ?? '') : String.fromCodePoint(Number.parseInt(code, 16))
}

/** Splits the arguments of a macro. Quotes hold spaces together, and two quotes inside them are one. */
export function roffArguments(text: string): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length;) {
    while (text[at] === ' ' || text[at] === '\t') at++
    if (at >= text.length || text.startsWith('\\"', at)) break
    const isQuoted = text[at] === '"'
    let word = ''
    for (at += isQuoted ? 1 : 0; at < text.length; at++) {
      const sign = text[at] ?? ''
      if (isQuoted && sign === '"') {
        if (text[at + 1] !== '"') break
        at++
      } else if (!isQuoted && (sign === ' ' || sign === '\t')) break
      word += sign
      if (sign === '\\' && at + 1 < text.length) word += text[++at]
    }
    at++
    found.push(word)
  }
  return found
}

/** Marks around the arguments of mdoc macros, the emphasis of others, and macros for the name of a system. */
const MARKS: Readonly<Record<string, string[]>> = names.marks
const TEXTS: Names = names.texts
const SYSTEMS: Names = names.systems
const CLOSING = /^[.,;:!?)\]]$/
const OPENING = /^[([]$/

/** True for the name of a macro that `mdocLine` reads. */
export function isMdocInline(name: string): boolean {
  return name in MARKS || name in TEXTS || name === 'Fn' || name === 'Xr'
}

/** Converts an mdoc line to Markdown or to text. `name` is that of the manual, for a `Nm` without arguments. */
export function mdocLine(words: readonly string[], { name, plain }: { name: string; plain: boolean }): string {
  let text = ''
  let macro = 'No'
  let joins = true
  const closers: string[] = []
  const lastText = words.findLastIndex((word) => !CLOSING.test(word))
  const add = (part: string, attached = false) => {
    text += (joins || attached || text === '' ? '' : ' ') + part
    joins = false
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const next = words[at + 1]
    const isAlone = next === undefined || isMdocInline(next) || CLOSING.test(next)
    if (isMdocInline(word)) {
      macro = word
      const [open = '', close = ''] = MARKS[word] ?? []
      if (word === 'Ns') joins = true
      else if (word === 'Nm' && isAlone) add(withMark(name, '**', plain))
      else if (word === 'Ar' && isAlone) add(withMark('file ...', '*', plain))
      else if (word in SYSTEMS) add(SYSTEMS[word] ?? '')
      else if (word === 'Fl' ? isAlone : open !== '') {
        add(open, close === '' && word.endsWith('c'))
        joins = word !== 'Fl' && !word.endsWith('c')
        if (close !== '') closers.push(close)
      }
    } else if (CLOSING.test(word)) {
      // Punctuation at the end of a line follows what is open there.
      add((at > lastText ? closers.splice(0).toReversed().join('') : '') + word, true)
    } else if (macro === 'In') add(`#include <${word}>`)
    else if (OPENING.test(word)) {
      add(word)
      joins = true
    } else if (macro === 'Fn') {
      add(functionCall(words.slice(at)))
      break
    } else if (macro === 'Xr' && next !== undefined && /^\d/.test(next)) {
      add(`${roffText(word, plain)}(${next})`)
      at++
    } else {
      const shown = roffText(word, true)
      add(macro === 'Fl' ? withMark(`-${shown}`, '**', plain) : withMark(shown, TEXTS[macro] ?? '', plain))
      if (macro === 'Pf') joins = true
    }
  }
  return text + closers.toReversed().join('')
}

function withMark(text: string, mark: string, plain: boolean): string {
  return plain || mark === '' || text.trim() === '' ? text : mark + text + mark
}

/** `.Fn name "int a" "int b"` */
function functionCall([name = '', ...given]: readonly string[]): string {
  const last = given.at(-1) ?? ''
  const closing = CLOSING.test(last) ? last : ''
  const parameters = closing === '' ? given : given.slice(0, -1)
  return `${roffText(name, true)}(${parameters.map((each) => roffText(each, true)).join(', ')})${closing}`
}

/** Words in two fonts, one after the other. */
export function inFonts(words: readonly string[], [first, second]: readonly string[], between = ''): string {
  return roffText(
    first === second
      ? `\\f${first}${words.join(' ')}\\fR`
      : words.map((word, at) => `\\f${at % 2 === 0 ? first : second}${word}\\fR`).join(between),
  )
}

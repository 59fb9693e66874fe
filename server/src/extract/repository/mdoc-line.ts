import { roffText } from './roff-text.ts'

/** Macros whose arguments get marks. The second mark follows them. */
const MARKS: Record<string, readonly [string, string]> = {
  Fl: ['-', ''],
  Op: ['[', ']'],
  Oo: ['[', ''],
  Oc: [']', ''],
  Bq: ['[', ']'],
  Bo: ['[', ''],
  Bc: [']', ''],
  Pq: ['(', ')'],
  Po: ['(', ''],
  Pc: [')', ''],
  Brq: ['{', '}'],
  Bro: ['{', ''],
  Brc: ['}', ''],
  Aq: ['<', '>'],
  Ao: ['<', ''],
  Ac: ['>', ''],
  Dq: ['“', '”'],
  Do: ['“', ''],
  Dc: ['”', ''],
  Qq: ['"', '"'],
  Qo: ['"', ''],
  Qc: ['"', ''],
  Sq: ['‘', '’'],
  So: ['‘', ''],
  Sc: ['’', ''],
  Ql: ['‘', '’'],
}
/** Macros whose arguments are text, possibly emphasised. */
const TEXTS: Record<string, string> = {
  Ar: '*',
  Cm: '**',
  Ic: '**',
  Nm: '**',
  Sy: '**',
  Em: '*',
  Pa: '*',
  ...Object.fromEntries(
    'Ad An Cd Dv Er Ev Fa Ft In Lb Li Lk Ms Mt No Ns Pf St Sx Tn Va Vt Ux Bx Fx Nx Ox Dx Bsx At Bt Ud'
      .split(' ')
      .map((name) => [name, '']),
  ),
}
const SYSTEMS: Record<string, string> = {
  Ux: 'UNIX',
  Bx: 'BSD',
  Fx: 'FreeBSD',
  Nx: 'NetBSD',
  Ox: 'OpenBSD',
  At: 'AT&T UNIX',
}
const CLOSING = /^[.,;:!?)\]]$/
const OPENING = /^[([]$/

/** True for the name of a macro that `mdocLine` reads. */
export function isMdocInline(name: string): boolean {
  return name in MARKS || name in TEXTS || name === 'Fn' || name === 'Xr'
}

/**
 * Converts the words of an mdoc line, with the macros in it, to Markdown or to plain text. `name` is the name of the
 * manual, for a `Nm` without arguments.
 */
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
      const [open, close] = MARKS[word] ?? ['', '']
      if (word === 'Ns') joins = true
      else if (word === 'Nm' && isAlone) add(marked(name, '**', plain))
      else if (word === 'Ar' && isAlone) add(marked('file ...', '*', plain))
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
    } else if (macro === 'Fn') add(functionCall(words.slice(at), () => (at = words.length)))
    else if (macro === 'Xr' && next !== undefined && /^\d/.test(next)) {
      add(`${roffText(word, plain)}(${next})`)
      at++
    } else {
      add(marked(`${macro === 'Fl' ? '-' : ''}${roffText(word, true)}`, plain ? '' : markOf(macro), plain))
      if (macro === 'Pf') joins = true
    }
  }
  return text + closers.toReversed().join('')
}

function markOf(macro: string): string {
  return macro === 'Fl' ? '**' : (TEXTS[macro] ?? '')
}

function marked(text: string, mark: string, plain: boolean): string {
  return plain || mark === '' || text.trim() === '' ? text : mark + text + mark
}

/** `.Fn name "int a" "int b"` */
function functionCall([name = '', ...given]: readonly string[], end: () => void): string {
  end()
  const last = given.at(-1) ?? ''
  const closing = CLOSING.test(last) ? last : ''
  const parameters = closing === '' ? given : given.slice(0, -1)
  return `${roffText(name, true)}(${parameters.map((each) => roffText(each, true)).join(', ')})${closing}`
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser, Tokenizer } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { ATTRIBUTES, QuickTokenizer } from './quick-tokenizer.ts'

/** Elements, attributes that some pass reads, and texts, with adjacent texts joined. */
function eventsOf(html: string, tokenizer: typeof Tokenizer, pieceLength = html.length): string[] {
  const events: string[] = []
  const parser = new Parser(
    {
      onopentagname: (name) => void events.push(`<${name}`),
      onattribute: (name, value) => void (ATTRIBUTES.has(name) && events.push(`@${name}=${value}`)),
      onclosetag: (name) => void events.push(`>${name}`),
      ontext: (text) => {
        if (events.at(-1)?.startsWith('"')) events.push(`${events.pop()}${text}`)
        else events.push(`"${text}`)
      },
    },
    { Tokenizer: tokenizer },
  )
  for (let at = 0; at < html.length; at += pieceLength) parser.write(html.slice(at, at + pieceLength))
  parser.end()
  return events
}

const FOLDER = join(import.meta.dirname, 'fixtures')
const PAGES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.html'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'))

/** Forms that the library reads, each between usual tags. */
const FORMS = [
  'a < b <c',
  '<<p>',
  '&amp; &lt &unknown; &',
  `<a href='x' id=y class>`,
  '<a href="a&amp;b" id="c"title="d">',
  '<A HREF="x" ID = "y">',
  '<a =x href="y">',
  '<br/><img alt="x"/>',
  '</p >',
  '</br>',
  '<!-- <p> -->',
  '<![CDATA[ x ]]>',
  '<svg><title>x</title><a href="y"/></svg>',
  '<title>a <b> &amp; c</title>',
  '<script>if (a < b) "</p>"</script>',
  '<strong class="x">y</strong>',
  '<form id="x"><form id="y">',
  '<a href="unclosed',
  '<plaintext><p>',
]

describe('the tokenizer of pages', () => {
  const quick = QuickTokenizer as unknown as typeof Tokenizer

  it.each(FORMS)('reads %s as the library does, wherever a piece ends', (form) => {
    const html = `<p class="a" data-x="b">c</p>${form}<ul><li id="d">e<li>f</ul>`
    const expected = eventsOf(html, Tokenizer)
    for (let length = 1; length <= html.length; length++) expect(eventsOf(html, quick, length)).toEqual(expected)
  })

  it('reads all fixtures as the library does, whole and cut off', () => {
    for (const html of PAGES)
      for (const part of [html, html.slice(0, html.length / 2), html.slice(html.length / 3)])
        expect(eventsOf(part, quick)).toEqual(eventsOf(part, Tokenizer))
  })

  it('leaves few characters of a usual page to the states of the library', () => {
    let steps = 0
    class Counting extends QuickTokenizer {
      override stateText(code: number): void {
        steps++
        super.stateText(code)
      }
    }
    eventsOf('<p class="a">some text<b id="c">d</b></p>'.repeat(100), Counting as unknown as typeof Tokenizer)
    expect(steps).toBe(1)
  })
})

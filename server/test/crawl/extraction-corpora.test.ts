import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chunkPage } from '#chunk/chunk-page.ts'
import { decodeText } from '#extract/decode.ts'
import { extractPage } from '#extract/extract-page.ts'
import type { ExtractedPage } from '#extract/extracted-page.ts'
import { openCorpus } from '../support/sites/corpora.ts'

const charsets = await openCorpus('charset')
const markdowns = await openCorpus('markdown')
const scripts = await openCorpus('xss')
const injections = await openCorpus('prompt-injection')

function extract(text: string | Uint8Array, contentType = 'text/html; charset=utf-8'): ExtractedPage | null {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const page = extractPage({ url: 'https://docs.test/page', contentType, bytes })
  return page.kind === 'page' ? page : null
}

/** Markdown without its code blocks and code spans: what a renderer would treat as markup. */
function withoutCode({ markdown, blocks }: ExtractedPage): string {
  let prose = markdown
  for (const block of blocks.toReversed()) {
    if (block.kind === 'code') prose = prose.slice(0, block.start) + prose.slice(block.end)
  }
  return prose.replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')
}

describe.skipIf(charsets === null)('text in many encodings without a declared charset', () => {
  /** Encodings that no browser supports, and a file whose byte order mark contradicts its bytes. */
  const UNREADABLE = new Set(['iso2022cn', 'iso2022kr', 'utf16be'])
  const SCRIPTS: [RegExp, RegExp][] = [
    [/^(?:big5|gb18030|iso2022cn|lang_chinese)$/, /\p{Script=Han}/u],
    [/jp$|shiftjis|japanese/, /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
    [/korean/, /\p{Script=Hangul}/u],
    [/_ru$|koi8r|russian/, /\p{Script=Cyrillic}/u],
    [/_el$|1253/, /\p{Script=Greek}/u],
    [/88598|hebrew/, /\p{Script=Hebrew}/u],
    [/1256/, /\p{Script=Arabic}/u],
    [/874/, /\p{Script=Thai}/u],
    [/_cs$|czech|1250/, /[ěščřžýáíéů]/u],
    [/_lt$/, /[ąčęėįšųūž]/u],
    [/_lv$/, /[āčēģīķļņšūž]/u],
    [/_tr$|1254/, /[ğışöüç]/u],
    [/1258/, /đ|ô|ơ|ư|\p{Mn}/u],
    [/utf8|utf32/, /Μπορώ να φάω/u],
  ]
  const folder = join(charsets ?? '', 'encodings')

  test.each(charsets === null ? [] : readdirSync(folder))('decodes %s', (name) => {
    const bytes = readFileSync(join(folder, name))
    const text = decodeText(bytes, null)
    if (UNREADABLE.has(name)) return expect(text).toBeNull()
    // eslint-disable-next-line no-control-regex -- control characters reveal a wrong encoding
    expect(text).not.toMatch(/[\ufffd\u0080-\u009f]|Ã.|â€/)
    const script = SCRIPTS.find(([names]) => names.test(name))?.[1]
    if (script) expect(text).toMatch(script)
    // The same text inside a page, with whitespace normalised as in pages.
    const page = extract(Buffer.concat([Buffer.from('<p>'), bytes]), 'text/html')
    if (!name.startsWith('utf32')) expect(page?.markdown.length).toBeGreaterThan((text?.length ?? 0) / 2)
  })

  test('has more than thirty test files', () => {
    expect(readdirSync(folder).length).toBeGreaterThan(30)
  })
})

describe.skipIf(markdowns === null)('CommonMark specification', () => {
  const source = markdowns === null ? '' : readFileSync(join(markdowns, 'spec.txt'), 'utf8')

  test('keeps the specification’s fences whole: each passage holds a code block entirely or lies inside it', () => {
    const page = extract(source, 'text/markdown')
    const fences = page?.blocks.filter(({ kind }) => kind === 'code') ?? []
    expect(fences.length).toBeGreaterThan(600)
    for (const block of fences) {
      const lines = page?.markdown.slice(block.start, block.end).split('\n') ?? []
      expect(lines[0]).toMatch(/^ *(?:`{3,}|~{3,})/)
      expect(lines.at(-1)?.trim()).toBe(/`{3,}|~{3,}/.exec(lines[0] ?? '')?.[0])
    }
    for (const { start, end } of page ? chunkPage(page) : []) {
      const cut = fences.filter(
        (block) => start < block.end && end > block.start && (start > block.start || end < block.end),
      )
      for (const block of cut) expect(start >= block.start && end <= block.end).toBe(true)
    }
  })

  test('yields a short, ordered answer for each example of the specification', () => {
    const examples = [...source.matchAll(/^`{32} example\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm)]
    expect(examples.length).toBeGreaterThan(600)
    for (const [, markdown = '', html = ''] of examples) {
      for (const page of [extract(markdown.replaceAll('→', '\t'), 'text/markdown'), extract(html)]) {
        let at = 0
        for (const { start, end } of page?.blocks ?? []) {
          expect(start).toBeGreaterThanOrEqual(at)
          expect(page?.markdown.slice(at, start).trim()).toBe('')
          at = end
        }
      }
    }
  })
})

describe.skipIf(scripts === null)('XSS payloads', () => {
  test('leaves nothing executable in the Markdown', async () => {
    const { default: cases } = (await import(join(scripts ?? '', 'dompurify/expect.mjs'))) as {
      default: { payload: string }[]
    }
    expect(cases.length).toBeGreaterThan(200)
    for (const { payload } of cases) {
      for (const page of [extract(`<main><h1>Title</h1><p>Text</p>${payload}<p>More</p></main>`), extract(payload)]) {
        if (page === null) continue
        expect(page.links.filter(({ url }) => !/^https?:\/\//.test(url))).toEqual([])
        expect(withoutCode(page), payload).not.toMatch(/\]\(\s*<?(?:javascript|vbscript|data):/i)
        expect(withoutCode(page), payload).not.toMatch(
          /<(?:script|iframe|object|embed|svg|math|style|form|base|link|meta)\b/i,
        )
      }
      const page = extract(`# Title\n\n${payload.replaceAll('\n', ' ')}\n\nMore`, 'text/markdown')
      expect(page === null ? '' : withoutCode(page), payload).not.toMatch(
        /<(?:script|iframe|object|embed|form|base)(?=[\s/>])[^>]*>/i,
      )
    }
  })
})

describe.skipIf(injections === null)('prompt injections', () => {
  const texts = (): string[] => {
    const json = JSON.parse(readFileSync(join(injections ?? '', 'bipia/text_attack_train.json'), 'utf8')) as Record<
      string,
      string[]
    >
    return Object.values(json).flat()
  }

  test('drops prompt injections hidden from readers', () => {
    const hide: ((text: string) => string)[] = [
      (text) => `<p style="display:none">${text}</p>`,
      (text) => `<p style="font-size: 0 !important">${text}</p>`,
      (text) => `<p style="color: transparent">${text}</p>`,
      (text) => `<div style="position:absolute;left:-9999px">${text}</div>`,
      (text) => `<span style="position:absolute;clip:rect(0,0,0,0)">${text}</span>`,
      (text) => `<p hidden>${text}</p>`,
      (text) => `<p aria-hidden="true">${text}</p>`,
      (text) => `<!-- ${text} -->`,
      (text) => `<template>${text}</template>`,
      (text) => `<noscript>${text}</noscript>`,
      (text) => `<meta name="description" content="${text}">`,
    ]
    const plain = 'The tide tables are read from a file, and the file is read once an hour by the harbour. '.repeat(6)
    expect(texts().length).toBeGreaterThan(50)
    for (const text of texts()) {
      for (const hidden of hide) {
        const page = extract(`<main><h1>Tides</h1><p>${plain}</p>${hidden(text)}</main>`)
        expect(page?.markdown, hidden(text)).toBe(`# Tides\n\n${plain.trim()}`)
      }
      const page = extract(`# Tides\n\n${plain}\n\n<!-- ${text} -->\n`, 'text/markdown')
      expect(page?.markdown).not.toContain(text)
    }
  })

  test('keeps visible prompt injections verbatim', () => {
    for (const text of texts()) {
      const page = extract(`<main><h1>Tides</h1><p>${text.replaceAll('<', '&lt;')}</p></main>`)
      expect(page?.markdown.replace(/\s+/g, ' ')).toContain(text.replace(/\s+/g, ' ').trim())
    }
  })
})

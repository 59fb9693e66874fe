import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { declaredEncoding, decodeText } from './decode.ts'

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const utf8 = (text: string) => new Uint8Array(Buffer.from(text))

describe('text decoding', () => {
  it('prefers a byte order mark over any declaration', () => {
    expect(decodeText(utf8('\ufeffnaïve'), 'text/html; charset=iso-8859-1')).toBe('naïve')
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0x41, 0, 0xe9, 0]), null)).toBe('Aé')
    expect(decodeText(new Uint8Array([0xfe, 0xff, 0, 0x41, 0, 0xe9]), null)).toBe('Aé')
  })

  it.each([
    ['a header', '<p>caf\xe9</p>', 'text/html; charset=ISO-8859-1'],
    ['a quoted header', '<p>caf\xe9</p>', 'text/html;charset="windows-1252"'],
    ['a meta element', '<meta charset=latin1><p>caf\xe9</p>', 'text/html'],
    [
      'an old meta element',
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15"><p>caf\xe9</p>',
      null,
    ],
    ['an XML declaration', '<?xml version="1.0" encoding="ISO-8859-1"?><p>caf\xe9</p>', 'application/xhtml+xml'],
  ])('uses the encoding declared in %s', (_name, text, contentType) => {
    expect(decodeText(latin1(text), contentType)).toContain('<p>café</p>')
  })

  it('ignores a declaration that contradicts the bytes', () => {
    expect(
      decodeText(utf8('<meta charset="iso-8859-1"><p>naïve – “quoted”</p>'), 'text/html; charset=latin1'),
    ).toContain('naïve – “quoted”')
    expect(
      decodeText(
        latin1('<p>r\xe9sum\xe9 d\xe9j\xe0 vu, na\xefve, caf\xe9, cr\xe8me br\xfbl\xe9e</p>'),
        'text/html; charset=utf-8',
      ),
    ).toContain('résumé déjà vu')
    expect(declaredEncoding(latin1('<meta charset="utf-16">'), null)).toBe('utf-8')
    expect(declaredEncoding(latin1('x'), 'text/html; charset="; DROP TABLE;')).toBe(null)
  })

  it('decodes multi-byte encodings by their label', () => {
    expect(decodeText(new Uint8Array([0x93, 0xfa, 0x96, 0x7b]), 'text/html; charset=shift_jis')).toBe('日本')
    expect(decodeText(new Uint8Array([0xb1, 0xb1, 0xbe, 0xa9]), 'text/html; charset=gb2312')).toBe('北京')
  })

  it('decodes a page with a few damaged bytes', () => {
    const bytes = utf8(`${'plain words '.repeat(500)}é`)
    bytes[50] = 0xff
    expect(decodeText(bytes, 'text/html; charset=utf-8')).toContain('plain words')
  })

  it('normalises line ends', () => {
    expect(decodeText(utf8('a\r\nb\rc\n'), null)).toBe('a\nb\nc\n')
  })

  it('returns no garbled text for random bytes', () => {
    const noise = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919 + 13) % 256)
    const text = decodeText(noise, 'text/html; charset=utf-8')
    expect(text === null || !text.includes('\ufffd')).toBe(true)
  })
})

const corpora = process.env['DOCENT_TEST_CORPORA']
if (corpora === undefined) process.stderr.write('SKIPPED: the encodings corpus, since DOCENT_TEST_CORPORA is not set\n')

/** Corpus folders with files in one encoding that the standard decodes. */
const LABELS: Record<string, string> = {
  big5: 'big5',
  euc_jp: 'euc-jp',
  gb18030: 'gb18030',
  iso2022jp: 'iso-2022-jp',
  koi8r: 'koi8-r',
  shiftjis: 'shift_jis',
  utf8: 'utf-8',
  windows_1250: 'windows-1250',
  windows_1252: 'windows-1252',
  windows_1253: 'windows-1253',
  windows_1254: 'windows-1254',
  windows_1256: 'windows-1256',
  windows_874: 'windows-874',
}

describe.skipIf(corpora === undefined)('the encodings corpus', () => {
  const files = corpora === undefined ? [] : readCorpus(corpora)

  it('has more than 10 test files', () => {
    expect(files.length).toBeGreaterThan(10)
  })

  it.each(files)('decodes $name the same with and without a declaration', ({ encoding, bytes }) => {
    const label = LABELS[encoding] ?? 'utf-8'
    const expected = new TextDecoder(label).decode(bytes).replaceAll(/\r\n?/g, '\n')
    expect(decodeText(bytes, `text/html; charset=${label}`)).toBe(expected)
    expect(decodeText(bytes, null)).toBe(expected)
  })
})

function readCorpus(corporaFolder: string): { encoding: string; name: string; bytes: Uint8Array }[] {
  const target = mkdtempSync(join(tmpdir(), 'docent-charset-'))
  try {
    execFileSync('tar', [
      'xJf',
      join(corporaFolder, 'attack', 'corpora.tar.xz'),
      '-C',
      target,
      '--wildcards',
      '*charset*',
    ])
    const root =
      readdirSync(target, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('encodings')) ?? ''
    const folder = join(target, root)
    return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const name = relative(folder, join(entry.parentPath, entry.name))
      const encoding = name.split(sep)[0] ?? ''
      if (!entry.isFile() || !(encoding in LABELS)) return []
      return [{ encoding, name, bytes: new Uint8Array(readFileSync(join(folder, name))) }]
    })
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

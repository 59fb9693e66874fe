import { Parser } from 'htmlparser2'
import { SLICE } from '#lib/text/in-slices.ts'
import { FileProblem } from './file-problem.ts'

export type Attributes = Readonly<Record<string, string>>

/** Receives the elements of an XML document by local name: `p` for `w:p`. Attributes have their full names. */
export type XmlVisitor = {
  /** Returns false to skip the element with everything inside. */
  open(name: string, attributes: Attributes): boolean | void
  text?(text: string): void
  close?(name: string): void
}

/** Real documents stay below 100 levels. */
const MAX_DEPTH = 1_000

/**
 * Reads XML leniently and in linear time. Expands no entities but those of XML itself, and opens nothing. With
 * `asWritten`, leaves all entities as they are. Throws `FileProblem` beyond the maximum depth.
 */
export function readXml(bytes: Uint8Array, visitor: XmlVisitor, { asWritten = false } = {}): void {
  let depth = 0
  /** Depth inside a skipped element. */
  let skipped = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH) throw new FileProblem('too_complex', 'The file is nested deeper than any real one is.')
        if (skipped > 0) skipped++
        else if (visitor.open(localName(name), attributes) === false) skipped = 1
      },
      ontext(text) {
        if (skipped === 0) visitor.text?.(text)
      },
      onclosetag(name) {
        depth--
        if (skipped > 0) skipped--
        else visitor.close?.(localName(name))
      },
    },
    { xmlMode: true, decodeEntities: !asWritten },
  )
  const decoder = new TextDecoder(encodingOf(bytes))
  for (let at = 0; at < bytes.byteLength; at += SLICE) {
    parser.write(decoder.decode(bytes.subarray(at, at + SLICE), { stream: true }))
  }
  parser.end(decoder.decode())
}

/** XML without a mark of UTF-16 is UTF-8 in these formats. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

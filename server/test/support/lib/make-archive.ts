import { gzipSync, crc32, deflateRawSync } from 'node:zlib'
import { Header } from 'tar'
import { extractPage } from '#extract/extract-page.ts'
import type { ExtractedPage } from '#extract/extracted-page.ts'

const BLOCK = 512

/** Makes a tar archive of texts by path, in the form used by code hosts. Test support. */
export function makeArchive(files: Record<string, string>, { compressed = true } = {}): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = []
  for (const [path, text] of Object.entries(files)) {
    const body = Buffer.from(text)
    const header = new Header({ path, type: 'File', size: body.length, mode: 0o644 })
    header.encode()
    parts.push(header.block ?? Buffer.alloc(BLOCK), body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK))
  }
  const archive = Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
  return new Uint8Array(compressed ? gzipSync(archive) : archive)
}

/** A file of a zip archive, with optional defects. */
export type ZipFile = {
  path: string
  text: string | Uint8Array
  /** Unix mode, including the file type. */
  mode?: number
  /** Unpacked size declared in the archive. */
  claimedSize?: number
  encrypted?: boolean
  damaged?: boolean
}

const UTF8 = 1 << 11

/** Makes a compressed zip archive (APPNOTE.TXT 4.3) of the given files. Test support. */
export function makeZip(files: readonly ZipFile[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, text, mode = 0o100644, claimedSize, encrypted = false, damaged = false } of files) {
    const name = Buffer.from(path)
    const content = typeof text === 'string' ? Buffer.from(text) : Buffer.from(text)
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(UTF8 | (encrypted ? 1 : 0), 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(damaged ? 1 : crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(claimedSize ?? content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(mode * 0x10000, 6)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, name)
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, name, packed]
    parts.push(...local)
    offset += local.reduce((sum, part) => sum + part.length, 0)
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...parts, central, end]))
}

const PAGE_URL = 'https://docs.example/guide/page'

export const extractText = (text: string | Uint8Array, contentType: string | null = 'text/html', url = PAGE_URL) =>
  extractPage({ url, contentType, bytes: typeof text === 'string' ? Buffer.from(text) : text })

/** The page of a text. Throws the reason of a rejection. */
export function pageOf(text: string | Uint8Array, contentType?: string | null, url?: string): ExtractedPage {
  const page = extractText(text, contentType, url)
  if (page.kind === 'rejected') throw new Error(`${page.reason}: ${page.detail}`)
  return page
}

import { gzipSync } from 'node:zlib'
import { Header } from 'tar'

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

import { type FileHandle, open } from 'node:fs/promises'
import { Header } from 'tar'
import { DamagedBackupError } from './backup-format.ts'

const BLOCK = 512

export type TarWriter = Awaited<ReturnType<typeof createTar>>

/** Creates a tar file that only the user can read. Throws if the file exists, and errors of the file system. */
export async function createTar(path: string, mtime: Date) {
  const file = await open(path, 'wx', 0o600)
  return {
    async add(name: string, data: Uint8Array) {
      const header = Buffer.alloc(BLOCK)
      new Header({ path: name, type: 'File', size: data.byteLength, mode: 0o600, uid: 0, gid: 0, mtime }).encode(header)
      await file.writeFile(Buffer.concat([header, data, Buffer.alloc(padding(data.byteLength))]))
    },
    /** Writes the end of the archive and waits until the disk has it. */
    async finish() {
      await file.writeFile(Buffer.alloc(2 * BLOCK))
      await file.sync()
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

type TarEntry = { path: string; read(): Promise<Buffer> }

/** Opens a tar file of regular files. Reading throws `DamagedBackupError` if it is not one, or ends too early. */
export async function openTar(path: string) {
  const file = await open(path)
  const { size } = await file.stat()
  return {
    /** The entries in order. Data that is not read is skipped. */
    async *entries(): AsyncGenerator<TarEntry> {
      for (let at = 0; ;) {
        const block = await readAt(file, at, BLOCK)
        const header = new Header(block)
        if (header.nullBlock) return
        const { path: name, size: bytes, type } = header
        if (!header.cksumValid || name === undefined || bytes === undefined || type !== 'File')
          throw new DamagedBackupError('it is not a readable tar file')
        const from = at + BLOCK
        at = from + bytes + padding(bytes)
        if (at > size) throw new DamagedBackupError('it ends too early')
        yield { path: name, read: () => readAt(file, from, bytes) }
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

const padding = (bytes: number): number => (BLOCK - (bytes % BLOCK)) % BLOCK

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length;) {
    const { bytesRead } = await file.read(bytes, at, length - at, position + at)
    if (bytesRead === 0) throw new DamagedBackupError('it ends too early')
    at += bytesRead
  }
  return bytes
}

import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { MAX_UPLOAD_BYTES } from '@docent/contract/limits'
import { CommandError } from '../command-error.ts'
import { type LeftOut, listFiles } from './list-files.ts'
import { packFiles, tooLarge } from './pack-files.ts'

/** A file, archive or folder, ready to be sent. */
export type LocalUpload = {
  /** Valid upload name: lower-case letters, digits, dots, hyphens and underscores, `@` and a version. */
  name: string
  fileName: string
  /** Its name on this machine. */
  label: string
  bytes: Uint8Array<ArrayBuffer>
  left: LeftOut[]
}

const MAX_NAME = 64
const MAX_FILE_NAME = 255

/** Reads files, archives and folders into one upload each. Throws `CommandError` for unreadable ones. */
export async function readLocal(paths: readonly string[], from: string): Promise<LocalUpload[]> {
  const uploads: LocalUpload[] = []
  for (const path of paths) {
    const upload = await readOne(path, resolve(from, path))
    const taken = new Set(uploads.map(({ name }) => name))
    uploads.push({ ...upload, name: freeName(upload.name, taken) })
  }
  return uploads
}

async function readOne(path: string, full: string): Promise<LocalUpload> {
  const about = await stat(full).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} ${error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`}.`)
  })
  const fileName = basename(full).slice(-MAX_FILE_NAME) || 'files'
  const named = { name: nameOf(fileName), fileName, label: fileName.slice(0, 100) }
  try {
    if (about.isFile()) {
      if (about.size > MAX_UPLOAD_BYTES) throw tooLarge(path)
      return { ...named, bytes: new Uint8Array(await readFile(full)), left: [] }
    }
    if (!about.isDirectory()) throw new CommandError(`${path} is neither a file nor a folder.`)
    const { files, left } = await listFiles(full)
    if (files.length === 0)
      throw new CommandError(`${path} has no Markdown, HTML, PDF, office file, text or code that could be read.`)
    return { ...named, bytes: await packFiles(full, files), left }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof CommandError || code === undefined) throw error
    throw new CommandError(`${path} cannot be read (${code}).`)
  }
}

function nameOf(fileName: string): string {
  return nameWithExtension(
    fileName.replace(
      /\.(md|markdown|html?|pdf|docx|pptx|xlsx|odt|epub|ipynb|org|txt|json|ya?ml|zip|tar|tgz|tar\.gz)$/i,
      '',
    ),
  )
}

/** Upload name of a file whose extension is kept: `manual.pdf`. */
export function nameWithExtension(fileName: string): string {
  const name = fileName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._@-]+|@(?!(?:v\d|\d+\.)[\w.-]*$)/g, '-')
    .replace(/^[^a-z0-9]+/, '')
  return name.slice(0, MAX_NAME) || 'files'
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name.slice(0, MAX_NAME - 5)}-${n}`
  return free
}

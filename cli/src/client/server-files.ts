import { createWriteStream, openAsBlob } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { operations } from '@docent/contract/operations'
import type { DocentClient } from '@docent/sdk'
import { DocentApiError } from '@docent/sdk/error'
import { requestOf } from '@docent/sdk/request'
import { CommandError } from '../command-error.ts'
import { countOf } from '../count-of.ts'
import { fetchAsDocent } from '../open-client.ts'
import type { Around, Shown } from './client-command.ts'

const OPERATION = operations['servers.export']
/** The last line of a complete file is shorter. */
const LAST_LINE = 200

/** Writes a server to a file, compressed. A file that did not arrive completely is deleted. */
export async function exportServer(server: string, path: string, { instance, signal }: Around): Promise<Shown> {
  const { url, init } = requestOf(instance.url, OPERATION, { id: server })
  const headers = { ...init.headers, authorization: `Bearer ${instance.apiKey ?? ''}` }
  const response = await fetchAsDocent(url, { headers, signal })
  if (!response.ok || !response.body) throw await DocentApiError.from(response, OPERATION.errors)
  await (await open(path, 'wx', 0o600)).close()
  const unfinished = `${path}.part`
  let end = ''
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      end = (end + chunk.toString('latin1')).slice(-LAST_LINE)
      done(null, chunk)
    },
  })
  try {
    await pipeline(response.body, watch, createGzip(), createWriteStream(unfinished, { mode: 0o600 }))
    if (!end.includes('{"kind":"end"')) throw new CommandError('The service ended the file before its last line.')
    await rename(unfinished, path)
  } catch (error) {
    await Promise.all([rm(unfinished, { force: true }), rm(path, { force: true })])
    throw error
  }
  return { json: { path }, lines: [path] }
}

/** Makes a server from a file, and shows its first token if it is private. */
export async function importServer(client: DocentClient, path: string, isPublic: boolean): Promise<Shown> {
  const isFile = (await stat(path).catch(() => null))?.isFile() ?? false
  if (!isFile) throw new CommandError(`${path} is no file.`)
  const visibility = isPublic ? 'public' : 'private'
  const made = await client.servers.import({ visibility }, { file: await openAsBlob(path) })
  const { slug, url, accessToken, pages } = made
  const token = accessToken === null ? [] : [`token     ${accessToken}  (shown only now)`]
  const lines = [`server    ${slug}`, `endpoint  ${url}`, ...token, `${countOf(pages, 'page')} came with the file.`]
  return { json: made, lines, indexing: { server: made.serverId } }
}

import { readFile } from 'node:fs/promises'
import { strToU8, zipSync } from 'fflate'
import { ROOT } from '#lib/place.ts'
import { type Described, describe } from './discovery.ts'

/** Place of the program in the archive. It passes messages of a client on to the endpoint: `cli/src/bridge/`. */
const PROGRAM = 'server/bridge.mjs'
/** The same content has the same bytes, and so the same ETag. */
const WRITTEN = '2026-01-01'

/**
 * The file with which desktop clients install a server: a zip archive with a manifest and a program, as version 0.3 of
 * https://github.com/modelcontextprotocol/mcpb describes it. It contains no token: the client asks for it.
 */
export async function mcpBundle(baseUrl: string, server: Described): Promise<Uint8Array<ArrayBuffer>> {
  const built = (name: string) => readFile(new URL(`dist/server/bridge/${name}`, ROOT))
  const [program, licences] = await Promise.all([built('bridge.mjs'), built('licences.txt')])
  const manifest = JSON.stringify(manifestOf(baseUrl, server), null, 2)
  const files = { 'manifest.json': strToU8(manifest), [PROGRAM]: program, 'licences.txt': licences }
  return zipSync(files, { mtime: WRITTEN })
}

function manifestOf(baseUrl: string, server: Described) {
  const { title, description, version, remote } = describe(baseUrl, server)
  const isPrivate = server.visibility === 'private'
  const token = {
    type: 'string',
    title: 'Access token',
    description: 'The owner of the server gives it to you. It begins with dat_.',
    sensitive: true,
    required: true,
  }
  return {
    manifest_version: '0.3',
    name: server.slug,
    display_name: title,
    version,
    description,
    author: { name: new URL(baseUrl).hostname, url: baseUrl },
    server: {
      type: 'node',
      entry_point: PROGRAM,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${PROGRAM}`, remote.url],
        env: isPrivate ? { DOCENT_ACCESS_TOKEN: '${user_config.access_token}' } : {},
      },
    },
    tools_generated: true,
    ...(isPrivate && { user_config: { access_token: token } }),
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.3.0' } },
  }
}

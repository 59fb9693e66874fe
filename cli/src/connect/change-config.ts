import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ClientConfig, Target } from '@docent/contract/values/client-config'
import type { Client } from '@docent/contract/values/client-snippets'
import { findUserFolders } from '@docent/server/config.ts'
import type { Shown } from '../client/client-command.ts'
import { CommandError } from '../command-error.ts'
import { confirm } from '../confirm.ts'
import type { Terminal } from '../terminal.ts'
import { configPath } from './config-path.ts'
import { MergeError, mergeJson } from './merge-json.ts'
import { mergeToml, mergeYaml } from './merge-lines.ts'
import { showChange } from './show-change.ts'

type Change = {
  client: Client
  /** For the change that is shown. */
  target: Target
  /** Null: the file for all projects of the user. */
  file: string | null
  isAgreed: boolean
  /** The target to write, with a token that may be new. */
  finish: () => Promise<Target>
}

/** Adds a server to the configuration file of a client, after a question, and keeps the file as a backup. */
export async function changeConfig(terminal: Terminal, change: Change): Promise<Shown> {
  const { client, target, file, isAgreed, finish } = change
  const usual = file ?? configPath(client.id, findUserFolders(terminal.environment))
  if (!client.config || usual === null) {
    throw new CommandError(
      `${client.title} has no configuration file that is known. Leave out --write, and follow the steps.`,
    )
  }
  const path = resolveLinks(usual)
  const before = readIfThere(path)
  const next = merge(client.config, { path, text: before ?? '', target })
  const json = { client: client.id, file: path, backup: null }
  if (next === before) return { json: { ...json, changed: false }, notes: [`${path} has this server already.`] }
  terminal.err(`${path}\n${showChange(before ?? '', next, terminal)}`)
  if (!isAgreed) await confirm(terminal, { sentence: `This changes ${path}.`, refused: 'Nothing was changed.' })
  const finished = await finish()
  // The client may have written the file during the question.
  const latest = readIfThere(path)
  const backup = latest === null ? null : keepBackup(path)
  replaceFile(path, merge(client.config, { path, text: latest ?? '', target: finished }))
  const kept = backup === null ? [] : [`The file as it was is ${backup}.`]
  return {
    json: { ...json, backup, changed: true },
    notes: [...kept, `${client.title} has the server ${target.slug} now. Restart it, or reload its servers.`],
  }
}

type Given = { path: string; text: string; target: Target }

function merge({ format, at, entry }: ClientConfig, { path, text, target }: Given): string {
  const named = { at, name: target.slug, entry: entry(target) }
  try {
    return { json: mergeJson, toml: mergeToml, yaml: mergeYaml }[format](text, named)
  } catch (error) {
    if (!(error instanceof MergeError)) throw error
    throw new CommandError(`${path} cannot be changed: ${error.message} Leave out --write, and follow the steps.`)
  }
}

/** The file behind a link, so that the link stays. */
function resolveLinks(path: string): string {
  return ifThere(() => realpathSync(path)) ?? path
}

const readIfThere = (path: string): string | null => ifThere(() => readFileSync(path, 'utf8'))

function ifThere<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new CommandError(error instanceof Error ? error.message : String(error))
  }
}

function keepBackup(path: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const backup = `${path}.${time}.bak`
  copyFileSync(path, backup)
  return backup
}

/** Replaces the file at once, with its permissions. */
function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}`)
  try {
    const mode = ifThere(() => statSync(path).mode & 0o777) ?? 0o600
    writeFileSync(draft, text, { mode })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

import { readFile as readDisk } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Language, Parser } from 'web-tree-sitter'
import { readPayload, readWholePayload, serveChild } from '#workers/serve-child.ts'
import type { GrammarName } from '#extract/repository/code-languages.ts'
import {
  type LocalDescription,
  type LocalDescriptionInput,
  readLocalDescription,
} from '#extract/api/read-description.ts'
import { type RemotePart, describePart } from '#extract/mcp/describe-part.ts'
import { type FileToRead, readFile } from '#extract/repository/read-file.ts'
import type { FileRead } from '#extract/repository/repository-file.ts'
import { type Unpacked, unpackArchive, unpackPack } from '#extract/repository/unpack-repository.ts'

/** Tasks of the worker, with their results. */
export type RepositoryTasks = {
  /** A git pack if `commit` is set, else an archive. Its bytes are the payload. */
  unpack: {
    input: { size: number; encoding: string; scope: string; commit: string | null }
    output: Unpacked
  }
  read: { input: FileToRead; output: FileRead }
  describe: { input: LocalDescriptionInput; output: LocalDescription }
  /** Describes a part of a remote MCP server. */
  remote: { input: RemotePart; output: string | null }
}
export type RepositoryTask = {
  [K in keyof RepositoryTasks]: { name: K; input: RepositoryTasks[K]['input'] }
}[keyof RepositoryTasks]
export type RepositoryAnswer =
  | { ok: true; value: RepositoryTasks[keyof RepositoryTasks]['output'] }
  | { ok: false; error: unknown }

const parsers = new Map<GrammarName, Promise<Parser>>()
serveChild(answerTo)

/** An exception is a bug on one file. The owner reports it, and the process continues. */
async function answerTo(task: RepositoryTask): Promise<RepositoryAnswer> {
  try {
    return { ok: true, value: await run(task) }
  } catch (error) {
    return { ok: false, error }
  }
}

async function run(task: RepositoryTask): Promise<RepositoryTasks[keyof RepositoryTasks]['output']> {
  if (task.name === 'remote') return describePart(task.input)
  if (task.name === 'unpack') return unpack(task.input)
  return task.name === 'describe' ? readLocalDescription(task.input) : readFile(task.input, parseCode)
}

async function unpack({ size, encoding, scope, commit }: RepositoryTasks['unpack']['input']): Promise<Unpacked> {
  if (commit === null) return unpackArchive(readPayload(), scope, { encoding })
  return unpackPack(await readWholePayload(size), { commit, scope })
}

async function parseCode(grammar: GrammarName, text: string) {
  const parser = parsers.get(grammar) ?? openParser(grammar)
  parsers.set(grammar, parser)
  return (await parser).parse(text)
}

async function openParser(grammar: GrammarName): Promise<Parser> {
  await Parser.init()
  const path = fileURLToPath(import.meta.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`))
  const parser = new Parser()
  parser.setLanguage(await Language.load(await readDisk(path)))
  return parser
}

import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { type Client, type Step, TOKEN_PLACEHOLDER, whyUnreachable } from '@docent/contract/values/client-snippets'
import type { DocentClient, Output } from '@docent/sdk'
import { type Around, type Options, type Shown, optionOf } from '../client/client-command.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { changeConfig } from './change-config.ts'

export type Wanted = { server: Output<'servers.get'>; wanted: Client; options: Options }

/** `docent connect SERVER --client NAME`: the steps for a client, or the change of its configuration file. */
export async function connectClient(client: DocentClient, given: Wanted, around: Around): Promise<Shown> {
  const { server, wanted, options } = given
  const { terminal } = around
  const problem = whyUnreachable(wanted, server)
  if (problem !== null) terminal.err(`${terminal.colors.yellow('warning')}  ${problem}\n`)
  const signsIn = options['signIn'] === true || !wanted.sendsToken
  if (signsIn && wanted.signIn === undefined) {
    throw new CommandError(`Nobody has tried to sign in from ${wanted.title}. Use --new-token.`, EXIT.usage)
  }
  const isClosed = server.visibility === 'private'
  const isPrivate = isClosed && !signsIn
  const known = optionOf(options, 'token') ?? null
  const createToken = async () => {
    if (!isPrivate || known !== null) return known
    const name = `${wanted.title}, ${hostname()}`.slice(0, 100)
    return (await client.accessTokens.create({ id: server.id, name })).plaintext
  }
  const { slug, url } = server
  if (options['write'] === true) {
    // A token that nobody uses must not exist, so it is created after the question.
    const shown = { slug, url, token: isPrivate ? (known ?? TOKEN_PLACEHOLDER) : null }
    if (problem !== null) throw new CommandError(`${wanted.title} cannot use this server.`)
    const file = optionOf(options, 'file')
    return changeConfig(terminal, {
      client: wanted,
      target: shown,
      file: file === undefined ? null : resolve(terminal.folder, file),
      isAgreed: options['yes'] === true,
      finish: async () => ({ slug, url, token: isPrivate ? await createToken() : null }),
    })
  }
  if (optionOf(options, 'file') !== undefined) throw new CommandError('--file needs --write.', EXIT.usage)
  const token = isPrivate && options['newToken'] === true ? await createToken() : known
  const target = { slug, url, token: isPrivate ? (token ?? TOKEN_PLACEHOLDER) : null }
  const signIn = isClosed && wanted.signIn && signsIn ? [{ text: wanted.signIn(slug) }] : []
  const steps = [...wanted.steps(target), ...signIn]
  return showSteps(wanted, { steps, link: wanted.link?.(target) ?? null, problem })
}

type Told = { steps: readonly Step[]; link: string | null; problem: string | null }

/** Prints the snippets on standard output, and the instructions on standard error. */
function showSteps({ id, title }: Client, { steps, link, problem }: Told): Shown {
  const missing = `${TOKEN_PLACEHOLDER} stands for an access token. Give it with --token, or create one with --new-token.`
  return {
    json: { client: id, title, steps, link, problem },
    lines: steps.flatMap(({ code }) => code ?? []),
    notes: [
      ...steps.map(({ text }) => text),
      ...(link === null ? [] : [`Or open ${link}`]),
      ...(steps.some(({ code }) => code?.includes(TOKEN_PLACEHOLDER)) ? [missing] : []),
    ],
  }
}

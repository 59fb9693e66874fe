import { SETUP_LINK_MINUTES } from '@docent/contract/operations/setup'
import { type Config, loadConfig, loadSecrets } from '@docent/server/config.ts'
import { docentCommand } from '@docent/server/lib/place.ts'
import { type Service, startService } from '@docent/server/main.ts'
import { catchStop } from '../catch-stop.ts'
import { warnOfUnknownSettings } from '../doctor/check-settings.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

type Watching = Pick<Config, 'watch'> & Pick<Service, 'url'>

/** `docent serve`: runs the service until it is stopped. Prints on standard output when and where it is ready. */
export async function serve(terminal: Terminal): Promise<number> {
  using stop = catchStop(terminal)
  warnOfUnknownSettings(terminal)
  const config = loadConfig(terminal.environment)
  const service = await untilStopped(startService(config, loadSecrets(terminal.environment), stop.signal), stop.signal)
  if (!service) return EXIT.ok
  terminal.out(service.url ? `Docent ready on ${service.url}\n` : 'Docent ready as a worker\n')
  // Also without a terminal: the link is then in the log of the container.
  if (service.setupLink) terminal.err(firstAccount(terminal, service.setupLink))
  else if (terminal.isInteractive && service.url) terminal.err(nextSteps(terminal, service.url))
  const watching = watch(terminal, { url: service.url, watch: config.watch }, stop.signal)
  await stop.requested
  await watching
  if (terminal.isInteractive) terminal.err('\nEnding what is under way …\n')
  await service.stop()
  return EXIT.ok
}

/** Keeps the folders of `DOCENT_WATCH` as sources. Loads its code only if there are some. */
async function watch(terminal: Terminal, { url, watch: folders }: Watching, signal: AbortSignal): Promise<void> {
  if (url === null || folders.length === 0) return
  const { watchFolders } = await import('./watch-folders.ts')
  await watchFolders(terminal, { url, folders }, signal)
}

/** The service, or null if it was stopped before it was ready. */
async function untilStopped(starting: Promise<Service>, signal: AbortSignal): Promise<Service | null> {
  try {
    return await starting
  } catch (error) {
    if (signal.aborted && error === signal.reason) return null
    throw error
  }
}

/** The way to the first account. */
function firstAccount({ colors }: Terminal, link: string): string {
  return `\nMake the first account in a browser, within ${SETUP_LINK_MINUTES} minutes:\n\n  ${colors.bold(link)}\n\nAnother link: ${docentCommand()} setup-link\n`
}

/** Steps to a first server, for people who have just started the service. */
function nextSteps({ colors }: Terminal, url: string): string {
  const docent = docentCommand()
  const steps = [
    ['an account', `${docent} admin create --email you@example.org`],
    ['its API key', `${docent} admin key --email you@example.org --name first`],
    [
      'a server',
      `curl ${url}/api/mcp/create -H "Authorization: Bearer <API_KEY>" -d '{"name":"My docs","sources":[{"url":"https://docs.example.org/"}]}'`,
    ],
  ] as const
  return `\n${steps.map(([what, how]) => `  ${what.padEnd(12)} ${colors.bold(how)}\n`).join('')}\nCtrl-C ends it.\n`
}

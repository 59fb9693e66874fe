import { ConfigError, givenNames, loadConfig, loadSecrets } from '@docent/server/config.ts'
import { checkBackups } from '../doctor/check-backups.ts'
import { checkDataFolder, checkProcess } from '../doctor/check-data-folder.ts'
import { checkDatabase } from '../doctor/check-database.ts'
import { checkBrowser, checkIsolation, checkNode } from '../doctor/check-machine.ts'
import { checkPort } from '../doctor/check-port.ts'
import { checkProviders } from '../doctor/check-providers.ts'
import { checkSettings } from '../doctor/check-settings.ts'
import { type Finding, problem } from '../doctor/finding.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

/** `docent doctor`: checks the machine, the settings and the data, and says what to do. Changes nothing. */
export async function examine(terminal: Terminal, { asJson }: { asJson: boolean }): Promise<number> {
  const findings = await findAll(terminal)
  const hasProblem = findings.some(({ state }) => state === 'problem')
  if (asJson) terminal.out(`${JSON.stringify({ ok: !hasProblem, findings }, null, 2)}\n`)
  else for (const finding of findings) terminal.out(describe(finding))
  return hasProblem ? EXIT.error : EXIT.ok
}

async function findAll({ environment }: Terminal): Promise<Finding[]> {
  const machine = [checkNode(), ...checkSettings(givenNames(environment))]
  try {
    const [config, secrets] = [loadConfig(environment), loadSecrets(environment)]
    return [
      ...machine,
      ...checkDataFolder(config),
      ...(await checkDatabase(config, secrets)),
      checkProcess(config),
      await checkPort(config),
      checkBrowser(config),
      checkIsolation(config),
      await checkBackups(config),
      ...(await checkProviders(secrets)),
    ]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [...machine, problem('Settings', error.message, 'Correct them. The other checks need valid settings.')]
  }
}

function describe({ check, state, detail, advice }: Finding): string {
  const line = `${state.padEnd(8)} ${check.padEnd(12)} ${detail}\n`
  return advice === null ? line : `${line}${' '.repeat(22)}→ ${advice}\n`
}

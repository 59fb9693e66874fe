import type { Command } from 'commander'
import { profileOption } from './client/add-client-commands.ts'
import type { LoginOptions } from './commands/login.ts'
import type { Terminal } from './terminal.ts'

/** Adds the commands for stored sign-ins. */
export function addSignInCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('login')
    .description('Sign in to a running service, and store an API key for the other commands.')
    .argument('[url]', 'address of the service')
    .option('--profile <name>', 'name of the sign-in, to have several (default: host of the address)')
    .option('--email <email>', 'address of the account; the password is asked for')
    .option('--password-stdin', 'read the password from standard input')
    .option('--key-stdin', 'read an API key from standard input instead of signing in')
    .action(async (url: string | undefined, options: LoginOptions) => {
      const { logIn } = await import('./commands/login.ts')
      done(await logIn(terminal, url === undefined ? options : { ...options, url }))
    })

  program
    .command('logout')
    .description('Delete a stored sign-in, and revoke the key that signing in created.')
    .addOption(profileOption())
    .action(async ({ profile }: { profile?: string }) => {
      const { logOut } = await import('./commands/logout.ts')
      done(await logOut(terminal, profile))
    })

  const profiles = program.command('profiles').description('Manage the stored sign-ins.')
  profiles
    .command('list')
    .description('List the stored sign-ins, without their keys.')
    .option('--json', 'as JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { listProfiles } = await import('./commands/profiles.ts')
      done(listProfiles(terminal, { asJson: json }))
    })
  profiles
    .command('use')
    .description('Choose the sign-in that commands use.')
    .argument('<name>', 'name of the profile')
    .action(async (name: string) => {
      const { useProfile } = await import('./commands/profiles.ts')
      done(useProfile(terminal, name))
    })
}

import { Argument, type Command } from 'commander'
import { SHELLS, SHELL_SCRIPTS, type Shell } from './complete/shell-scripts.ts'
import { EXIT } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** Adds the command for shells that complete commands, options and servers, and the hidden one that answers them. */
export function addCompletionCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('completion')
    .description('Print a script that completes commands, options and servers in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      terminal.out(SHELL_SCRIPTS[shell])
      done(EXIT.ok)
    })

  program
    .command('__complete', { hidden: true })
    .argument('[word...]', 'the words so far, the last one possibly empty')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { complete } = await import('./complete/complete.ts')
      terminal.out(await complete(program, terminal, words))
      done(EXIT.ok)
    })
}

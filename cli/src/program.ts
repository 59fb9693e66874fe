import { BUILD, VERSION } from '@docent/server/version.ts'
import { Command } from 'commander'
import { addCompletionCommands } from './add-completion-commands.ts'
import { addSignInCommands } from './add-sign-in-commands.ts'
import { addClientCommands, groupOf, profileOption } from './client/add-client-commands.ts'
import type { Terminal } from './terminal.ts'

/** Receives the exit code. */
type KeyOptions = { email: string; name: string; server?: string[]; forAssistant?: boolean }
type Done = (exitCode: number) => void

/** The command line. Each command loads its code when it runs, so that `--help` is instant. */
export function createProgram(terminal: Terminal, done: Done): Command {
  const program = new Command('docent')
    .description('Turns documentation into live MCP servers.')
    .version([VERSION, BUILD.commit && `commit ${BUILD.commit.slice(0, 12)}`, BUILD.builtAt].filter(Boolean).join(', '))
    .showHelpAfterError('(docent --help shows what there is)')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride()

  program
    .command('serve')
    .description('Run the service, with the settings of the environment (docs/settings.md), until it is stopped.')
    .action(async () => {
      const { serve } = await import('./commands/serve.ts')
      done(await serve(terminal))
    })

  program
    .command('setup-link')
    .description('Print a link to make the first account of this instance in a browser.')
    .action(async () => {
      const { printSetupLink } = await import('./commands/setup-link.ts')
      done(await printSetupLink(terminal))
    })

  program
    .command('try')
    .description('Make a throw-away server from addresses, files and folders, and ask it things.')
    .argument('<place...>', 'where the documentation is: an address, a file, an archive or a folder')
    .option('--name <name>', 'name of the server (default: from the first place)')
    .action(async (places: string[], options: { name?: string }) => {
      const { tryPlaces } = await import('./commands/try.ts')
      done(await tryPlaces(terminal, { places, name: options.name ?? null }))
    })

  addSignInCommands(program, terminal, done)
  addClientCommands(program, terminal, done)
  addUploadCommand(program, terminal, done)
  addWatchCommand(program, terminal, done)
  addDocsCommand(program, terminal, done)
  addBridgeCommand(program, terminal, done)
  addCompletionCommands(program, terminal, done)
  addAdminCommands(program, terminal, done)
  addSecretsCommands(program, terminal, done)
  addBackupCommands(program, terminal, done)
  addDatabaseCommands(program, terminal, done)
  for (const command of program.commands) hintAtHelp(command, `docent ${command.name()}`)
  return program
}

/** After wrong usage, names the help of the command itself. */
function hintAtHelp(command: Command, words: string): void {
  command.showHelpAfterError(`(${words} --help shows how)`)
  for (const each of command.commands) hintAtHelp(each, `${words} ${each.name()}`)
}

function addUploadCommand(program: Command, terminal: Terminal, done: Done): void {
  groupOf(program, 'sources')
    .command('upload')
    .description('Send files, archives or folders as sources of a server, each in place of the one of its name.')
    .argument('<path...>', 'Markdown, HTML, PDF, office files, EPUB, text, code, or zip or tar archives of them')
    .requiredOption('--server <id>', 'id or slug of the server')
    .option('--name <name>', 'name of the upload (default: from the path)')
    .option('--no-wait', 'do not wait until everything is indexed')
    .addOption(profileOption())
    .action(async (paths: string[], options: { server: string; name?: string; wait: boolean; profile?: string }) => {
      const { uploadSources } = await import('./commands/sources-upload.ts')
      done(await uploadSources(terminal, { ...options, paths, name: options.name ?? null }))
    })
}

function addDocsCommand(program: Command, terminal: Terminal, done: Done): void {
  groupOf(program, 'servers')
    .command('docs')
    .description('Make a server of the documents of this version of Docent, and print its endpoint.')
    .option('--server <id>', 'send the documents to this server again, as after an upgrade')
    .option('--no-wait', 'do not wait until everything is indexed')
    .addOption(profileOption())
    .action(async (options: { server?: string; wait: boolean; profile?: string }) => {
      const { serveDocuments } = await import('./commands/servers-docs.ts')
      done(await serveDocuments(terminal, { ...options, server: options.server ?? null }))
    })
}

function addWatchCommand(program: Command, terminal: Terminal, done: Done): void {
  groupOf(program, 'sources')
    .command('watch')
    .description('Send a file or folder as a source of a server, and again after each change, until it is stopped.')
    .argument('<path>', 'as for upload')
    .requiredOption('--server <id>', 'id or slug of the server')
    .option('--name <name>', 'name of the upload (default: from the path)')
    .addOption(profileOption())
    .action(async (path: string, options: { server: string; name?: string; profile?: string }) => {
      const { watchFolder } = await import('./commands/sources-watch.ts')
      done(await watchFolder(terminal, { ...options, path, name: options.name ?? null }))
    })
}

function addBridgeCommand(program: Command, terminal: Terminal, done: Done): void {
  program
    .command('bridge')
    .description('Connect a client that speaks MCP over standard input and output to an endpoint, until it is stopped.')
    .argument('<url>', 'address of the endpoint, as “docent servers list” shows it')
    .option('--token <token>', 'access token of a private server (default: DOCENT_ACCESS_TOKEN)')
    .addOption(profileOption())
    .action(async (url: string, options: { token?: string; profile?: string }) => {
      const { bridge } = await import('./commands/bridge.ts')
      done(await bridge(terminal, { ...options, url }))
    })
}

function addAdminCommands(program: Command, terminal: Terminal, done: Done): void {
  const admin = program
    .command('admin')
    .description('Manage accounts on the data folder or the database, whether the service runs or not.')

  admin
    .command('create')
    .description('Make an account. The first one is the operator of the instance, without limits.')
    .requiredOption('--email <email>', 'address of the account')
    .option('--password-stdin', 'read the password from standard input instead of asking for it')
    .action(async (options: { email: string; passwordStdin?: boolean }) => {
      const { createAdmin } = await import('./commands/admin-create.ts')
      done(await createAdmin(terminal, { email: options.email, fromStdin: options.passwordStdin ?? false }))
    })

  admin
    .command('password')
    .description('Set a new password for an account, and sign it out everywhere.')
    .requiredOption('--email <email>', 'address of the account')
    .option('--password-stdin', 'read the password from standard input instead of asking for it')
    .action(async (options: { email: string; passwordStdin?: boolean }) => {
      const { setAdminPassword } = await import('./commands/admin-password.ts')
      done(await setAdminPassword(terminal, { email: options.email, fromStdin: options.passwordStdin ?? false }))
    })

  admin
    .command('key')
    .description('Make an API key for an account, and print it, this once, on standard output.')
    .requiredOption('--email <email>', 'address of the account')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--server <id...>', 'hold the key to these servers')
    .option('--for-assistant', 'let an owner approve what it publishes, deletes or issues')
    .action(async ({ server, ...options }: KeyOptions) => {
      const { createAdminKey } = await import('./commands/admin-key.ts')
      done(await createAdminKey(terminal, { ...options, serverIds: server ?? null }))
    })

  admin
    .command('plan')
    .description('Move an account to another plan.')
    .requiredOption('--email <email>', 'address of the account')
    .requiredOption('--plan <plan>', 'free, core or unlimited')
    .action(async (options: { email: string; plan: string }) => {
      const { changeAdminPlan } = await import('./commands/admin-plan.ts')
      done(await changeAdminPlan(terminal, options))
    })

  admin
    .command('credit')
    .description('Let a server have more sources than the plan of its account includes.')
    .requiredOption('--server <id>', 'the server')
    .requiredOption('--sources <count>', 'how many more')
    .action(async (options: { server: string; sources: string }) => {
      const { creditSources } = await import('./commands/admin-credit.ts')
      done(await creditSources(terminal, options))
    })
}

function addSecretsCommands(program: Command, terminal: Terminal, done: Done): void {
  program
    .command('secrets')
    .description('Manage the key that credentials are encrypted with.')
    .command('rotate')
    .description('Encrypt all credentials with a new key. With a key file, stop the service first.')
    .action(async () => {
      const { rotateSecretKey } = await import('./commands/secrets-rotate.ts')
      done(await rotateSecretKey(terminal))
    })
}

function addBackupCommands(program: Command, terminal: Terminal, done: Done): void {
  const backup = program.command('backup').description('Make backups of all data, and restore them.')

  backup
    .command('create')
    .description('Write all data to one file, while the service runs or not. Prints the path of the file.')
    .option(
      '--to <path>',
      'file, or folder for a file with the date as its name; a new folder ends with /; s3:FOLDER is in the bucket (default: DOCENT_BACKUP_DIR)',
    )
    .option('--include-key', 'include the key file, which opens the encrypted credentials')
    .action(async (options: { to?: string; includeKey?: boolean }) => {
      const { createBackupFile } = await import('./commands/backup-create.ts')
      done(await createBackupFile(terminal, { to: options.to ?? null, includesKey: options.includeKey ?? false }))
    })

  backup
    .command('restore')
    .description('Verify a backup and load it. Stop the service first.')
    .argument('<file>', 'the backup, of either database engine')
    .option('--force', 'replace the data of an instance that is in use')
    .action(async (file: string, options: { force?: boolean }) => {
      const { restoreBackup } = await import('./commands/backup-restore.ts')
      done(await restoreBackup(terminal, { file, isForced: options.force ?? false }))
    })

  backup
    .command('list')
    .description('List the backups of a folder, and verify each. Fails if one is damaged.')
    .argument('[path]', 'folder with backups, or one backup, also s3:FOLDER (default: DOCENT_BACKUP_DIR)')
    .option('--json', 'as JSON')
    .action(async (folder: string | undefined, options: { json?: boolean }) => {
      const { listBackupFiles } = await import('./commands/backup-list.ts')
      done(await listBackupFiles(terminal, { folder: folder ?? null, asJson: options.json ?? false }))
    })
}

function addDatabaseCommands(program: Command, terminal: Terminal, done: Done): void {
  program
    .command('doctor')
    .description('Check the machine, the settings and the data, and say what to do. Changes nothing.')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const { examine } = await import('./commands/doctor.ts')
      done(await examine(terminal, { asJson: options.json ?? false }))
    })

  program
    .command('migrate')
    .description('Show the version of the database schema, and apply pending migrations.')
    .option('--dry-run', 'only list the pending migrations')
    .action(async (options: { dryRun?: boolean }) => {
      const { migrateSchema } = await import('./commands/migrate.ts')
      done(await migrateSchema(terminal, { isDryRun: options.dryRun ?? false }))
    })

  program
    .command('blobs')
    .description('Look after the bytes of indexes and uploads.')
    .command('move')
    .description('Move them to another place, while the service runs or not.')
    .requiredOption('--to <place>', 'database, folder or s3')
    .action(async ({ to }: { to: string }) => {
      const { moveAllBlobs } = await import('./commands/blobs-move.ts')
      done(await moveAllBlobs(terminal, to))
    })

  program
    .command('database')
    .description('Look after the database.')
    .command('compact')
    .description('Give free space of the SQLite file back to the system. Stop the service first.')
    .action(async () => {
      const { compactDatabase } = await import('./commands/database-compact.ts')
      done(await compactDatabase(terminal))
    })
}

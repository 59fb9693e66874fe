type Differences = {
  /** Whether `/proc` reports the memory and the processor time of processes. */
  hasProcFiles: boolean
  hasNamespaces: boolean
  /** Whether signals can go to a group of processes, and a shell can end children with this process. */
  hasProcessGroups: boolean
  /** Whether the mode of a file says who can read it, and a folder can be opened to sync it. */
  hasFileModes: boolean
  /** What ends the name of a program. */
  programEnding: '' | '.exe'
  /** Protection that Linux has and this system lacks. `SECURITY.md` has the same sentences. */
  missing: readonly string[]
}

const NO_NAMESPACES =
  'The permissions of Node alone keep the readers of documents from the network and the data folder.'
const NO_LIMITS =
  'Only V8 limits the memory of a reader, and nothing that of the browser. Deadlines count elapsed time instead of processor time.'

const LINUX: Differences = {
  hasProcFiles: true,
  hasNamespaces: true,
  hasProcessGroups: true,
  hasFileModes: true,
  programEnding: '',
  missing: [],
}
const UNIX: Differences = { ...LINUX, hasProcFiles: false, hasNamespaces: false, missing: [NO_NAMESPACES, NO_LIMITS] }
const WINDOWS: Differences = {
  ...UNIX,
  hasProcessGroups: false,
  hasFileModes: false,
  programEnding: '.exe',
  missing: [
    ...UNIX.missing,
    'Docent does not check or restrict who can read its data folder and stored keys: protect them with the permissions of Windows.',
    'A file is written before its name is, but the name can be lost with a power failure.',
    'A busy reader can outlive a service that is killed.',
  ],
}

/** How an operating system differs. */
export const differencesOf = (name: NodeJS.Platform): Differences =>
  name === 'linux' ? LINUX : name === 'win32' ? WINDOWS : UNIX

/** The name of this system. No other module reads it (`server/test/architecture.test.ts`). */
export const SYSTEM: NodeJS.Platform = process.platform

/** How this system differs. */
export const differences: Differences = differencesOf(SYSTEM)

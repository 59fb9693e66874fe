import type { FileOmission, FileOmissionReason } from '#extract/repository/repository-file.ts'

/** Sentences for one file, and for several of a folder. */
const SENTENCES: Record<FileOmissionReason, [one: string, many: string]> = {
  vendored: ['It belongs to other projects.', 'hold the work of other projects.'],
  generated: ['A program wrote it.', 'were written by a program.'],
  minified: ['It is packed for machines.', 'are packed for machines.'],
  binary: ['It is no text.', 'are no text.'],
  too_large: ['It is larger than what is read.', 'are beyond what is read.'],
  test: ['It is a test.', 'are tests.'],
  link: ['It is a link, and links are not followed.', 'are links, which are not followed.'],
  unsafe_path: ['Its path leads out of the archive.', 'have paths that lead out of the archive.'],
  not_documentation: [
    'It is neither documentation nor code in a language that is read.',
    'are neither documentation nor code in a language that is read.',
  ],
  no_symbols: ['It has no symbols that others can use.', 'have no symbols that others can use.'],
  no_text: ['It is empty.', 'are empty.'],
  encrypted: ['It is protected by a password.', 'are protected by a password.'],
  unreadable: ['It is damaged, or not what its name says.', 'are damaged, or not what their names say.'],
}

/** Omissions of one reason in one folder, reported together at the first file. */
export type OmissionGroup = { path: string; isFolder: boolean; reason: FileOmissionReason; detail: string }

/** Groups omitted files by folder and reason: there may be thousands. */
export function groupOmissions(omissions: readonly FileOmission[]): OmissionGroup[] {
  const groups = new Map<string, FileOmission[]>()
  for (const omission of omissions) {
    const folder = omission.path.split('/').slice(0, -1).join('/')
    const key = omission.isFolder ? `${omission.path}/` : `${omission.reason} ${folder}`
    groups.set(key, [...(groups.get(key) ?? []), omission])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const [one, many] = SENTENCES[first.reason]
    const detail = first.isFolder
      ? `All files of this folder ${many}`
      : group.length === 1
        ? one
        : `This file and ${group.length - 1} more of its folder ${many}`
    return [{ path: first.path, isFolder: first.isFolder, reason: first.reason, detail }]
  })
}
